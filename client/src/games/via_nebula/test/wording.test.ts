import { describe, expect, test } from "vitest";
import { problems, readRows, SHIPPED, type Row } from "../editor/check";
import { problemText, tokenName } from "../editor/wording";
import { format, type Catalogue, type LookUp } from "../../../i18n/translate";

const catalogues = import.meta.glob<Catalogue>("../messages/*.ts", { import: "default", eager: true });
const LANGUAGES = Object.keys(catalogues).map((path) => path.slice(-5, -3));
const lookUpIn = (language: string): LookUp => {
  const messages = catalogues[`../messages/${language}.ts`]!;
  return (key, args = {}) => (messages[key] === undefined ? null : format(messages[key], args, language));
};

const shipped = readRows(SHIPPED);
const changed = (change: (text: string) => string) => readRows(change(SHIPPED));
const said = (rows: readonly Row[], language: string) => problems(rows).map((problem) => problemText(problem, rows, lookUpIn(language)));
/** The shipped table with another sign wherever there is that one on the beginner's map. */
const onBeginners = (from: RegExp, to: string) => changed((text) => text.replace(/^row +beginner .*$/gm, (line) => line.replace(from, to)));

describe("a problem", () => {
  const meadowless = onBeginners(/ m(?= )/g, " .");
  const few = changed((text) => text.replace(/^row +beginner +(?:[2-9]|\d\d) .*$/gm, (line) => line.replace(/ m(?= )/g, " .")).replace(/^row +beginner +1 .*$/m, (line) => line.replace(/ m(?= )/, " M").replace(/ m(?= )/g, " .").replace(" M", " m")));

  test("names the map as the rest of the page does", () => {
    expect(said(meadowless, "en")).toContain("Beginner map: no meadow. There must be 24.");
    expect(said(meadowless, "ru")).toContain("Карта для начинающих: нет лугов. Должно быть 24.");
  });

  test("counts in singular and plural", () => {
    expect(said(few, "en").find((text) => text.includes("1 meadow"))).toMatch(/^Beginner map: 1 meadow, in [a-z]1\. There must be 24\.$/);
    expect(said(few, "de").join()).toContain(": 1 Wiese, auf ");
  });

  test("names a token by its resource and number", () => {
    const heavy = changed((text) => text.replace(/^(token +\S+ +\S+ +)\d/gm, "$19"));
    expect(said(heavy, "de").join()).toMatch(/Mit \p{L}+ 9[a-z]? haben die Rohstoffplättchen/u);
  });

  test("reads a cost aloud", () => {
    const dear = changed((text) => text.replace(/^(card +store-a +)\S+/m, `$1${Array(10).fill("wood").join("+")}`));
    expect(said(dear, "de").join()).toContain(`„${Array(10).fill("Holz").join(" + ")}“`);
    expect(said(dear, "de").join()).toContain("2 beliebige gleiche, 3 verschiedene");
  });

  test.each(LANGUAGES)("in %s puts no word of the file on the screen, unless quoted", (language) => {
    const unquoted = [meadowless, few, onBeginners(/ r(?= )/g, " .")].flatMap((rows) => said(rows, language));
    expect(unquoted.length).toBeGreaterThan(2);
    for (const text of unquoted) expect(text).not.toMatch(/beginner(?! map)\b|wood|store|\{/);
  });
});

test("a token is called by its resource, its number and a letter", () => {
  const names = shipped.filter(({ words }) => /^(token|special)$/.test(words[0]!)).map((row) => tokenName(row, shipped, lookUpIn("en")));
  expect(names.slice(0, 4)).toEqual(["wood 3a", "wood 3b", "wood 4a", "wood 4b"]);
  expect(names.at(-1)).toBe("food 5");
  expect(new Set(names).size).toBe(names.length);
});
