/** Shapes that several drawings share. */
export type Point = readonly [number, number];

export const at = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** A polygon with round corners. */
export function rounded(points: readonly Point[], r: number): string {
  const n = points.length;
  const towards = ([x, y]: Point, [a, b]: Point): string => {
    const length = Math.hypot(a - x, b - y);
    return at(x + ((a - x) * r) / length, y + ((b - y) * r) / length);
  };
  return (
    points
      .map((p, i) => `${i ? "L" : "M"}${towards(p, points[(i + n - 1) % n]!)}Q${at(...p)} ${towards(p, points[(i + 1) % n]!)}`)
      .join("") + "Z"
  );
}

/** Repeatable randomness for scattered things. */
function scatter(seed: number): () => number {
  let s = seed;
  return () => (s = (s * 16807) % 2147483647) / 2147483647;
}

export interface Star {
  x: number;
  y: number;
  r: number;
  o: number;
}
export function stars(n: number, width: number, height: number, seed = 4111): Star[] {
  const random = scatter(seed);
  return Array.from({ length: n }, () => {
    const r = random();
    return { x: Math.round(random() * width), y: Math.round(random() * height), r: 0.5 + r * 0.9, o: 0.25 + r * 0.6 };
  });
}

/** The upper edge of a hill of cut paper, closed below. */
export function hill(width: number, y: number, amplitude: number, seed: number, bottom: number): string {
  let d = `M-20 ${bottom + 20}L-20 ${y}`;
  for (let x = -20; x <= width + 20; x += 8) {
    const u = x / width;
    const wave = Math.sin(u * 5 + seed) + 0.4 * Math.sin(u * 13 + seed * 2.1) + 0.14 * Math.sin(u * 34 + seed * 3);
    d += `L${x} ${(y + amplitude * wave).toFixed(1)}`;
  }
  return `${d}L${width + 20} ${bottom + 20}Z`;
}
