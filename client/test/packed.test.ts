import { expect, test } from "vitest";
import type { Manifest } from "../src/rules/manifest";
import { unpacked, type Packed } from "../src/rules/packed";

const PACKED = {
  actions: { pass: [], place: [["b1", ["-2,5", 4, 1, -1]]], deal: [[["1", 3, 1]], ["sun a", "star b"]], carry: [[{ before: "x y", words: ["a", ["1", 2, 1]] }]] },
  tables: [["a", { of: "text" }], { fields: ["id", "worth"], rows: [null, ["sun", 3], ["star", [4]]] }],
  view: {
    size: 9,
    fields: [
      { name: "own", offset: 0, kind: { is: "entry", type: "u8", table: 0 } },
      {
        name: "list",
        offset: 1,
        kind: { is: "several", size: 2, most: 3, item: { is: "part", layout: { size: 2, fields: [of("words", 6, 2)] } } },
      },
      of("text", 0, 3),
      of("verb", 4, 3),
      { name: "card", offset: 0, kind: { is: "entry", type: "u8", table: 1 } },
    ],
  },
};

function of(part: string, first: number, many: number): unknown {
  return { name: part, offset: 0, kind: { is: "entry", type: "u8", table: { of: part, first, many } } };
}

function tables(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(tables);
  if (typeof value !== "object" || value === null) return [];
  return "table" in value ? [value.table] : Object.values(value).flatMap(tables);
}

const whole: Manifest = unpacked(PACKED as unknown as Packed);

test("a manifest that is made whole has every word of a run and of a group", () => {
  const ones = ["1", "2", "3"];
  expect(whole.actions).toEqual({
    pass: [],
    place: [["b1", "-2,5", "-1,4", "0,3", "1,2"]],
    deal: [ones, ["sun a", "star b"]],
    carry: [["x y a", "x y 1", "x y 2"]],
  });
});

test("a manifest that is made whole has the tables of the actions' texts, and its own as they are", () => {
  const own = ["a", { of: "text" }];
  const words = [
    ["1", "sun", "a"],
    ["1", "star", "b"],
  ];
  const cards = [null, { id: "sun", worth: 3 }, { id: "star", worth: [4] }];
  expect(tables(whole.view)).toEqual([own, words, ["pass", "place b1", "place -2,5"], ["place", "place", "deal"], cards]);
});
