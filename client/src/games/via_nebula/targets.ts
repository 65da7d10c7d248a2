/** What a finger means on the map. */
import type { ViaNebulaHex } from "./view";
import { halfOf, type Grid, type Point } from "./hexes";

/** So far a finger may come down beside the middle of what it means, in CSS pixels: half of what a fingertip covers. */
export const FINGER = 24;

/** The words of the map that may be chosen, with their middles. The two halves of a ruin count apart only if both may be. */
export function reachable(hexes: readonly ViaNebulaHex[], grid: Grid, may: (word: string) => boolean): [string, Point][] {
  return hexes.flatMap((hex): [string, Point][] => {
    const [x, y] = grid.centre(hex);
    const words = (hex.ground === "ruin" ? hex.places.map(({ id }) => id) : [hex.id]).filter(may);
    return words.map((word) => [word, [x, words.length > 1 ? y + { all: 0, a: -40, b: 40 }[halfOf(hex, word)] : y]]);
  });
}

export function nearestTo(finger: Point, spots: readonly (readonly [string, Point])[], reach: number): string | null {
  const far = ([, [x, y]]: readonly [string, Point]) => Math.hypot(x - finger[0], y - finger[1]);
  const near = spots.reduce<readonly [string, Point] | null>((best, spot) => (best && far(best) <= far(spot) ? best : spot), null);
  return near && far(near) <= reach ? near[0] : null;
}
