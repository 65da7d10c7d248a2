/** The languages: one for each file in `messages`. Nothing else lists them. */
import en from "./messages/en";
import type { Catalogue, Load } from "./translate";

const files = import.meta.glob<Catalogue>(["./messages/*.ts", "!./messages/en.ts"], { import: "default" });
const tagOf = (path: string): string => path.split("/").at(-1)!.replace(".ts", "");

/** English is here from the start: it stands in for what another language lacks. */
export const CATALOGUES: Readonly<Record<string, Load>> = {
  en: () => Promise.resolve(en),
  ...Object.fromEntries(Object.entries(files).map(([path, load]) => [tagOf(path), load])),
};

/** Each language by its tag, named in itself: `fr` is Français. */
export const LANGUAGES: Readonly<Record<string, string>> = Object.fromEntries(Object.keys(CATALOGUES).map((tag) => [tag, nameOf(tag)]));

/** The first of these tags, `pt-BR` or `fr`, that there is a catalogue for; English if there is none. */
export function bestLanguage(wanted: readonly string[]): string {
  return wanted.map((tag) => tag.split("-")[0]!).find((tag) => tag in LANGUAGES) ?? "en";
}

function nameOf(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
