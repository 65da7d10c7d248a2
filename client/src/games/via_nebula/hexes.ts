/** Where hexes lie: names, neighbours, and the drawing's own geometry, in which a hex has a side of 100. */

export const SIDE = 100;
const WIDTH = Math.sqrt(3) * SIDE;
export const APOTHEM = WIDTH / 2;
const COLUMNS = "abcdefghijklmnopqrstuvwxyz";

export type Point = readonly [number, number];
export interface Spot {
  id: string;
  column: number;
  row: number; // 1 is the top row; even rows lie half a hex to the right
}

export const hexName = (column: number, row: number): string => (COLUMNS[column] ?? "?") + row;

/** The hex of a hex or a place: `e1b` lies on `e1`. */
export const hexOf = (word: string): string => word.replace(/^([a-z]\d+)[ab]$/, "$1");
export const isHex = (word: string): boolean => /^[a-z]\d+$/.test(word);
export const isPlace = (word: string): boolean => /^[a-z]\d+[ab]$/.test(word);

/** The six hexes around, in the order east, south-east, south-west, west, north-west, north-east, whether they exist or not. */
export function around({ column, row }: Spot): string[] {
  const d = row % 2 ? -1 : 0;
  return [
    hexName(column + 1, row),
    hexName(column + d + 1, row + 1),
    hexName(column + d, row + 1),
    hexName(column - 1, row),
    hexName(column + d, row - 1),
    hexName(column + d + 1, row - 1),
  ];
}

/**
 * The valley, lying or turned a quarter: on a screen that is higher than wide column a is on top and row 1 on the right.
 * Everything drawn on a hex stays upright.
 */
export class Grid {
  constructor(readonly turned: boolean) {}

  centre({ column, row }: Spot): Point {
    const x = (column + (row % 2 ? 0 : 0.5)) * WIDTH;
    const y = (row - 1) * 1.5 * SIDE;
    return this.turned ? [12 * SIDE - y, x] : [x, y];
  }

  /** The way to the neighbour number k, of length 1. */
  way(k: number): Point {
    return polar(60 * k + (this.turned ? 90 : 0), 1);
  }

  /** The corner between side k and side k + 1. */
  corner(k: number, side = SIDE): Point {
    return polar(60 * k + 30 + (this.turned ? 90 : 0), side);
  }

  hex(side: number, [x, y]: Point = [0, 0]): string {
    return points(SIX.map((k) => this.corner(k, side)).map((p) => [p[0] + x, p[1] + y]));
  }

  /** One half of a ruin, above (a) or below (b) the middle; all of it where a ruin has one place. */
  half(which: Half, grow = 0, [x, y0]: Point = [0, 0]): string {
    const g = 86 + grow;
    if (which === "all") return this.hex(g, [x, y0]);
    const y = 4 - grow * 0.6;
    const lower: Point[] = this.turned
      ? [[-g * 0.97, y], [-g / 2, g * 0.866], [g / 2, g * 0.866], [g * 0.97, y]]
      : [[-g * 0.866, y], [-g * 0.866, g / 2], [0, g], [g * 0.866, g / 2], [g * 0.866, y]];
    return points(lower.map(([a, b]) => [x + a, y0 + (which === "a" ? -b : b)]));
  }

  /** What the hexes need, with a margin. */
  bounds(spots: readonly Spot[], margin: number): { x: number; y: number; w: number; h: number } {
    const all = spots.map((spot) => this.centre(spot));
    const [mx, my] = this.turned ? [SIDE, APOTHEM] : [APOTHEM, SIDE];
    const xs = all.map((p) => p[0]);
    const ys = all.map((p) => p[1]);
    const x = Math.min(...xs) - mx - margin;
    const y = Math.min(...ys) - my - margin;
    return { x, y, w: Math.max(...xs) + mx + margin - x, h: Math.max(...ys) + my + margin - y };
  }

  /** A hex as a piece of a sheet, drawn in on the sides that end it. `joined` tells by side whether the sheet goes on. */
  piece(spot: Spot, joined: readonly boolean[], inset: number): Point[] {
    const a = joined.map((on) => APOTHEM - (on ? 0 : inset));
    const [cx, cy] = this.centre(spot);
    return SIX.map((k) => {
      const [x1, y1] = this.way(k);
      const [x2, y2] = this.way(k + 1);
      const [p, q] = [a[k]!, a[(k + 1) % 6]!];
      const det = x1 * y2 - x2 * y1;
      return [(p * y2 - q * y1) / det + cx, (x1 * q - x2 * p) / det + cy];
    });
  }
}

export type Half = "a" | "b" | "all";

/** Which half of the hex a place is. */
export function halfOf(hex: { places: readonly unknown[] }, place: string): Half {
  return hex.places.length === 1 ? "all" : place.endsWith("a") ? "a" : "b";
}
export const SIX = [0, 1, 2, 3, 4, 5] as const;

export const short = (n: number): string => (+n.toFixed(1)).toString();
export const points = (list: readonly Point[]): string => list.map((p) => `${short(p[0])} ${short(p[1])}`).join(" ");

/** A soft line through the points. */
export function smooth(p: readonly Point[]): string {
  let d = `M${short(p[0]![0])} ${short(p[0]![1])}`;
  for (let i = 0; i < p.length - 1; i++) {
    const [a, b, c, e] = [p[Math.max(0, i - 1)]!, p[i]!, p[i + 1]!, p[Math.min(p.length - 1, i + 2)]!];
    const one: Point = [b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6];
    const two: Point = [c[0] - (e[0] - b[0]) / 6, c[1] - (e[1] - b[1]) / 6];
    d += `C${points([one, two, c])}`;
  }
  return d;
}

/** A number from 0 to 1 that is always the same for a name: nature looks by chance, but does not change its mind. */
export function chance(name: string, salt = 0): number {
  let h = 2166136261 ^ salt;
  for (const letter of name) h = Math.imul(h ^ letter.charCodeAt(0), 16777619);
  h ^= h >>> 13;
  h = Math.imul(h, 0x5bd1e995);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

function polar(degrees: number, length: number): Point {
  const a = (degrees * Math.PI) / 180;
  return [length * Math.cos(a), length * Math.sin(a)];
}
