/** The shapes everything is cut from. Signs live in a box of −10 … 10, numerals in 20 × 32, tiles in −50 … 50. */

export type Colour = "r" | "b" | "t" | "y";
export const COLOURS: readonly Colour[] = ["r", "b", "t", "y"];
export const PAPER: Record<Colour, string> = { r: "red", b: "blue", t: "turquoise", y: "yellow" };

export type Point = readonly [number, number];

export function polar(radius: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** Flame, drop, leaf, sun. */
export const SIGN: Record<Colour, string> = {
  r: "M1-10.4C1.2-7 3.7-5.2 4.7-2.8 5.3-3.4 5.7-4.2 5.8-5.4 7.6-2.8 8.7-.2 8.7 2.6 8.7 7.1 5 10.2 0 10.2-5 10.2-8.7 7.1-8.7 2.6-8.7-.5-7.3-3.6-5.3-6-5-4.2-4.5-3.1-3.5-2.3-3.2-5.7-1.8-8.5 1-10.4Z",
  b: "M0-10.8C1.7-6.8 7.3-1.8 7.3 3.2 7.3 7.3 4.1 10.2 0 10.2-4.1 10.2-7.3 7.3-7.3 3.2-7.3-1.8-1.7-6.8 0-10.8Z",
  t: "M9.6-9.8C10.4-1 7.8 8-2 8-3.6 8-4.8 7.6-5.6 7L-8.6 10.2-10 8.8-6.8 5.6C-9.4-1.2-4.2-9 9.6-9.8Z",
  y: sun(),
};

/** A disc with eight pointed rays, one outline. */
function sun(): string {
  const points = Array.from({ length: 32 }, (_, i) => {
    const part = i % 4; // 0 the tip of a ray, 2 the valley between two, 1 and 3 the feet of a ray
    const radius = part === 0 ? 10.6 : part === 2 ? 5.9 : 6.3;
    const lean = part === 1 ? 3 : part === 3 ? -3 : 0;
    return polar(radius, i * 11.25 - 90 + lean).map((value) => value.toFixed(2)).join(" ");
  });
  return `M${points.join("L")}Z`;
}

/** Digits as strokes of our own, so that they look the same whatever fonts there are. */
export const NUMERAL: Record<number, string> = {
  1: "M4 8 11.5 2V30",
  2: "M2.5 9.5C2.5 5 5.8 2 10 2 14.5 2 17.5 5 17.5 9.2 17.5 13 15.2 15.8 11.4 19.6L2.5 29.8H18",
  3: "M3 6.2C4.4 3.5 7 2 10 2 14.2 2 17 4.6 17 8.5 17 12.4 14.2 15 9.4 15 14.6 15 18 18 18 22.4 18 27 14.6 30 9.8 30 6.3 30 3.4 28.4 2 25.4",
  4: "M13.6 30V2L2 21.8H19",
  5: "M16.4 2H5.4L4 14.4C5.8 12.8 8 12 10.2 12 14.8 12 18 15.6 18 20.9 18 26.3 14.6 30 9.6 30 6.2 30 3.5 28.5 2 26",
  6: "M14.6 2C7.6 5 2.5 11.8 2.5 20.4 2.5 26.4 5.8 30 10.3 30 14.8 30 18 26.6 18 22 18 17.5 14.8 14.3 10.6 14.3 6.4 14.3 3 17 2.5 20.8",
  7: "M2.5 2H18L8.4 30",
};

/** Where one to four signs sit on a task's plate of radius 20, and how large they are. */
export const CLUSTER: Record<number, { scale: number; at: readonly Point[] }> = {
  1: { scale: 1.2, at: [[0, 0]] },
  2: { scale: 0.86, at: [[-9.1, 0], [9.1, 0]] },
  3: { scale: 0.82, at: [[0, -8.8], [-9, 6.6], [9, 6.6]] },
  4: { scale: 0.76, at: [[-7.9, -7.9], [7.9, -7.9], [-7.9, 7.9], [7.9, 7.9]] },
};

/** The number is top left; tasks follow clockwise from the top right. */
const C = 24.2;
export const CORNER: Record<number, readonly Point[]> = {
  0: [],
  1: [[C, -C]],
  2: [[C, -C], [-C, C]],
  3: [[C, -C], [C, C], [-C, C]],
};

/** The paper's own sign takes the free corner, or the middle when there is none: x, y, scale. */
export const OWN_SIGN: Record<number, readonly [number, number, number]> = {
  0: [10, 10, 2.5],
  1: [22, 22, 1.85],
  2: [22.5, 22.5, 1.85],
  3: [0, 0, 1.14],
};

export const STAR = "M0-7Q.9-.9 7 0 .9.9 0 7-.9.9-7 0-.9-.9 0-7Z";
export const CRESCENT = "M2.6-8.2A8.4 8.4 0 1 0 8.2 3.4 7 7 0 0 1 2.6-8.2Z";

const cards = new Map<string, string>();

/** A tile's card; cut once, however often it is drawn. */
export function card(id: string): string {
  let cut = cards.get(id);
  if (cut === undefined) cards.set(id, (cut = outline(id)));
  return cut;
}

/** Hand-cut card: a rounded square whose corners stray by less than a unit, always the same way for the same tile. */
export function outline(id: string, half = 47, radius = 11): string {
  const seed = [...id].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9973, 7);
  const stray = (i: number) => (((seed * (i * 37 + 11)) % 17) / 17) * 1.5 - 0.75;
  const square: Point[] = [[-half, -half], [half, -half], [half, half], [-half, half]];
  const corners = square.map(([x, y], i): Point => [x + stray(i), y + stray(i + 4)]);
  const parts = corners.map((corner, i) => {
    const from = toward(corner, corners[(i + 3) % 4]!, radius);
    const to = toward(corner, corners[(i + 1) % 4]!, radius);
    return `${i ? "L" : "M"}${show(from)}Q${show(corner)} ${show(to)}`;
  });
  return `${parts.join("")}Z`;
}

function toward([ax, ay]: Point, [bx, by]: Point, step: number): Point {
  const length = Math.hypot(bx - ax, by - ay);
  return [ax + ((bx - ax) / length) * step, ay + ((by - ay) / length) * step];
}

function show([x, y]: Point): string {
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}

/** The lit part of the moon on space 0 (new) to 23; 12 is full. Waxing moons are lit on the right. */
export function litMoon(space: number, r: number): string {
  if (space === 0) return "";
  const bulge = Math.cos((2 * Math.PI * space) / 24);
  const waxing = space < 12;
  const limb = waxing ? 1 : 0;
  const back = bulge > 0 === waxing ? 0 : 1;
  return `M0 ${-r}A${r} ${r} 0 0 ${limb} 0 ${r}A${(Math.abs(bulge) * r).toFixed(2)} ${r} 0 0 ${back} 0 ${-r}Z`;
}

/** A paper hill's edge across a width, for the dunes at the foot of a sheet. */
export function dune(width: number, height: number, level: number, swell: number, waves: number, phase: number): string {
  const steps = 24;
  const edge = Array.from({ length: steps + 1 }, (_, i) => {
    const along = i / steps;
    const wave = Math.sin(along * waves + phase) + 0.35 * Math.sin(along * waves * 2.1 + phase * 1.7);
    return `L${(along * width).toFixed(1)} ${(height * level - height * swell * wave).toFixed(1)}`;
  });
  return `M0 ${height}${edge.join("")}L${width} ${height}Z`;
}
