/** Shapes that are drawn in several places. */
import { SHAPES } from "../../frame";
import type { Box, Point, Trail } from "./places";
import { show } from "./places";

/** A polygon with round corners. */
export function rounded(corners: readonly (readonly [number, number])[], r: number): string {
  const steps = corners.map(([x, y], i) => {
    const before = corners.at(i - 1)!;
    const after = corners[(i + 1) % corners.length]!;
    const towards = ([px, py]: readonly [number, number]): Point => {
      const length = Math.hypot(px - x, py - y);
      return { x: x + ((px - x) * r) / length, y: y + ((py - y) * r) / length };
    };
    return `${i ? "L" : "M"}${show(towards(before))}Q${show({ x, y })} ${show(towards(after))}`;
  });
  return steps.join("") + "Z";
}

/** A helmet in each seat's shape, on a grid of −50 … 50: shell, visor, the number's middle, where the aerial stands. */
export const HELMETS = [
  { shell: SHAPES[0]!, visor: "M0-34A34 34 0 1 1 0 34A34 34 0 1 1 0-34Z", y: 0, aerial: [31, -36] },
  { shell: SHAPES[1]!, visor: rounded([[-33, -33], [33, -33], [33, 33], [-33, 33]], 13), y: 0, aerial: [30, -44] },
  { shell: SHAPES[2]!, visor: rounded([[0, -42], [43, 34], [-43, 34]], 17), y: 10, aerial: [12, -36] },
  { shell: SHAPES[3]!, visor: rounded([[0, -47], [47, 0], [0, 47], [-47, 0]], 14), y: 0, aerial: [22, -36] },
] as const;

/** A far range of hills, over the whole width. */
export function ridge(area: Box, y: number, height: number, seed: number): string {
  const f = 1064 / Math.max(area.w, 400);
  const points: string[] = [];
  for (let x = -20; x <= area.w + 20; x += 12) {
    const wave = Math.sin(x * 0.0042 * f + seed) + 0.45 * Math.sin(x * 0.0113 * f + seed * 2.3) + 0.18 * Math.sin(x * 0.031 * f + seed * 5);
    points.push(show({ x, y: y + height * wave }));
  }
  return `M-20 ${area.h + 40}L${points.join("L")}L${area.w + 20} ${area.h + 40}Z`;
}

/** Small pocks in the ground, where the trail leaves room. */
export function pocks(area: Box, trail: Trail, many: number): (Point & { r: number })[] {
  let seed = 20261;
  const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const craters = Array.from({ length: trail.count * 2 - 1 }, (_, i) => trail.at(1 + i / 2));
  const { lander } = trail;
  const found: (Point & { r: number })[] = [];
  for (let i = 0; i < many * 12 && found.length < many; i++) {
    const spot = { x: random() * area.w, y: trail.rows.at(-1)! + random() * (area.h - trail.rows.at(-1)!), r: trail.r * (0.16 + random() * 0.28) };
    const free = craters.every((crater) => Math.hypot(crater.x - spot.x, crater.y - spot.y) > trail.band * 0.62 + spot.r);
    const clear = spot.x > lander.x + lander.w + spot.r || spot.y < lander.y - spot.r;
    if (free && clear) found.push(spot);
  }
  return found;
}

/** Marks beside a figure: dots for likely, a wave for invented, nothing for known. */
export function certaintyMark(certainty: string, width: number): string {
  const height = Math.max(2.2, width * 0.13);
  if (certainty === "invented") return `M${-width / 2} 0q${width / 8} ${-height} ${width / 4} 0t${width / 4} 0t${width / 4} 0t${width / 4} 0`;
  return certainty === "likely" ? `M${-width / 2} 0h${width}` : "";
}
