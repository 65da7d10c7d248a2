import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { runnerImport } from "vite";
import { expect, test } from "vitest";
import { catalogues } from "../dev/catalogues";
import { format, languagesOf, parse, recorded, started, updated, workIn } from "../dev/translations";

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

test("all messages of a file that was started in English are outdated until they change", () => {
  const begun = started(record, "pt", ["shell"]);
  expect(workIn(begun, "pt").outdated).toEqual(["shell hello", "shell bye"]);
  const one = { shell: { ...first.shell, pt: { hello: "Olá", bye: "Goodbye" } } };
  expect(workIn(updated(one, parse(format(begun, ["en", "fr", "pt"]))), "pt")).toEqual({ missing: [], outdated: ["shell bye"] });
  expect(workIn(started(record, "pt", []), "pt").missing).toEqual(["shell hello", "shell bye"]);
});

test("a language is added with one file for each game and one for the pages around them", { timeout: 60_000 }, async () => {
  const place = mkdtempSync(path.join(os.tmpdir(), "language-"));
  try {
    const client = copyTo(place);
    const files = () => readdirSync(path.join(client, "src"), { recursive: true }).map(String).sort();
    const messages = (...words: string[]) => execFileSync(process.execPath, ["dev/messages.mjs", ...words], { cwd: client, encoding: "utf8" });
    const before = new Set(files());
    const total = Object.values(catalogues).reduce((sum, { en }) => sum + Object.keys(en!).length, 0);

    expect(messages("eo", "--start")).toContain(`eo: 0 missing, ${total} outdated`);
    const added = files().filter((file) => !before.has(file));
    expect(added).toEqual(Object.keys(catalogues).map((folder) => (folder === "shell" ? "i18n/messages/eo.ts" : `games/${folder}/messages/eo.ts`)).sort());

    const shell = path.join(client, "src/i18n/messages/eo.ts");
    writeFileSync(shell, readFileSync(shell, "utf8").replace('"do.close": "Close"', '"do.close": "Fermi"').replace(/ {2}"do.back".*\n/, ""));
    expect(messages("eo")).toContain(`eo: 1 missing, ${total - 2} outdated\n  missing  shell  do.back  "Back"`);

    const { module } = await runnerImport<{ LANGUAGES: Record<string, string> }>(path.join(client, "src/i18n/languages.ts"), { root: client, configFile: false, logLevel: "silent" });
    expect(module.LANGUAGES["eo"]).toBe("Esperanto");
  } finally {
    rmSync(place, { recursive: true });
  }
});

/** The catalogues and what reads them, elsewhere. */
function copyTo(place: string): string {
  const here = path.resolve(import.meta.dirname, "..");
  const client = path.join(place, "client");
  for (const name of ["src", "dev", "package.json"]) cpSync(path.join(here, name), path.join(client, name), { recursive: true });
  cpSync(path.join(here, "../docs/glossary.json"), path.join(place, "docs/glossary.json"));
  symlinkSync(path.join(here, "node_modules"), path.join(client, "node_modules"));
  return client;
}

test("dev/translations.txt is up to date: run `npm run messages`", () => {
  expect(format(updated(catalogues, parse(recorded())), languagesOf(catalogues))).toBe(recorded());
});
