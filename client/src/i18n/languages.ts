/** The languages: one for each file in `messages`. Nothing else lists them. */
import type { Catalogue, Catalogues } from "./translate";

const first = import.meta.glob<Catalogue>("./messages/*.ts", { query: "?first", import: "default" });
const later = import.meta.glob<Catalogue>("./messages/*.ts", { query: "?later", import: "default" });

const tagOf = (path: string): string => path.split("/").at(-1)!.replace(/\.ts.*/, "");
const byTag = (files: Catalogues): Catalogues => Object.fromEntries(Object.entries(files).map(([path, load]) => [tagOf(path), load]));

/** What a table is opened with, and what comes later (`parts.ts`). */
export const CATALOGUES = { first: byTag(first), later: byTag(later) };

/** Each language by its tag, named in itself: `fr` is Français. English comes first. */
export const LANGUAGES: Readonly<Record<string, string>> = Object.fromEntries(["en", ...Object.keys(CATALOGUES.first)].map((tag) => [tag, nameOf(tag)]));

/** The first of these tags, `pt-BR` or `fr`, that there is a catalogue for; English if there is none. */
export function bestLanguage(wanted: readonly string[]): string {
  return wanted.map((tag) => tag.split("-")[0]!).find((tag) => tag in LANGUAGES) ?? "en";
}

function nameOf(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
