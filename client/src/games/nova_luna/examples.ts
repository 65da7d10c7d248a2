/** The rulebook's eight examples in our own arrangements (RULES 11), and one about counting once (RULES 10.7). */
import type { Colour } from "./shapes";
import type { Printed } from "./Tile.svelte";

/** The tasks of the tiles that are drawn on the page of rules. */
const TASKS: Record<string, string> = {
  b1: "",
  b2a: "bbbb",
  b2b: "bbbb",
  b4c: "rrrr/rr",
  r1: "",
  r2a: "rrrr",
  r2b: "rrrr",
  r3a: "brr",
  r3b: "brt",
  r6a: "bb/yy/t",
  r7: "bt/by/ty",
  t1: "",
  t4a: "bbbb/bb",
  t6b: "bb/yy/r",
  y1: "",
  y2a: "yyyy",
  y4c: "tttt/tt",
  y4d: "rrr/ttt/bb",
};

export function tileNamed(name: string): Printed {
  const tasks = TASKS[name];
  if (tasks === undefined) throw new Error(`no tile ${name} is drawn in the rules`);
  return { id: name, colour: name[0] as Colour, number: Number(name[1]), tasks: tasks ? tasks.split("/") : [] };
}

export interface Example {
  /** Top row first, `.` for an empty cell. */
  rows: readonly string[];
  /** What has a token: a tile and its tasks. */
  done: Readonly<Record<string, readonly string[]>>;
  /** The tiles that count for it, and one that does not. */
  counts: readonly string[];
  not?: readonly string[];
}

export const EXAMPLES: readonly Example[] = [
  { rows: ["b1 y4d b2a"], done: { y4d: ["bb"] }, counts: ["b1", "b2a"] },
  { rows: ["r2a r1", ". y4d", "r2b b1", ". b2a"], done: { y4d: ["bb"] }, counts: ["b1", "b2a"], not: ["r2b"] },
  { rows: ["r2a r1 .", "r2b y4d b1", ". . b2a"], done: { y4d: ["rrr", "bb"] }, counts: ["r1", "r2a", "r2b", "b1", "b2a"] },
  { rows: [". b1 .", "t1 r7 y1"], done: { r7: ["bt", "by", "ty"] }, counts: ["b1", "t1", "y1"] },
  { rows: ["r6a t6b"], done: { r6a: ["t"], t6b: ["r"] }, counts: ["r6a", "t6b"] },
  { rows: ["r6a t6b", "y1 y2a"], done: { r6a: ["yy", "t"], t6b: ["yy", "r"] }, counts: ["y1", "y2a"] },
  { rows: ["r2a r2b r1", ". r3a r3b"], done: { r2a: ["rrrr"], r2b: ["rrrr"] }, counts: ["r2a", "r2b", "r1", "r3a", "r3b"] },
  { rows: ["b4c r1 r2a", ". . r2b", ". . r3a"], done: { b4c: ["rrrr", "rr"] }, counts: ["r1", "r2a", "r2b", "r3a"] },
];

export const ONCE: Example = { rows: ["b1 b2a", "t4a b2b"], done: { t4a: ["bb"] }, counts: ["b1", "b2a", "b2b"] };

interface Placed {
  tile: Printed;
  column: number;
  row: number;
  done: boolean[];
}

export function placed({ rows, done }: Example): Placed[] {
  return rows.flatMap((line, row) =>
    line.split(" ").flatMap((name, column) => {
      if (name === ".") return [];
      const tile = tileNamed(name);
      return [{ tile, column, row, done: tile.tasks.map((task) => done[name]?.includes(task) ?? false) }];
    }),
  );
}
