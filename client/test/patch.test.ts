import { expect, test } from "vitest";
import { followed } from "../src/play/patch";

test("a change brings new fields and single places of lists, and leaves the old view alone", () => {
  const old = { moon: 1, wheel: ["a", "b", "c"], track: [1, 2] };
  const fresh = followed(old, { view: { moon: 2 } as never, parts: { wheel: { "0": null, "2": "d" } } });
  expect(fresh).toEqual({ moon: 2, wheel: [null, "b", "d"], track: [1, 2] });
  expect(fresh.track).toBe(old.track);
  expect(old.wheel).toEqual(["a", "b", "c"]);
});
