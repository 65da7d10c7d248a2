import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

let items: Map<string, string>;
beforeEach(() => {
  vi.resetModules();
  items = new Map();
  const store = { getItem: (key: string) => items.get(key) ?? null, setItem: (key: string, value: string) => void items.set(key, value), removeItem: (key: string) => void items.delete(key) };
  vi.stubGlobal("localStorage", store);
});
afterEach(() => vi.unstubAllGlobals());

/** As after a reload: only what was written is left. */
const page = () => (vi.resetModules(), import("../src/dice/seen"));

describe("what a browser saw of a match", () => {
  test("is kept over a reload, as far as it goes without a gap", async () => {
    const { see, seenOf } = await page();
    see("m1", 0, ["roll 1", "go a"]);
    see("m1", 2, ["roll 3"]);
    see("m1", 9, ["go z"]);
    expect(seenOf("m1")).toEqual(["roll 1", "go a", "roll 3"]);
    expect((await page()).seenOf("m1")).toEqual(["roll 1", "go a", "roll 3"]);
    expect(seenOf("m2")).toEqual([]);
  });

  test("stays, whatever is shown later in its place", async () => {
    const { see, seenOf } = await page();
    see("m1", 0, ["roll 1"]);
    see("m1", 0, ["roll 6", "go a"]);
    expect(seenOf("m1")).toEqual(["roll 1", "go a"]);
    const { see: seeAgain, seenOf: seenAgain } = await page();
    seeAgain("m1", 0, ["roll 6"]);
    seeAgain("m1", 1, ["go b", "roll 2"]);
    expect(seenAgain("m1")).toEqual(["roll 1", "go a", "roll 2"]);
  });

  test("of the oldest matches is forgotten", async () => {
    const { see, seenOf } = await page();
    for (let i = 0; i < 70; i++) {
      see(`m${i}`, 0, ["roll 1"]);
      seenOf(`m${i}`);
    }
    expect(seenOf("m9")).toEqual([]);
    expect(seenOf("m10")).toEqual(["roll 1"]);
    expect(items.size).toBe(61);
  });

  test("is nothing where storage is blocked or damaged", async () => {
    items.set("plenilune.seen", "{");
    const { see, seenOf } = await page();
    see("m1", 0, ["roll 1"]);
    expect(seenOf("m1")).toEqual(["roll 1"]);
    vi.stubGlobal("localStorage", undefined);
    see("m1", 1, ["roll 2"]);
    expect(seenOf("m1")).toEqual([]);
  });
});

describe("a record that is compared with it", () => {
  const record = ["deal sun moon", "go a.1", "roll 4"];
  test.each<[string, readonly string[], number | null]>([
    ["has the same", record, null],
    ["goes on after it", ["deal sun moon"], null],
    ["has what was hidden then", ["deal ?", "go a.1"], null],
    ["has what was hidden then, word by word", ["deal ? ?"], null],
    ["has another roll", ["deal sun moon", "go a.1", "roll 6"], 2],
    ["has another action, which is no pattern", ["deal sun moon", "go aX1"], 1],
    ["hides an action of another kind", ["draw ?"], 0],
    ["ends before it", [...record, "go b"], 3],
  ])("%s", async (_, seen, found) => expect((await page()).difference(seen, record)).toBe(found));
});
