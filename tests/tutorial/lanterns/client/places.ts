import type { Piece } from "plenilune/play/frame";
import type { LanternsView } from "./view";

export const CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];

interface Point {
  x: number;
  y: number;
}

export interface Layout {
  cell: number; // the side of a cell
  row: Point[]; // the middles of the slots
  night: Point;
  names: Point[]; // by seat
  boards: Point[][]; // by seat, the middles of the cells
}

/** The row on top, with the night beside it; the boards below, as many beside each other as there is room for. */
export function layout(seats: number, width: number, height: number): Layout {
  const across = width > height ? seats : Math.min(seats, 2);
  const down = Math.ceil(seats / across);
  const cell = Math.min(width / (across * 4), width / 7, height / (1.5 + down * 4), 110);
  const at = (x: number, y: number): Point => ({ x: width / 2 + x * cell, y: y * cell });
  const corner = (seat: number) => [4 * (seat % across) - 2 * across + 1, 2.5 + 4 * Math.floor(seat / across)] as const;
  const everySeat = Array.from({ length: seats }, (_, seat) => corner(seat));
  return {
    cell,
    row: [0, 1, 2, 3].map((slot) => at(slot - 2.5, 0.7)),
    night: at(2.3, 0.7),
    names: everySeat.map(([x, y]) => at(x + 1, y - 0.8)),
    boards: everySeat.map(([x, y]) => CELLS.map((_, i) => at(x + (i % 3), y + Math.floor(i / 3)))),
  };
}

export interface LanternPiece extends Piece {
  colour: string;
}

/** Every lantern that can be seen, where it lies. One that leaves goes to the night; a new one comes from above. */
export function pieces(view: LanternsView, { cell, row, night, boards }: Layout): LanternPiece[] {
  const lying = [
    ...view.row.map((lantern, slot) => ({ lantern, at: row[slot]! })),
    ...view.players.flatMap(({ board }, seat) => board.map((lantern, i) => ({ lantern, at: boards[seat]![i]! }))),
  ];
  return lying.flatMap(({ lantern, at }) =>
    lantern ? [{ ...lantern, ...at, size: cell * 0.8, from: { x: at.x, y: -cell }, to: night }] : [],
  );
}
