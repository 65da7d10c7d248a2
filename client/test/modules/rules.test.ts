/** The page's rules do what the native rules do: at every ply of random matches, for every viewer. */
import { expect, test } from "vitest";
import { Refusal } from "../../src/protocol/refusal";
import type { Rules, State } from "../../src/rules/rules";
import { bytes, facts, hex, named, rulesOf, type AheadFact, type PlyFact } from "./native";

const viewers = (seats: number) => Array.from({ length: seats + 1 }, (_, i) => i - 1);

test.each(facts)("$game: matches play out the same, and everybody sees the same", ({ game, matches }) => {
  const rules = rulesOf(game);
  expect(matches.length).toBeGreaterThan(0);
  for (const { seats, options, plies } of matches) {
    let state = rules.begin(seats, options);
    for (const ply of plies) {
      expect(found(rules, state, seats)).toEqual({ ...ply, legal: ply.legal ?? [], ahead: undefined, action: undefined, texts: undefined });
      if (ply.action === undefined) continue;
      expect(viewers(seats).map((viewer) => rules.text(ply.action!, rules.words(state, ply.action!, viewer)))).toEqual(ply.texts);
      const before = hex(state);
      const after = rules.apply(state, ply.action);
      expect(hex(state)).toBe(before);
      state = after;
    }
  }
});

function found(rules: Rules, state: State, seats: number): Omit<PlyFact, "ahead"> {
  const seen = viewers(seats).map((viewer) => rules.seen(state, viewer));
  return {
    state: hex(state),
    toPlay: rules.toPlay(state),
    standing: rules.standing(state),
    seen: seen.map((one) => rules.digest(one)),
    views: seen.map((one) => named(JSON.stringify(rules.view(one)))),
    legal: rules.legal(state),
  };
}

test.each(facts)("$game: a seat can look as far ahead, and is refused the same", ({ game, matches }) => {
  const rules = rulesOf(game);
  const asked = matches.flatMap(({ plies }) => plies.filter(({ toPlay }) => toPlay >= 0));
  expect(new Set(asked.flatMap(({ ahead }) => ahead.map(({ stopped, reason }) => stopped ?? reason))).size).toBeGreaterThan(3);
  for (const { state, toPlay, ahead } of asked) {
    const seen = rules.seen(bytes(state), toPlay);
    expect(ahead.map(({ texts }) => looked(rules, seen, toPlay, texts))).toEqual(ahead);
  }
});

function looked(rules: Rules, seen: State, seat: number, texts: string[]): AheadFact {
  try {
    const ahead = rules.ahead(seen, seat, texts);
    return { texts, done: ahead.done, stopped: ahead.stopped, seen: named(ahead.seen) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { texts, reason: error.reason, message: error.message };
  }
}

test.each(facts)("$game: every action has one text, which names it", ({ game }) => {
  const rules = rulesOf(game);
  rules.actions.texts.forEach((text, number) => expect(rules.parse(` ${text.replace(" ", "  ")} `)).toBe(number));
  expect(rules.parse("no such action")).toBeNull();
});

test.each(facts)("$game: 99 of 100 previews take less than 16 ms", ({ game, matches }) => {
  const rules = rulesOf(game);
  const times = matches.flatMap(({ plies }) => plies.flatMap((ply) => ply.ahead.filter(isPreview).map(({ texts }) => timeToPreview(rules, ply, texts))));
  expect(times.length).toBeGreaterThan(50);
  expect(times.sort((a, b) => a - b)[Math.floor(0.99 * times.length)]).toBeLessThan(16);
});

/** Of an action at least; what is refused is not shown. */
const isPreview = ({ texts, reason }: AheadFact) => texts.length > 0 && !reason;

/** Milliseconds for all that a preview tells: the least of three times, since the machine has more to do. */
function timeToPreview(rules: Rules, { state, toPlay }: PlyFact, texts: string[]): number {
  const seen = rules.seen(bytes(state), toPlay);
  const times = [1, 2, 3].map(() => {
    const began = performance.now();
    const ahead = rules.ahead(seen, toPlay, texts);
    rules.view(ahead.seen);
    rules.legalTexts(ahead.seen, toPlay);
    rules.standing(ahead.seen);
    return performance.now() - began;
  });
  return Math.min(...times);
}
