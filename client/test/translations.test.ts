import { expect, test } from "vitest";
import { catalogues } from "../dev/catalogues";
import { format, languagesOf, parse, recorded, updated, workIn } from "../dev/translations";

const first = { shell: { en: { hello: "Hello", bye: "Goodbye" }, fr: { hello: "Bonjour", bye: "Au revoir" } } };
const record = updated(first, new Map());

test("what has not changed is up to date", () => {
  expect(workIn(updated(first, record), "fr")).toEqual({ missing: [], outdated: [] });
});

test("a translation is outdated when English has changed and it has not", () => {
  const english = { shell: { ...first.shell, en: { hello: "Hello there", bye: "Goodbye" } } };
  const after = updated(english, record);
  expect(workIn(after, "fr")).toEqual({ missing: [], outdated: ["shell hello"] });
  expect(workIn(updated(english, parse(format(after, ["en", "fr"]))), "fr").outdated).toEqual(["shell hello"]);
});

test("it is up to date when both have changed, or when it follows later", () => {
  const both = { shell: { en: { hello: "Hi", bye: "Goodbye" }, fr: { hello: "Salut", bye: "Au revoir" } } };
  expect(workIn(updated(both, record), "fr").outdated).toEqual([]);
  const late = updated({ shell: { ...both.shell, fr: first.shell.fr } }, record);
  expect(workIn(updated(both, late), "fr").outdated).toEqual([]);
});

test("a message that is only in English is missing", () => {
  const more = { shell: { ...first.shell, en: { ...first.shell.en, more: "More" } } };
  expect(workIn(updated(more, record), "fr").missing).toEqual(["shell more"]);
});
test("dev/translations.txt is up to date: run `npm run messages`", () => {
  expect(format(updated(catalogues, parse(recorded())), languagesOf(catalogues))).toBe(recorded());
});
