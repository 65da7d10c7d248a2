import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { catalogues, textsOf } from "../dev/catalogues";
import { glossary, glossaryLanguages as languages, glossaryPage, wrongFor } from "../dev/glossary";

test("every term has a word in every language", () => {
  for (const { concept, terms } of glossary) expect([concept, Object.keys(terms).sort()]).toEqual([concept, [...languages].sort()]);
});

test("whole words are found in every script", () => {
  const wrong = wrongFor({ not: { ru: ["\\bсид\\b"], es: ["\\bárea"] } }, "ru")!;
  expect(["один сид", "Сид", "сидеть", "посид"].map((text) => wrong.test(text))).toEqual([true, true, false, false]);
  expect(wrongFor({ not: { es: ["\\bárea"] } }, "es")!.test("un área")).toBe(true);
  expect(wrongFor({ not: { es: ["\\bárea"] } }, "fr")).toBeNull();
});

describe.each(languages)("the catalogues in %s", (language) => {
  const texts = (where?: readonly string[]) =>
    Object.entries(catalogues).flatMap(([folder, found]) => (where && !where.includes(folder) ? [] : Object.entries(found[language] ?? {}).map(([key, message]) => [key, textsOf(message).join(" ").replace(/\{\w+\}/g, "")] as const)));

  const watched = glossary.filter((term) => wrongFor(term, language));

  test.each(watched)("use the glossary's word for $concept", (term) => {
    const wrong = wrongFor(term, language)!;
    expect(texts(term.where).filter(([, text]) => wrong.test(text))).toEqual([]);
    expect(term.terms[language]).not.toMatch(wrong);
  });

  test("are kept from other words for most things", () => expect(watched.length).toBeGreaterThan(glossary.length / 2));

  test.each(glossary)("have the word for $concept", ({ terms, where }) => {
    const stems = terms[language]!.toLocaleLowerCase(language).split(/[ -]/).map((word) => word.slice(0, Math.max(3, word.length - 3)));
    const all = texts(where).map(([, text]) => text.toLocaleLowerCase(language));
    expect(all.some((text) => stems.every((stem) => text.includes(stem))), terms[language]).toBe(true);
  });
});

test("docs/glossary.md is made from it: run `npm run messages`", () => {
  expect(readFileSync(path.resolve(import.meta.dirname, "../../docs/glossary.md"), "utf8")).toBe(glossaryPage());
});
