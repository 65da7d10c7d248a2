import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { numberOf } from "../src/play/table/citations";
import { sections } from "../src/play/generic/markdown";

const HERE = new URL("../src/games/", import.meta.url);
const GAMES = readdirSync(HERE).filter((game) => existsSync(new URL(`${game}/sentences.ts`, HERE)));

describe("rules are found by their numbers", () => {
  test.each([
    ["**4.5 Carry.** One resource", "4.5"],
    ["**2.1** One special token", "2.1"],
    ["5.6 This holds even if", "5.6"],
    ["4. The six actions", "4"],
    ["7 Passing", "7"],
    ["Two actions", undefined],
    ["4.5", undefined],
  ])("%s", (text, number) => {
    expect(numberOf(text)).toBe(number);
  });

  test("there are games", () => expect(GAMES.length).toBeGreaterThan(2));

  test.each(GAMES)("every reason why not in %s cites a paragraph that there is, and a section tells of it", (game) => {
    const rules = readFileSync(new URL(`../../plenilune/games/${game}/RULES.md`, import.meta.url), "utf8");
    const paragraphs = sections(rules).flatMap(({ title, blocks }) => [title, ...blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []))]);
    const numbers = new Set(paragraphs.map(numberOf));
    const source = readFileSync(new URL(`../src/games/${game}/sentences.ts`, import.meta.url), "utf8");
    const cited = [...source.matchAll(/": "(\d+\.\d+)",/g)].map((match) => match[1]!);
    expect(cited.length).toBeGreaterThan(9);
    for (const number of cited) expect(numbers, number).toContain(number);
    const page = readFileSync(new URL(`../src/games/${game}/Rules.svelte`, import.meta.url), "utf8");
    const told = new Set([...page.matchAll(/"(\d[\d. ]*)"/g)].flatMap((match) => match[1]!.split(" ")));
    for (const number of cited) expect(told.has(number) || told.has(number.split(".")[0]!), number).toBe(true);
  });
});
