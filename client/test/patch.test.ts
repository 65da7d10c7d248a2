import { expect, test } from "vitest";
import { followed, patched } from "../src/patch";

test("a patch changes what it names and shares the rest", () => {
  const old = { moon: 1, wheel: [{ id: "a" }, { id: "b" }], track: [1, 2] };
  const fresh = patched(old, { moon: [2], wheel: { "1": { id: ["c"] } } }) as typeof old;
  expect(fresh).toEqual({ moon: 2, wheel: [{ id: "a" }, { id: "c" }], track: [1, 2] });
  expect(fresh.track).toBe(old.track);
  expect(old.wheel[1]!.id).toBe("b");
});

test("a list of another length is put in place whole", () => {
  expect(patched({ supply: ["a", "b"] }, { supply: [["b"]] })).toEqual({ supply: ["b"] });
});

test("a change brings new fields and single places of lists, and leaves the old view alone", () => {
  const old = { moon: 1, wheel: ["a", "b", "c"], track: [1, 2] };
  const fresh = followed(old, { view: { moon: 2 } as never, parts: { wheel: { "0": null, "2": "d" } } });
  expect(fresh).toEqual({ moon: 2, wheel: [null, "b", "d"], track: [1, 2] });
  expect(fresh.track).toBe(old.track);
  expect(old.wheel).toEqual(["a", "b", "c"]);
});
