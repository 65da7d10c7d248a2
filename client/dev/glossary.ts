/** The glossary: one word for each thing, in code, in every language and in the rulebooks. `docs/glossary.md` is made of it. */
import terms from "../../docs/glossary.json";
import { LANGUAGES } from "../src/i18n/languages";

export interface Term {
  concept: string;
  code: string;
  terms: Readonly<Record<string, string>>;
  /** What the publisher's rulebook says, by language, where there is one. */
  rulebooks?: Readonly<Record<string, string>>;
  /** Words that must not stand for it, by language, as regular expressions. */
  not?: Readonly<Record<string, readonly string[]>>;
  /** The folders whose catalogues it is about; without it, all of them. */
  where?: readonly string[];
}
export const glossary: readonly Term[] = terms as readonly Term[];

// `\\b` of JavaScript knows the letters of English alone.
const LETTER = "[\\p{L}\\p{N}]";
const EDGE = `(?:(?<!${LETTER})(?=${LETTER})|(?<=${LETTER})(?!${LETTER}))`;

/** What must not stand for the term in this language; null where nothing is likely to. */
export function wrongFor({ not }: Pick<Term, "not">, language: string): RegExp | null {
  const words = not?.[language];
  return words ? new RegExp(words.join("|").replaceAll("\\b", EDGE), "iu") : null;
}

/** A new language gets its column when somebody writes it. */
const written = new Set(glossary.flatMap(({ terms }) => Object.keys(terms)));
export const glossaryLanguages: readonly string[] = ["en", ...Object.keys(LANGUAGES).filter((language) => language !== "en" && written.has(language))];

export function glossaryPage(): string {
  const languages = glossaryLanguages;
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const games = [...new Set(glossary.map(({ where }) => where?.join(", ") ?? ""))];
  const table = (game: string) => [
    row(["what", "in code", ...languages.map((language) => LANGUAGES[language]!), "rulebooks"]),
    row(Array.from({ length: languages.length + 3 }, () => "---")),
    ...glossary.filter(({ where }) => (where?.join(", ") ?? "") === game).map((term) => row([term.concept, `\`${term.code}\``, ...languages.map((language) => term.terms[language] ?? ""), books(term)])),
  ];
  return [
    "# Glossary",
    "",
    "One word for each thing. This page is made from `docs/glossary.json` by `npm run messages` (in `client/`); a test",
    "compares the two, and fails a message that uses another word.",
    ...games.flatMap((game) => ["", `## ${titleOf(game)}`, "", ...table(game)]),
    "",
  ].join("\n");
}

const titleOf = (game: string): string => game.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ") || "Everywhere";
const books = ({ rulebooks = {} }: Term): string => Object.entries(rulebooks).map(([language, word]) => `${language}: ${word}`).join("; ");
