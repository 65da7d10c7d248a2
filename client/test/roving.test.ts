import { expect, test } from "vitest";
import { nearest } from "../src/play/table/roving";

const grid = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => ({ x: 100 * x, y: 100 * y })));
const from = { x: 100, y: 100 };

test("arrows go to the neighbour in that direction", () => {
  expect(grid[nearest(from, grid, [1, 0])]).toEqual({ x: 200, y: 100 });
  expect(grid[nearest(from, grid, [-1, 0])]).toEqual({ x: 0, y: 100 });
  expect(grid[nearest(from, grid, [0, -1])]).toEqual({ x: 100, y: 0 });
});

test("what lies a little aside is found when nothing lies straight ahead", () => {
  expect(nearest(from, [{ x: 180, y: 160 }], [1, 0])).toBe(0);
});

test("what lies behind or far aside is not in that direction", () => {
  expect(nearest(from, [{ x: 40, y: 100 }, { x: 110, y: 400 }], [1, 0])).toBe(-1);
});
