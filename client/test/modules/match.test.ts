/** Files of matches: the page loads what Python loads, refuses what it refuses, and writes the same. */
import { expect, test } from "vitest";
import { BadMatch, Match } from "../../src/rules/match";
import { facts, named, source } from "./native";

async function outcome(text: string, checkDice: boolean): Promise<string> {
  try {
    return named((await Match.load(text, checkDice, source)).position.state);
  } catch (error) {
    if (!(error instanceof BadMatch)) throw error;
    return error.message;
  }
}

test.each(facts)("$game: every recorded match is loaded, and saved as it was", async ({ saved }) => {
  expect(saved.length).toBeGreaterThan(0);
  for (const text of saved) expect((await Match.load(text, true, source)).save()).toBe(text);
});

/** The line that is refused, or the state that was reached: sentences may differ in how they quote. */
const gist = (told: string) => /^line \d+/.exec(told)?.[0] ?? told;

test.each(facts)("$game: a damaged file is refused by the same line, or leads to the same state", async ({ files }) => {
  expect(files.filter(({ told }) => told[0].startsWith("line")).length).toBeGreaterThan(20);
  expect(files.filter(({ told }) => !told[0].startsWith("line")).length).toBeGreaterThan(20);
  for (const { text, told } of files) {
    expect([gist(await outcome(text, false)), gist(await outcome(text, true))], text).toEqual(told.map(gist));
  }
});

test.each(facts)("$game: a match that is played here rolls by its seed and can be loaded again", async ({ game, saved }) => {
  const recorded = await Match.load(saved[0]!, true, source);
  const match = new Match(await source.rules(game, recorded.rules.manifest.rules), recorded.seats, recorded.options, recorded.seed);
  while (match.position.ply < recorded.position.ply) match.play(recorded.history[match.position.ply]!);
  expect(match.history).toEqual(recorded.history);
  expect((await Match.load(match.save(), true, source)).save()).toBe(match.save());
});
