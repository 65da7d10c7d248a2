import { expect, test } from "vitest";
import { path, qr } from "../src/qr";

// Read back by an independent reader when it was recorded.
const KNOWN = `
#######.#.#...#######
#.....#.#.#.#.#.....#
#.###.#.##..#.#.###.#
#.###.#...#...#.###.#
#.###.#.#.#.#.#.###.#
#.....#..#.##.#.....#
#######.#.#.#.#######
...........##........
#..########.##..#.###
#####..#..#.#.#.##...
###.###.###..##.#..##
...##..#...#......##.
#.#.###..#....#..#...
........#####..#.#.#.
#######.#.#.######...
#.....#.##.###.####.#
#.###.#.#.###.##.#.##
#.###.#.##.##...#....
#.###.#..#....#..#.##
#.....#..#...##.#.###
#######.####......#..
`;

test("a known text gives its known code", () => {
  const drawn = qr("moon").map((row) => row.map((dark) => (dark ? "#" : ".")).join(""));
  expect(drawn.join("\n")).toBe(KNOWN.trim());
});

test("the code grows with the text and keeps its three corners", () => {
  for (const length of [10, 60, 100, 150, 200]) {
    const modules = qr("x".repeat(length));
    const size = modules.length;
    expect((size - 17) % 4).toBe(0);
    for (const [x, y] of [[0, 0], [size - 7, 0], [0, size - 7]] as const) {
      const corner = modules.slice(y, y + 7).map((row) => row.slice(x, x + 7).map((dark) => (dark ? "#" : ".")).join(""));
      expect(corner).toEqual(["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]);
    }
  }
});

test("what is too long is refused", () => {
  expect(() => qr("x".repeat(300))).toThrow("too long");
});

test("the drawing has a quiet zone", () => {
  expect(path(qr("moon")).size).toBe(21 + 8);
});
