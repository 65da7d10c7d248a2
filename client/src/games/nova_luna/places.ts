/** Where everything lies, in CSS pixels of the board's area. No rules: only a view, a size and a little geometry. */
import type { Size } from "../../play/board";
import type { Piece } from "../../play/frame";
import type { NovaLunaLaidTile, NovaLunaTile, NovaLunaView } from "./view";
import { polar, type Colour, type Point } from "./shapes";
import type { Detail, Printed } from "./Tile.svelte";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The wheel's middle, and the side of a slot, by which everything on the wheel is measured. */
export interface Wheel {
  x: number;
  y: number;
  slot: number;
}

/** `column`: the wheel over the others, the sheet beside them; `tall`: the sheet below; `squat`: all side by side. */
type Arrangement = "column" | "tall" | "squat";

export interface Layout {
  arrangement: Arrangement;
  /** How much larger than on a screen of 1440 × 900 things may be. */
  scale: number;
  wheel: Wheel;
  sheet: Box;
  tableau: Box;
  /** The others' cards, the first after the front seat first; in solo one, for the sums. */
  cards: Box[];
  minis: Box[];
  log: Box;
}

// In slots: see also the disc in Wheel.svelte.
export const ACROSS = 6.2;
export const RING = { slots: 2.38, rim: 3.04, hub: 1.64, track: 1.4, band: 0.38, stack: 0.2, hand: 1.18 } as const;
export const SLOTS = 12;
export const SPACES = 24;

const STATUS = { column: 66, tall: 52, squat: 48 } as const;
const BAR = { column: 76, tall: 60, squat: 54 } as const;
const GAP = { column: 14, tall: 6, squat: 6 } as const;
const TAB = 42;
const LOG = 46;
const LEAST_WHEEL = 248; // a slot of 40

export function layout(size: Size, width: number, height: number, cards: number): Layout {
  if (size === "wide") return column(width, height, cards);
  return height > width ? tall(width, height, cards) : squat(width, height, cards);
}

function column(width: number, height: number, cards: number): Layout {
  const scale = Math.max(1, Math.min(width / 1440, height / 844));
  const edge = 24;
  const foot = 20;
  const across = Math.min(0.39 * width, 0.66 * (height - foot));
  const top = across + GAP.column;
  const row: Box = { x: edge, y: top, width: across, height: height - foot - top };
  const left = edge + across + 22;
  const sheet: Box = { x: left, y: 0, width: width - TAB - 18 - left, height: height - foot };
  const log: Box = { x: width - TAB, y: height / 2 - 85, width: TAB, height: 170 };
  const wheel = wheelIn({ x: edge, y: 0, width: across, height: across });
  return together("column", scale, wheel, sheet, beside(row, cards, GAP.column), log);
}

function tall(width: number, height: number, cards: number): Layout {
  const across = Math.max(LEAST_WHEEL, Math.min(width - 90, 0.38 * height));
  const row: Box = { x: across + 10, y: 2, width: width - across - 18, height: across - 4 };
  const sheet: Box = { x: 0, y: across + 6, width, height: height - LOG - across - 6 };
  const log: Box = { x: 0, y: height - LOG, width, height: LOG };
  const wheel = wheelIn({ x: 4, y: 0, width: across, height: across });
  return together("tall", Math.max(1, Math.min(width / 500, 1.5)), wheel, sheet, below(row, cards, GAP.tall), log);
}

function squat(width: number, height: number, cards: number): Layout {
  const across = Math.min(height - 6, 0.44 * width);
  const narrow = Math.min(92, Math.max(76, 0.1 * width));
  const row: Box = { x: across + 8, y: 2, width: narrow, height: height - 8 };
  const left = across + narrow + 14;
  const sheet: Box = { x: left, y: 0, width: width - TAB - 6 - left, height: height - 4 };
  const log: Box = { x: width - TAB, y: height / 2 - 80, width: TAB, height: 160 };
  const wheel = wheelIn({ x: 2, y: (height - across) / 2, width: across, height: across });
  return together("squat", 1, wheel, sheet, below(row, cards, GAP.squat), log);
}

function together(arrangement: Arrangement, scale: number, wheel: Wheel, sheet: Box, cards: Box[], log: Box): Layout {
  const top = STATUS[arrangement];
  const tableau = { ...sheet, y: sheet.y + top, height: sheet.height - top - BAR[arrangement] };
  return { arrangement, scale, wheel, sheet, tableau, cards, minis: cards.map(mini), log };
}

function wheelIn(box: Box): Wheel {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, slot: Math.min(box.width, box.height) / ACROSS };
}

function beside(row: Box, count: number, gap: number): Box[] {
  const width = (row.width - gap * (count - 1)) / count;
  return Array.from({ length: count }, (_, i) => ({ ...row, x: row.x + i * (width + gap), width }));
}

function below(row: Box, count: number, gap: number): Box[] {
  const height = (row.height - gap * (count - 1)) / count;
  return Array.from({ length: count }, (_, i) => ({ ...row, y: row.y + i * (height + gap), height }));
}

/** The height of a card's head: a narrow one has the name over the tokens. */
export function headOf(card: Box): number {
  return card.width < 190 ? (card.height < 110 ? 38 : 44) : 38;
}

function mini(card: Box): Box {
  const head = headOf(card);
  const edge = card.width < 190 ? 6 : 12;
  return { x: card.x + edge, y: card.y + head, width: card.width - 2 * edge, height: card.height - head - edge };
}

// The wheel

export function slotAngle(slot: number): number {
  return -75 + 30 * slot;
}

/** New moon at the bottom, full moon at the top. Works for whole distances too: they go round and round. */
export function spaceAngle(space: number): number {
  return 90 + 15 * space;
}

const TALL = 2; // the height from which on tokens in a stack lie on what is said inside the track

/** Whether tokens lie on what is said beside a space, inside the track. */
export function isCovered(space: number, track: readonly { distance: number; height: number }[]): boolean {
  const apart = (distance: number) => Math.abs(((distance - space + 2.5 * SPACES) % SPACES) - SPACES / 2);
  return track.some(({ distance, height }) => height >= TALL && apart(distance) <= 2);
}

export function slotPlace(slot: number, wheel: Wheel): Point {
  const [x, y] = polar(RING.slots * wheel.slot, slotAngle(slot));
  return [wheel.x + x, wheel.y + y];
}

/** The slots clockwise from the moon: the one behind it comes last. */
export function afterMoon(moon: number): number[] {
  return Array.from({ length: SLOTS - 1 }, (_, i) => (moon + 1 + i) % SLOTS);
}

// Tableaux

export interface Cell {
  x: number;
  y: number;
}

/** A lattice of cells in a box: how large a cell is, and where each lies. */
export interface Grid {
  cell: number;
  box: Box;
  left: number; // the outermost columns and rows that are shown
  right: number;
  bottom: number;
  top: number;
  /** How far it can be moved to each side from its middle: more cells than fit. */
  slack: Point;
  place(x: number, y: number): Point;
  at(px: number, py: number): Cell;
}

interface Fitting {
  margin: number; // in cells, round the outermost tiles
  most: number; // px a cell
  least: number;
}

/** Room for a cell beside every tile, large enough for a finger. */
export const TO_LAY = { margin: 1.08, least: 40 };
/** Nobody chooses a cell here: all of it is to be seen. */
export const TO_SEE = { margin: 0.3, least: 18 };

export function gridFor(tiles: readonly Cell[], box: Box, { margin, most, least }: Fitting, moved: Point = [0, 0]): Grid {
  const cells = tiles.length ? tiles : [{ x: 0, y: 0 }];
  const [left, right] = span(cells.map((cell) => cell.x));
  const [bottom, top] = span(cells.map((cell) => cell.y));
  const columns = right - left + 1 + 2 * margin;
  const rows = top - bottom + 1 + 2 * margin;
  const cell = Math.max(least, Math.min(box.width / columns, box.height / rows, most));
  const slack: Point = [Math.max(0, (columns * cell - box.width) / 2), Math.max(0, (rows * cell - box.height) / 2)];
  const middleX = box.x + box.width / 2 + clamp(moved[0], slack[0]) - ((left + right) / 2) * cell;
  const middleY = box.y + box.height / 2 + clamp(moved[1], slack[1]) + ((bottom + top) / 2) * cell;
  return {
    cell,
    box,
    left,
    right,
    bottom,
    top,
    slack,
    place: (x, y) => [middleX + x * cell, middleY - y * cell],
    at: (px, py) => ({ x: Math.round((px - middleX) / cell), y: Math.round((middleY - py) / cell) }),
  };
}

function span(values: readonly number[]): Point {
  return [Math.min(...values), Math.max(...values)];
}

export function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

/** The free cells that share an edge with a tile; before the first tile, the middle. */
export function freeCells(tiles: readonly Cell[]): Cell[] {
  if (!tiles.length) return [{ x: 0, y: 0 }];
  const taken = new Set(tiles.map(nameOf));
  const free = new Map<string, Cell>();
  for (const tile of tiles) for (const cell of around(tile)) if (!taken.has(nameOf(cell))) free.set(nameOf(cell), cell);
  return [...free.values()];
}

export function around({ x, y }: Cell): Cell[] {
  return [
    { x: x - 1, y },
    { x: x + 1, y },
    { x, y: y - 1 },
    { x, y: y + 1 },
  ];
}

/** As actions write it: `-1,0`. */
export function nameOf({ x, y }: Cell): string {
  return `${x},${y}`;
}

export function cellOf(name: string): Cell {
  const [x = 0, y = 0] = name.split(",").map(Number);
  return { x, y };
}

// Pieces

export interface TilePiece extends Piece {
  tile: Printed;
  seat: number; // whose tokens lie on it
  done: readonly boolean[];
  /** Tokens that are not certain yet: they are there in the shown match and not in the kept one. */
  fresh: readonly boolean[];
  at: "wheel" | "hand" | "front" | "mini";
  vellum: boolean;
  detail: Detail;
  /** What sticks out of the sheet is cut off: an inset as in CSS `clip-path`. */
  clip: string | null;
}

interface Scenery {
  layout: Layout;
  front: number;
  grid: Grid; // the front seat's
}

export function pieces(view: NovaLunaView, kept: NovaLunaView, scenery: Scenery): TilePiece[] {
  const { layout, front } = scenery;
  const others = othersOf(view, front);
  const tokens = keptTokens(kept);
  const laid = view.tableaux.flatMap(({ seat, tiles }) => {
    const grid = seat === front ? scenery.grid : miniGrid(tiles, layout.minis[others.indexOf(seat)]!, layout.scale);
    return tiles.map((tile) => laidPiece(tile, seat, seat === front, grid, tokens));
  });
  return [...wheelPieces(view, layout.wheel), ...handPiece(view, layout.wheel), ...laid];
}

/** The seats that are not in front, the next after it first. */
export function othersOf(view: NovaLunaView, front: number): number[] {
  const seats = view.tableaux.length;
  return Array.from({ length: seats - 1 }, (_, i) => (front + 1 + i) % seats);
}

function miniGrid(tiles: readonly Cell[], box: Box, scale: number): Grid {
  return gridFor(tiles, box, { margin: 0.06, most: 56 * scale, least: 4 });
}

function detailOf(cell: number): Detail {
  return cell >= 44 ? "full" : cell >= 20 ? "pips" : "bare";
}

function wheelPieces(view: NovaLunaView, wheel: Wheel): TilePiece[] {
  return view.wheel.flatMap((tile, slot) => {
    if (!tile) return [];
    const [x, y] = slotPlace(slot, wheel);
    const from = { x: wheel.x, y: wheel.y, size: wheel.slot * 0.7 }; // from the supply in the middle
    return [bare(printed(tile), { x, y, size: wheel.slot, z: 100 + Math.round(y / 10), from, at: "wheel" })];
  });
}

function handPiece(view: NovaLunaView, wheel: Wheel): TilePiece[] {
  if (!view.hand) return [];
  const { x, y, slot } = wheel;
  return [bare(printed(view.hand), { x, y, size: slot * RING.hand, z: 600, at: "hand" })];
}

const NONE: readonly boolean[] = [];

type Placing = Pick<TilePiece, "x" | "y" | "size" | "z" | "from" | "at">;

function bare(tile: Printed, placing: Placing): TilePiece {
  return { id: tile.id, tile, seat: 0, done: NONE, fresh: NONE, vellum: false, detail: "full", clip: null, ...placing };
}

function laidPiece(laid: NovaLunaLaidTile, seat: number, own: boolean, grid: Grid, tokens: Map<string, boolean[]>): TilePiece {
  const [x, y] = grid.place(laid.x, laid.y);
  const before = tokens.get(laid.id);
  const done = laid.tasks.map((task) => task.done);
  const placing: Placing = { x, y, size: grid.cell, z: (before ? 200 : 500) - laid.y, at: own ? "front" : "mini" };
  return {
    ...bare(printed(laid), placing),
    seat,
    done,
    fresh: done.some((there, i) => there && !before?.[i]) ? done.map((there, i) => there && !before?.[i]) : NONE,
    vellum: !before,
    detail: own ? "full" : detailOf(grid.cell),
    clip: own ? clipOf(x, y, grid.cell, grid.box) : null,
  };
}

const known = new Map<string, Printed>();

/** What is printed on it, always the same object for the same tile, so that nothing is redrawn without need. */
export function printed({ id, colour, number, tasks }: NovaLunaLaidTile | NovaLunaTile): Printed {
  let tile = known.get(id);
  if (!tile) {
    const asked = tasks.map((task) => (typeof task === "string" ? task : task.asks));
    known.set(id, (tile = { id, colour: colour as Colour, number, tasks: asked }));
  }
  return tile;
}

function keptTokens(kept: NovaLunaView): Map<string, boolean[]> {
  const laid = kept.tableaux.flatMap((tableau) => tableau.tiles);
  return new Map(laid.map((tile) => [tile.id, tile.tasks.map((task) => task.done)]));
}

function clipOf(x: number, y: number, size: number, box: Box): string | null {
  const half = size / 2;
  const out = [box.y - (y - half), x + half - box.x - box.width, y + half - box.y - box.height, box.x - (x - half)];
  if (out.every((side) => side <= 0)) return null;
  return `inset(${out.map((side) => `${side > 0 ? Math.min(100, (side / size) * 100).toFixed(1) : -12}%`).join(" ")})`;
}
