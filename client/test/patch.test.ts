import { expect, test } from "vitest";
import { patched } from "../src/patch";

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
