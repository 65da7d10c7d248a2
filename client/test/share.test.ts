import { expect, test } from "vitest";
import { share } from "../src/play/share";

const old = { hexes: [{ id: "a1", tile: false }, { id: "b1", tile: false }], seats: [3, 4], name: null };

test("what says the same is the same object", () => {
  expect(share(old, structuredClone(old))).toBe(old);
});

test("what changed is new, and only that", () => {
  const fresh = structuredClone(old);
  fresh.hexes[1]!.tile = true;
  const shared = share(old, fresh);
  expect(shared).toEqual(fresh);
  expect(shared.hexes[0]).toBe(old.hexes[0]);
  expect(shared.hexes[1]).not.toBe(old.hexes[1]);
  expect(shared.seats).toBe(old.seats);
});

test("more, fewer and other parts are a change", () => {
  const changes: unknown[] = [{ ...old, more: undefined }, { hexes: old.hexes, seats: old.seats }, { ...old, seats: [3] }, { ...old, seats: [3, 4, 5] }];
  const others: unknown[] = [{ ...old, seats: { 0: 3, 1: 4 } }, { ...old, name: {} }, null, 7, []];
  for (const fresh of [...changes, ...others]) {
    expect(share(old, structuredClone(fresh))).toStrictEqual(fresh);
    expect(share(fresh, structuredClone(old))).toStrictEqual(old);
  }
});
