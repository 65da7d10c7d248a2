import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LogEntry } from "../src/protocol/messages";
import { Pace } from "../src/play/table/pace";

const bot: LogEntry = { ply: 0, actor: 1, key: "g.move", args: [], by: "bot", at: 0 };
let shown: number[];
beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
});
afterEach(() => vi.useRealTimers());

test("the first is shown at once, the next ones after a pause, none is left out", () => {
  const pace = new Pace<number>((n) => shown.push(n), () => false);
  [1, 2, 3].forEach((n) => pace.add(n, [bot]));
  expect(shown).toEqual([1]);
  vi.advanceTimersByTime(700);
  expect(shown).toEqual([1, 2]);
  vi.advanceTimersByTime(700);
  expect(shown).toEqual([1, 2, 3]);
});

test("a long queue is shown in a few seconds", () => {
  const pace = new Pace<number>((n) => shown.push(n), () => false);
  for (let n = 0; n < 60; n++) pace.add(n, [bot]);
  vi.advanceTimersByTime(20_000);
  expect(shown).toEqual(Array.from({ length: 60 }, (_, n) => n));
});

test("flushing shows all at once, in order", () => {
  const pace = new Pace<number>((n) => shown.push(n), () => false);
  [1, 2, 3].forEach((n) => pace.add(n, [bot]));
  pace.flush();
  expect(shown).toEqual([1, 2, 3]);
  const hasty = new Pace<number>((n) => shown.push(n), () => true);
  [4, 5].forEach((n) => hasty.add(n, [bot]));
  expect(shown).toEqual([1, 2, 3, 4, 5]);
});

test("what is overtaken is never shown", () => {
  const pace = new Pace<number>((n) => shown.push(n), () => false);
  [1, 2, 3].forEach((n) => pace.add(n, [bot]));
  pace.clear();
  vi.advanceTimersByTime(10_000);
  expect(shown).toEqual([1]);
});

test("what comes while something glides is shown when that has arrived, unless somebody is in a hurry", () => {
  const pace = new Pace<number>((n) => shown.push(n), () => false);
  pace.hold();
  pace.add(1, [bot]);
  expect(shown).toEqual([]);
  vi.advanceTimersByTime(300);
  expect(shown).toEqual([1]);
  pace.hold();
  pace.add(2, [bot]);
  pace.flush();
  expect(shown).toEqual([1, 2]);
});
