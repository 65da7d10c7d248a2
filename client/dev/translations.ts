/**
 * Which messages are missing or outdated. `translations.txt` has a line for each message: a digest of its text in each
 * language, as they were when this was last run. When English has changed since and a translation has not, the
 * translation is outdated, and its digest gets a `!` in front until the translation changes too or somebody says that
 * it is still right.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { catalogues } from "./catalogues";
import { glossaryPage } from "./glossary";
import type { Catalogue, Message } from "../src/i18n/translate";

type Catalogues = Readonly<Record<string, Readonly<Record<string, Catalogue>>>>;
/** By `folder key`, then by language: a digest, `!` and a digest, or "-" for what is missing. */
export type Recorded = Map<string, Map<string, string>>;

const FILE = path.resolve(import.meta.dirname, "translations.txt");
const MISSING = "-";

export function digest(message: Message | undefined): string {
  return message === undefined ? MISSING : createHash("sha256").update(JSON.stringify(message)).digest("hex").slice(0, 6);
}

export function parse(text: string): Recorded {
  const [head = "", ...lines] = text.split("\n").filter(Boolean);
  const languages = head.split(" ").slice(2);
  return new Map(
    lines.map((line) => {
      const [folder, key, ...digests] = line.split(" ");
      return [`${folder} ${key}`, new Map(languages.map((language, i) => [language, digests[i] ?? MISSING]))];
    }),
  );
}

export function format(record: Recorded, languages: readonly string[]): string {
  const lines = [...record].map(([name, digests]) => [name, ...languages.map((language) => digests.get(language) ?? MISSING)].join(" "));
  return [["folder key", ...languages].join(" "), ...lines, ""].join("\n");
}

/** English first, then all other languages of any catalogue. */
export function languagesOf(all: Catalogues): string[] {
  const found = new Set(Object.values(all).flatMap((folder) => Object.keys(folder)));
  return ["en", ...[...found].filter((language) => language !== "en").sort()];
}

/** The record as it is to be: what has changed with English is up to date, what has not is outdated. */
export function updated(all: Catalogues, before: Recorded): Recorded {
  const after: Recorded = new Map();
  for (const [folder, translations] of Object.entries(all))
    for (const key of Object.keys(translations["en"] ?? {})) {
      const name = `${folder} ${key}`;
      const old = before.get(name) ?? new Map<string, string>();
      const digests = languagesOf(all).map((language) => [language, digest(translations[language]?.[key])] as const);
      const rewritten = old.has("en") && old.get("en") !== digests[0]![1];
      after.set(name, new Map(digests.map(([language, now]) => [language, follow(old.get(language), now, rewritten)])));
    }
  return after;
}

function follow(old: string | undefined, now: string, rewritten: boolean): string {
  if (now === MISSING || old?.replace("!", "") !== now) return now;
  return rewritten ? `!${now}` : old;
}

export interface Work {
  missing: string[];
  outdated: string[];
}

export function workIn(record: Recorded, language: string): Work {
  const names = (wanted: (digest: string) => boolean) => [...record].filter(([, digests]) => wanted(digests.get(language) ?? MISSING)).map(([name]) => name);
  return { missing: names((found) => found === MISSING), outdated: names((found) => found.startsWith("!")) };
}

export const recorded = (): string => (existsSync(FILE) ? readFileSync(FILE, "utf8") : "");

/** `npm run messages`, `… -- fr`, `… -- fr --right KEY…`, `… -- pt --start`. */
export function main([language, option, ...keys]: readonly string[]): void {
  let record = updated(catalogues, parse(recorded()));
  if (language && option === "--start") record = started(record, language, start(language));
  if (language && option === "--right") markRight(record, language, keys);
  writeFileSync(FILE, format(record, [...new Set([...languagesOf(catalogues), ...(language && option === "--start" ? [language] : [])])]));
  writeFileSync(path.resolve(import.meta.dirname, "../../docs/glossary.md"), glossaryPage());
  for (const one of language ? [language] : languagesOf(catalogues).slice(1)) tell(one, workIn(record, one), Boolean(language));
}

function markRight(record: Recorded, language: string, keys: readonly string[]): void {
  for (const [name, digests] of record) {
    const found = digests.get(language) ?? MISSING;
    if (keys.length === 0 || keys.includes(name.split(" ")[1]!)) digests.set(language, found.replace("!", ""));
  }
}

function tell(language: string, { missing, outdated }: Work, whole: boolean): void {
  console.log(`${language}: ${missing.length} missing, ${outdated.length} outdated`);
  for (const [what, names] of Object.entries({ missing, outdated }))
    for (const name of whole ? names : []) {
      const [folder, key] = name.split(" ") as [string, string];
      console.log(`  ${what}  ${folder}  ${key}  ${JSON.stringify(catalogues[folder]!["en"]![key])}`);
    }
}

/** The record with files that were started in English: all of their messages are outdated. */
export function started(record: Recorded, language: string, folders: readonly string[]): Recorded {
  const english = (name: string, digests: ReadonlyMap<string, string>) => (folders.includes(name.split(" ")[0]!) ? [[language, `!${digests.get("en")}`] as const] : []);
  return new Map([...record].map(([name, digests]) => [name, new Map([...digests, ...english(name, digests)])]));
}

/** A file for each catalogue that the language does not have yet, with English's texts to translate; returns their folders. */
function start(language: string): string[] {
  const made: string[] = [];
  for (const folder of Object.keys(catalogues)) {
    const place = folder === "shell" ? "../src/i18n/messages" : `../src/games/${folder}/messages`;
    const file = path.resolve(import.meta.dirname, place, `${language}.ts`);
    if (existsSync(file)) continue;
    const english = readFileSync(path.resolve(file, "..", "en.ts"), "utf8");
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, inLanguage(english, folder));
    console.log(`started ${path.relative(process.cwd(), file)}`);
    made.push(folder);
  }
  return made;
}

function inLanguage(english: string, folder: string): string {
  const [types, words] = folder === "shell" ? ["../translate", "English"] : ["../../../i18n/translate", "Words"];
  const body = english.slice(english.indexOf("const en = {"), english.indexOf("\n} as const;")).replace("const en = {", "export default {");
  return `import type { Translation } from "${types}";\nimport type { ${words} } from "./en";\n\n${body}\n} satisfies Translation<${words}>;\n`;
}
