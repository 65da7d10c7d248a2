/** Shapes that are drawn in several places. */
import type { Box, Point, Trail } from "./places";
import { show } from "./places";

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
