import { describe, expect, test } from "vitest";
import { bestLanguage, LANGUAGES } from "../src/i18n/languages";
import { format, holes, PSEUDO, pseudo } from "../src/i18n/translate";
import { catalogues, textsOf } from "../dev/catalogues";

const folders = Object.keys(catalogues);
const languages = Object.keys(LANGUAGES);
const translations = languages.filter((language) => language !== "en");

describe("the languages", () => {
  test("are named in themselves", () => {
    expect(LANGUAGES).toMatchObject({ de: "Deutsch", es: "Español", en: "English", fr: "Français", nl: "Nederlands", ru: "Русский" });
  });

  test("the first of the reader's languages that there is", () => {
    expect(bestLanguage(["pt-BR", "fr-CA", "en"])).toBe("fr");
    expect(bestLanguage(["xx"])).toBe("en");
  });
});

describe.each(folders)("the messages of %s", (folder) => {
  const english = catalogues[folder]!["en"]!;
  const of = (language: string) => catalogues[folder]![language] ?? {};

  test("there are some", () => expect(Object.keys(english).length).toBeGreaterThan(20));

  test.each(translations)("none is missing in %s, and none is left over", (language) => {
    expect(Object.keys(of(language)).sort()).toEqual(Object.keys(english).sort());
  });

  test.each(translations)("%s fills the holes that English fills", (language) => {
    for (const [key, message] of Object.entries(of(language))) {
      const unless = (hole: string) => hole !== "n"; // "one" may stand for {n}
      expect([key, [...holes(message)].filter(unless).sort()]).toEqual([key, [...holes(english[key]!)].filter(unless).sort()]);
      if (holes(message).has("n")) expect([...holes(english[key]!)], key).toContain("n");
    }
  });

  test.each(languages)("every plural in %s has the forms of its language", (language) => {
    const rules = new Intl.PluralRules(language);
    const forms = new Set(["other", ...Array.from({ length: 200 }, (_, n) => rules.select(n))]);
    for (const [key, message] of Object.entries(of(language)))
      if (typeof message !== "string") expect([key, Object.keys(message).sort()]).toEqual([key, [...forms].sort()]);
  });

  if (folder !== "shell")
    test("no key is one of the shell's", () => {
      expect(Object.keys(english).filter((key) => key in catalogues["shell"]!["en"]!)).toEqual([]);
    });
});

// Messages that are rightly the same as in English: names, borrowed words, abbreviations.
const SAME: Record<string, readonly string[]> = {
  de: "home.solo home.alone friends.example new.who.bot new.name bot.name.0 bot.name.1 bot.name.2 bot.name.3 chat.title prefs.theme.system prefs.theme.auto prefs.motion.system replay.pause daily.name solo.phase solo.sum1 solo.sum2 rules.solo result.astronaut tool.carry card.export do.carry rules.carry".split(" "),
  es: "home.minutes friends.example new.who.bot bot.name.0 bot.name.1 bot.name.2 bot.name.3 bot.level seat.bot chat.title prefs.theme.auto solo.total solo.final sheet.total".split(" "),
  fr: "home.minutes friends.example bot.name.1 bot.name.2 bot.name.3 menu.open prefs.theme.auto prefs.motion ending.solo ending.place ending.points replay.pause dice.ply daily.score reader.found solo.phase solo.sums solo.sum1 solo.sum2 solo.total option.points scores sheet.total game.option.map.expert points guild.won".split(" "),
  nl: "home.minutes home.alone friends.example home.licence new.who.open new.who.bot bot.beginner bot.name.0 bot.name.1 bot.name.2 bot.name.3 bot.level seat.bot hint.ask chat.title menu.open fair.details keys.hint prefs.theme.auto review.mark.?? tile.t asks.t solo.sums leapt.many scores result.astronaut page.fine card.architect hex.mist editor.ground.mist rules.fine".split(" "),
  ru: "friends.example".split(" "),
};

describe.each(translations)("%s", (language) => {
  test("says nothing in English", () => {
    for (const [folder, { en }] of Object.entries(catalogues))
      for (const [key, message] of Object.entries(en!)) {
        const words = textsOf(message).join(" ").replace(/\{\w+\}/g, "");
        const same = JSON.stringify(catalogues[folder]![language]?.[key]) === JSON.stringify(message);
        if (same && /\p{L}/u.test(words)) expect(SAME[language] ?? []).toContain(key);
      }
  });
});

describe("messages", () => {
  test("of the shell are all used", () => {
    const files = import.meta.glob<string>(["../src/**/*.{svelte,ts}", "!../src/**/messages/*"], { eager: true, query: "?raw", import: "default" });
    const source = Object.values(files).join("\n");
    const made = [...Object.entries(files).filter(([path]) => !path.includes("/games/")).map(([, text]) => text).join("\n").matchAll(/[`"']([a-zA-Z]+(?:\.[a-zA-Z]+)*\.)\$\{/g)].map((found) => found[1]!); // `lack.${lack}`
    const unused = (key: string) => !source.includes(`"${key}"`) && !source.includes(`'${key}'`) && !made.some((start) => key.startsWith(start));
    expect(Object.keys(catalogues["shell"]!["en"]!).filter(unused)).toEqual([]);
  });

  test("Russian counts in its own way", () => {
    const matches = catalogues["shell"]!["ru"]!["daily.played"]!;
    expect([1, 2, 5, 11, 21].map((n) => format(matches, { n }, "ru"))).toEqual(["1 партия", "2 партии", "5 партий", "11 партий", "21 партия"]);
  });

  test("the pseudo-language is longer and keeps the holes", () => {
    const made = pseudo("Waiting for {name}") as string;
    expect(made).toContain("{name}");
    expect(made.length).toBeGreaterThan(24);
    expect(format(made, { name: "Ada" }, PSEUDO)).toContain("Ada");
  });
});

describe("typography", () => {
  const all = (language: string) => Object.values(catalogues).flatMap((folder) => Object.entries(folder[language] ?? {}).flatMap(([key, message]) => textsOf(message).map((text) => [key, text] as const)));
  const NARROW = "\u202f";
  const WIDE = "\u00a0";

  test("French has narrow no-break spaces before ; ! ? and wide ones before : % and inside quotes", () => {
    for (const [key, text] of all("fr")) {
      const words = text.replaceAll("https://", "").replaceAll("http://", "");
      expect([key, words.match(new RegExp(`(^|[^${NARROW}])[;!?]|(^|[^${WIDE}])[:%»]|«[^${WIDE}]`))]).toEqual([key, null]);
    }
  });

  test("nowhere is a straight apostrophe, three dots, or a space before an ellipsis or a percent sign", () => {
    for (const language of languages)
      for (const [key, text] of all(language)) expect([language, key, text.match(/'|\.\.\.| …| %/)]).toEqual([language, key, null]);
  });

  test("Dutch counts from one number to another with t/m", () => {
    for (const [key, text] of all("nl")) expect([key, text.match(/\d tot \d/)]).toEqual([key, null]);
  });
});
