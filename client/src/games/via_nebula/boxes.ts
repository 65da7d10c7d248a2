/** Boxes of the board's area, in its pixels. */

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A box as an element's style, in the coordinates of what has its corner at `corner`. */
export function boxStyle(box: Box, corner: { x: number; y: number } = { x: 0, y: 0 }): string {
  return `left:${box.x - corner.x}px;top:${box.y - corner.y}px;width:${box.w}px;height:${box.h}px`;
}

/** n boxes side by side. */
export function columns(box: Box, n: number, gap: number): Box[] {
  const w = (box.w - (n - 1) * gap) / n;
  return Array.from({ length: n }, (_, i) => ({ x: box.x + i * (w + gap), y: box.y, w, h: box.h }));
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

export const middle = (box: Box): { x: number; y: number } => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 });
