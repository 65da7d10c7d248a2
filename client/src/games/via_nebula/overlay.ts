/** What is drawn above the pieces on the map, in the map's own units. */
import { smooth, type Grid, type Point } from "./hexes";
import { halfOf } from "./hexes";
import { findHex, type View } from "./sentences";

/** A resource's way over these hexes, as an SVG path. It stops short of what lies at either end. */
export function trail(view: View, grid: Grid, hexes: readonly string[]): string {
  const centres = hexes.map((id) => grid.centre(findHex(view, id)!));
  const last = centres.length - 1;
  const gap = last === 1 ? 64 : 80;
  return smooth([toward(centres[0]!, centres[1]!, gap), ...centres.slice(1, -1), toward(centres[last]!, centres[last - 1]!, gap)]);
}

/** Where the crescents of a hint lie: above what it names. */
export function hintMarks(view: View, grid: Grid, hinted: ReadonlySet<string>): { id: string; x: number; y: number }[] {
  return view.hexes.flatMap((hex) => {
    const [x, y] = grid.centre(hex);
    const words = hex.places.length ? hex.places.map(({ id }) => id) : [hex.id];
    return words.filter((id) => hinted.has(id)).map((id) => ({ id, x: x + 52, y: y + { all: -52, a: -60, b: 22 }[halfOf(hex, id)] }));
  });
}

function toward(from: Point, to: Point, by: number): Point {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  return [from[0] + ((to[0] - from[0]) * by) / length, from[1] + ((to[1] - from[1]) * by) / length];
}
