import { afterEach, expect, test, vi } from "vitest";
import { keep, recall } from "../src/play/table/unfinished";

afterEach(() => vi.unstubAllGlobals());

function storing(text: string | null): Map<string, string> {
  const items = new Map(text === null ? [] : [["plenilune.unfinished", text]]);
  vi.stubGlobal("sessionStorage", { getItem: (key: string) => items.get(key) ?? null, setItem: (key: string, value: string) => items.set(key, value) });
  return items;
}

test("an unfinished turn is kept for its match and ply", () => {
  storing(null);
  keep("m1", 7, ["take 2"]);
  expect(recall("m1", 7)).toEqual(["take 2"]);
  expect(recall("m1", 8)).toEqual([]);
  expect(recall("m2", 7)).toEqual([]);
});

test.each(["null", "7", "{", '{"match":"m1","ply":7}', '{"match":"m1","ply":7,"actions":"take 2"}', '{"match":"m1","ply":7,"actions":[2]}'])("a damaged one is none: %s", (text) => {
  storing(text);
  expect(recall("m1", 7)).toEqual([]);
});
