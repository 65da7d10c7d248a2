/** Where everything lies: the trail and its craters, the lander, every astronaut. Numbers in CSS pixels; no rules. */
import type { Piece } from "../../play/frame";
import type { MoonLeapPawn, MoonLeapView } from "./view";

export interface Point {
  x: number;
  y: number;
}
export interface Spot extends Point {
  a: number; // the direction in which one travels there, in radians
}
export interface Box extends Point {
  w: number;
  h: number;
}

/** The rows of the trail, joined by half circles, and everything that is measured by a crater's radius. */
export interface Trail {
  rows: readonly number[]; // y of each row's start, the first row first
  gap: number;
  r: number; // a crater's radius
  big: number; // one of the last three's
  band: number; // how wide the strip of paper is
  count: number; // how many craters
  outline: string; // the whole strip's middle line, as a path
  lander: Box; // where those stand who wait
  /** Where a crater is; halves lie between two. */
  at(space: number): Spot;
  /** The piece of the strip between two craters, as a path. */
  slice(from: number, to: number): string;
  /** The way between two craters, so far to the left in the direction of travel. */
  beside(from: number, to: number, far: number): Point[];
}

export const GOALS = 3; // the last craters are larger, and the match ends with them
const BIG = 1.38;
const BAND = 2.48;
const UNITS = { plain: 1, first: 1.22, goal: 1.38 }; // steps between middles: large craters need more room
const SMALLEST_BADGE = 22; // below it a number would be under 12 px
export const FINGER = 42; // pixels that a fingertip needs
const CREW = 5; // how many may wait side by side

interface Measures {
  rows: number;
  narrow: boolean;
  r: number;
  gap: number;
  rise: number;
  left: number;
  right: number;
  start: number;
  bottom: number; // y of the first row
  lander: number; // its width
  length: number;
}

/** The trail that fits a box with the largest craters. */
export function layTrail(box: Box, count: number, narrow: boolean): Trail {
  const tried = [2, 3, 4, 5, 6, 7, 8, 9].map((rows) => measure(box, count, rows, narrow));
  return drawTrail(tried.reduce((best, one) => (one.r > best.r + 0.4 ? one : best)), count);
}

function units(space: number, count: number): number {
  const plain = Math.min(space, count - GOALS) - 1;
  const goals = Math.max(0, space - (count - GOALS));
  return plain * UNITS.plain + (goals > 0 ? UNITS.first + (goals - 1) * UNITS.goal : 0);
}

/** How large the craters get on so many rows: margins depend on the radius, so it is approached step by step. */
function measure(box: Box, count: number, rows: number, narrow: boolean): Measures {
  const side = narrow ? 8 : Math.max(20, box.w * 0.022);
  let found = { rows, narrow, r: 20, gap: 0, rise: 0, left: 0, right: 0, start: 0, bottom: 0, lander: 0, length: 0 };
  for (let i = 0; i < 24; i++) {
    const { r } = found;
    const rise = narrow ? 0 : 0.36 * r;
    const top = box.y + (narrow ? 46 + 2.05 * r : 56 + 2.9 * r);
    const bottom = box.y + box.h - (narrow ? 26 + 1.75 * r : 22 + 2.5 * r);
    const gap = (bottom - top - rise) / (rows - 1);
    const bend = (gap - rise) / 2;
    const left = box.x + side + (BAND / 2) * r + bend;
    const right = box.x + box.w - side - (BAND / 2) * r - bend - (narrow ? 0 : 0.4 * r);
    const lander = Math.max(5.4 * r, CREW * SMALLEST_BADGE + 4);
    const edge = narrow ? Math.max(4, FINGER / 2 - lander / CREW / 2) : side * 0.7; // a finger finds the first who wait
    const start = box.x + edge + lander + (narrow ? 0.15 : 0.3) * r + (BAND / 2) * r;
    const length = rows * (right - left) - (start - left) + (rows - 1) * Math.PI * bend;
    const fits = right - start > 2 * r ? Math.min((length / units(count, count)) * 0.432, gap / 4.2) : 4;
    found = { rows, narrow, r: (r + Math.max(4, fits)) / 2, gap, rise, left, right, start, bottom, lander, length };
  }
  return found;
}

function drawTrail(m: Measures, count: number): Trail {
  const points = middleLine(m);
  const lengths = [0];
  for (let i = 1; i < points.length; i++) lengths.push(lengths[i - 1]! + distance(points[i - 1]!, points[i]!));
  const step = lengths.at(-1)! / units(count, count);

  function along(length: number): Spot {
    const found = lengths.findIndex((reached) => reached >= length);
    const i = found < 1 ? (length <= 0 ? 1 : points.length - 1) : found;
    const [a, b] = [points[i - 1]!, points[i]!];
    const t = (length - lengths[i - 1]!) / (lengths[i]! - lengths[i - 1]!);
    return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, a: Math.atan2(b.y - a.y, b.x - a.x) };
  }
  const known = new Map<number, Spot>();
  function at(space: number): Spot {
    let spot = known.get(space);
    if (!spot) {
      const [low, part] = [Math.floor(space), space % 1];
      const here = units(low, count);
      known.set(space, (spot = along((here + part * (units(low + 1, count) - here)) * step)));
    }
    return spot;
  }
  function beside(from: number, to: number, far: number): Point[] {
    const steps = Math.ceil((to - from) * 12);
    return Array.from({ length: steps + 1 }, (_, i) => {
      const { x, y, a } = at(from + ((to - from) * i) / steps);
      return { x: x + Math.sin(a) * far, y: y - Math.cos(a) * far };
    });
  }
  const slice = (from: number, to: number): string => path(beside(from, to, 0));

  const rows = Array.from({ length: m.rows }, (_, i) => m.bottom - i * m.gap);
  const height = Math.max(m.gap - (BAND / 2) * m.r + (m.narrow ? 1.5 : 0.9) * m.r, 4 * (SMALLEST_BADGE - 1));
  const foot = m.bottom + (m.narrow ? 1.5 : 1.15) * m.r;
  const lander = { x: m.start - (BAND / 2) * m.r - (m.narrow ? 0.15 : 0.3) * m.r - m.lander, y: foot - height, w: m.lander, h: height };
  return { rows, gap: m.gap, r: m.r, big: BIG * m.r, band: BAND * m.r, count, outline: path(points), lander, at, slice, beside };
}

/** Rows that rise a little and sway, so that they do not look ruled, and the bends between them. */
function middleLine(m: Measures): Point[] {
  const points: Point[] = [];
  const sway = (m.narrow ? 0.13 : 0.24) * m.r;
  for (let row = 0; row < m.rows; row++) {
    const east = row % 2 === 0;
    const from = row === 0 ? m.start : east ? m.left : m.right;
    const to = east ? m.right : m.left;
    const y = m.bottom - row * m.gap;
    for (let i = 0; i <= 120; i++) {
      const t = i / 120;
      const wave = Math.sin(t * 2 * Math.PI) * Math.sin(t * Math.PI) * (east ? 1 : -1);
      points.push({ x: from + (to - from) * t, y: y - m.rise * t + sway * wave });
    }
    if (row === m.rows - 1) break;
    const bend = (m.gap - m.rise) / 2;
    for (let i = 1; i < 60; i++) {
      const angle = Math.PI / 2 - (Math.PI * i) / 60;
      points.push({ x: to + (east ? 1 : -1) * Math.cos(angle) * bend, y: y - m.rise - bend + Math.sin(angle) * bend });
    }
  }
  return points;
}

/** An astronaut's piece: the same element wherever the astronaut goes. */
export interface AstronautPiece extends Piece {
  pawn: MoonLeapPawn;
}

export function isGoal(trail: Trail, space: number): boolean {
  return space > trail.count - GOALS;
}

/** A crater's radius. */
export function radius(trail: Trail, space: number): number {
  return isGoal(trail, space) ? trail.big : trail.r;
}

export function pieces(view: MoonLeapView, trail: Trail, front: number): AstronautPiece[] {
  const waiting = rack(view, trail, front);
  return view.pawns.map((pawn) => {
    const place = pawn.space === 0 ? waiting.get(pawn.id)! : onTrail(trail, pawn.space);
    return { ...place, id: pawn.id, z: Math.round(place.y), pawn };
  });
}

export function onTrail(trail: Trail, space: number): Point & { size: number } {
  const { x, y } = trail.at(space);
  return { x, y: y - 0.05 * trail.r, size: isGoal(trail, space) ? 2.05 * trail.r : 1.64 * trail.r };
}

/** Those who wait stand before the lander, a row a seat, the front seat's nearest; a few share one row and are larger. */
export function rack(view: MoonLeapView, trail: Trail, front: number): Map<string, Point & { size: number }> {
  const { lander, r } = trail;
  const waiting = view.pawns.filter((pawn) => pawn.space === 0);
  const seats = [...new Set(waiting.map((pawn) => pawn.seat))].sort((a, b) => Number(a === front) - Number(b === front) || a - b);
  const rows = waiting.length <= 4 ? [waiting] : seats.map((seat) => waiting.filter((pawn) => pawn.seat === seat));
  const longest = Math.max(...rows.map((row) => row.length), 2);
  const across = Math.min(lander.w / longest, 2.05 * r);
  const down = Math.min(lander.h / rows.length, 1.95 * r);
  const size = Math.min(across, down) * 0.94;
  const places = new Map<string, Point & { size: number }>();
  rows.forEach((row, i) =>
    row.forEach((pawn, j) =>
      places.set(pawn.id, {
        x: lander.x + lander.w / 2 + (j - (row.length - 1) / 2) * across,
        y: lander.y + lander.h - (rows.length - i - 0.5) * down,
        size: Math.max(size, SMALLEST_BADGE),
      }),
    ),
  );
  return places;
}

/** A leap's way through the air. */
export interface Arc {
  d: string;
  end: Point;
  angle: number; // in which direction it lands, in degrees
  on(t: number): Point;
  inside: boolean; // it crosses the inside of a bend
  top: number; // -1: it goes up and over, 1: it hangs below
}

export interface ArcStyle {
  side?: 1 | -1; // -1: mirrored below
  lift?: number;
  spread?: number;
}

/** Up and over on a straight, across the inside of a bend. */
function arc(trail: Trail, from: Spot | Point, to: Spot, target: number, { side = 1, lift = 1, spread = 0 }: ArcStyle = {}): Arc {
  const start: Spot = "a" in from ? from : { ...from, a: to.a };
  const length = distance(start, to);
  const bend = Math.atan2(Math.sin(to.a - start.a), Math.cos(to.a - start.a)) || 1e-6;
  const inside = Math.abs(bend) > 1.45;
  const hairpin = Math.abs(bend) > 2.5;
  const towards = Math.sign(bend);
  const leave = (spot: Spot, lean: number): Point =>
    inside
      ? unit(-Math.sin(spot.a) * towards - lean * Math.cos(spot.a), Math.cos(spot.a) * towards - lean * Math.sin(spot.a))
      : { x: 0, y: -side };
  const [na, nb] = [leave(start, 0), leave(to, spread ? -spread : hairpin ? 0.9 : 0)];
  const [ra, rb] = [trail.r, radius(trail, target)].map((r) => r * (inside ? 1.02 : 0.98)) as [number, number];
  const height = inside ? length * 0.34 : Math.min(trail.r * 0.7 + length * 0.3, (trail.gap - trail.band) * 0.98) * lift;
  const A = { x: start.x + na.x * ra, y: start.y + na.y * ra };
  const B = { x: to.x + nb.x * rb, y: to.y + nb.y * rb };
  const shift = inside ? 0 : length * 0.2 * Math.sign(to.x - start.x);
  let C = { x: A.x + na.x * height + shift, y: A.y + na.y * height };
  let D = { x: B.x + nb.x * height - shift, y: B.y + nb.y * height };
  if (inside && !hairpin) {
    const det = na.x * -nb.y + na.y * nb.x || 1e-6;
    const reach = Math.max(0.2 * trail.r, Math.min(((B.x - A.x) * -nb.y + (B.y - A.y) * nb.x) / det, length));
    const corner = { x: A.x + na.x * reach, y: A.y + na.y * reach };
    C = mix(A, corner, 0.8);
    D = mix(B, corner, 0.8);
  }
  const on = (t: number): Point => mix(mix(mix(A, C, t), mix(C, D, t), t), mix(mix(C, D, t), mix(D, B, t), t), t);
  const angle = (Math.atan2(B.y - D.y, B.x - D.x) * 180) / Math.PI;
  return { d: `M${show(A)}C${show(C)} ${show(D)} ${show(B)}`, end: B, angle, on, inside, top: inside ? Math.sign(nb.y) : -side };
}

/** A far leap, round one bend and more: along the edge of the trail. `far` keeps two of them apart. */
function flight(trail: Trail, waiting: Point, leap: { from: number; to: number }, far = 1): Arc {
  const edge = trail.band / 2 + trail.r * 0.17 * far;
  const way = trail.beside(Math.max(leap.from, 1) + 0.5, leap.to - 0.5, edge);
  const left = (space: number, offset: number): Point => {
    const { x, y, a } = trail.at(space);
    return { x: x + Math.sin(a) * offset, y: y - Math.cos(a) * offset };
  };
  const [corner, end] = [left(leap.to, edge), left(leap.to, radius(trail, leap.to) * 0.98)];
  const up = { x: waiting.x, y: waiting.y - trail.r };
  const [begin, rise] = leap.from === 0 ? [up, { x: up.x, y: left(1, edge).y }] : [left(leap.from, trail.r), left(leap.from, edge)];
  const d = `M${show(begin)}Q${show(rise)} ${path(way).slice(1)}Q${show(corner)} ${show(end)}`;
  const angle = (Math.atan2(end.y - corner.y, end.x - corner.x) * 180) / Math.PI;
  const on = (t: number): Point => way[Math.round(t * (way.length - 1))]!;
  return { d, end, angle, on, inside: false, top: -1 };
}

/** The way of a leap: over the others on a straight or across one bend, along the trail if it is far. */
export function wayOf(trail: Trail, leap: { from: number; to: number }, waiting: Point, style: ArcStyle = {}): Arc {
  const to = trail.at(leap.to);
  const from = leap.from === 0 ? waiting : trail.at(leap.from);
  const near = leap.to - leap.from <= 4 || Math.abs(from.y - to.y) < trail.gap * 0.45;
  return near ? arc(trail, from, to, leap.to, style) : flight(trail, waiting, leap, style.side === -1 ? 2 : 1);
}

export function path(points: readonly Point[]): string {
  return "M" + points.map(show).join("L");
}

export function show({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function mix(a: Point, b: Point, t: number): Point {
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
}

function unit(x: number, y: number): Point {
  const length = Math.hypot(x, y) || 1;
  return { x: x / length, y: y / length };
}
