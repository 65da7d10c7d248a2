/** A preview is there before the next frame is drawn. */
import { expect, test } from "vitest";
import { previewed } from "../../src/rules/previewed";
import { bytes, facts, rulesOf } from "./native";

const FRAME = 16; // milliseconds; a preview takes a small part of it, so a busy machine does not excuse it

test.each(facts)("$game: a preview with its view takes less than a frame, in the median", ({ game, matches }) => {
  const rules = rulesOf(game);
  const turns = matches.flatMap(({ plies }) => plies).filter(({ toPlay, legal }) => toPlay >= 0 && legal);
  const took = turns.map(({ state, toPlay, legal }) => {
    const seen = rules.seen(bytes(state), toPlay);
    const began = performance.now();
    const ahead = rules.ahead(seen, toPlay, [rules.text(legal![0]!)]);
    expect(previewed(rules, "p", 0, toPlay, ahead).done).toBeLessThanOrEqual(1);
    return performance.now() - began;
  });
  expect(took.length).toBeGreaterThan(100);
  expect(took.sort((a, b) => a - b)[took.length >> 1]).toBeLessThan(FRAME);
});
