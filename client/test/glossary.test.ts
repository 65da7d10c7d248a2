import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { catalogues, textsOf } from "../dev/catalogues";
import { glossary, glossaryPage } from "../dev/glossary";
import { LANGUAGES } from "../src/i18n/languages";

const languages = Object.keys(LANGUAGES);

test("every term has a word in every language", () => {
  for (const { concept, terms } of glossary) expect([concept, Object.keys(terms).sort()]).toEqual([concept, [...languages].sort()]);
});

describe.each(languages)("the catalogues in %s", (language) => {
  const texts = (where?: readonly string[]) =>
    Object.entries(catalogues).flatMap(([folder, found]) => (where && !where.includes(folder) ? [] : Object.entries(found[language] ?? {}).map(([key, message]) => [key, textsOf(message).join(" ").replace(/\{\w+\}/g, "")] as const)));

  test.each(glossary.filter(({ not }) => not?.[language]))("use the glossary's word for $concept", ({ not, where }) => {
    const wrong = new RegExp(not![language]!.join("|"), "iu");
    expect(texts(where).filter(([, text]) => wrong.test(text))).toEqual([]);
  });

  test.each(glossary)("have the word for $concept", ({ terms, where }) => {
    const stems = terms[language]!.toLocaleLowerCase(language).split(/[ -]/).map((word) => word.slice(0, Math.max(3, word.length - 3)));
    const all = texts(where).map(([, text]) => text.toLocaleLowerCase(language));
    expect(all.some((text) => stems.every((stem) => text.includes(stem))), terms[language]).toBe(true);
  });
});

test("docs/glossary.md is made from it: run `npm run messages`", () => {
  expect(readFileSync(path.resolve(import.meta.dirname, "../../docs/glossary.md"), "utf8")).toBe(glossaryPage());
});
