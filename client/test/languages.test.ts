import { describe, expect, test } from "vitest";
import { en } from "../src/i18n/messages/en";
import { format, holes, LANGUAGES, pseudo, type Catalogue, type Language } from "../src/i18n/translate";

const house = import.meta.glob<Record<string, Catalogue>>("../src/i18n/messages/*.ts", { eager: true });
const games = import.meta.glob<Record<string, Catalogue>>("../src/games/*/messages/*.ts", { eager: true });
const folders = ["house", ...new Set(Object.keys(games).map((path) => path.split("/")[3]!))];

function catalogue(folder: string, language: string): Catalogue {
  const path = folder === "house" ? `../src/i18n/messages/${language}.ts` : `../src/games/${folder}/messages/${language}.ts`;
  const module = (folder === "house" ? house : games)[path];
  return module?.[language] ?? {};
}

describe.each(folders)("the words of %s", (folder) => {
  const english = catalogue(folder, "en");

  test("there are some", () => expect(Object.keys(english).length).toBeGreaterThan(20));

  test.each(Object.keys(LANGUAGES))("none is missing in %s, and none is left over", (language) => {
    expect(Object.keys(catalogue(folder, language)).sort()).toEqual(Object.keys(english).sort());
  });

  test.each(Object.keys(LANGUAGES))("every hole in %s is one that English fills", (language) => {
    for (const [key, message] of Object.entries(catalogue(folder, language))) {
      const asked = holes(english[key]!);
      const unknown = [...holes(message)].filter((hole) => !asked.has(hole));
      expect({ key, unknown }).toEqual({ key, unknown: [] });
    }
  });

  test.each(Object.keys(LANGUAGES) as Language[])("every plural in %s has the forms of its language", (language) => {
    const rules = new Intl.PluralRules(language);
    const needed = new Set([0, 1, 2, 5, 11, 21, 22, 25].map((n) => rules.select(n)));
    for (const [key, message] of Object.entries(catalogue(folder, language))) {
      if (typeof message === "string") continue;
      const missing = [...needed].filter((form) => !(form in message));
      expect({ key, missing }).toEqual({ key, missing: [] });
    }
  });
});

describe("messages", () => {
  test("a game's words and the house's never share a key", () => {
    for (const folder of folders.slice(1)) {
      expect(Object.keys(catalogue(folder, "en")).filter((key) => key in en)).toEqual([]);
    }
  });

  test("Russian counts in its own way", () => {
    const days = catalogue("house", "ru")["home.ago.days"]!;
    expect([1, 2, 5, 11, 21].map((n) => format(days, { n }, "ru"))).toEqual([
      "1 день назад",
      "2 дня назад",
      "5 дней назад",
      "11 дней назад",
      "21 день назад",
    ]);
  });

  test("the pseudo-language is longer and keeps the holes", () => {
    const made = pseudo("{name} is to play.") as string;
    expect(made).toContain("{name}");
    expect(made.length).toBeGreaterThan(24);
    expect(format(made, { name: "Ada" }, "qq")).toContain("Ada");
  });
});
