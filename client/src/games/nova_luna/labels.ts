/** Tiles, tasks and cells in words: for status lines, the log and those who listen instead of looking. */
import type { Translate } from "../../i18n/translate";
import type { English } from "../../i18n/messages/en";
import { COLOURS, type Colour } from "./shapes";
import type { Words } from "./messages/en";
import { nameOf, type Cell } from "./places";

export type Say = Translate<Words & English>;

export interface Named {
  colour: string;
  number: number;
}

export function tileWords(t: Say, { colour, number }: Named): string {
  return t(`tile.${colour as Colour}`, { n: number });
}

/** "2 red, 1 blue" */
function taskWords(t: Say, task: string): string {
  const counts = COLOURS.map((colour) => [colour, [...task].filter((sign) => sign === colour).length] as const);
  return counts.filter(([, n]) => n > 0).map(([colour, n]) => t(`asks.${colour}`, { n })).join(", ");
}

/** "yellow 4, asks for 4 turquoise, done: 2 turquoise" */
export function fullWords(t: Say, tile: Named & { tasks: readonly string[] }, done: readonly boolean[] = []): string {
  const tasks = tile.tasks.map((task, i) => t(done[i] ? "task.done" : "task.open", { what: taskWords(t, task) }));
  return [tileWords(t, tile), ...(tasks.length ? tasks : [t("task.none")])].join("; ");
}

const SIDES = [
  { dx: -1, dy: 0, key: "do.placeRight" },
  { dx: 0, dy: 1, key: "do.placeBelow" },
  { dx: 0, dy: -1, key: "do.placeAbove" },
  { dx: 1, dy: 0, key: "do.placeLeft" },
] as const;

/** "Lay it to the right of red 6" */
export function cellWords(t: Say, tiles: readonly (Named & Cell)[], cell: Cell): string {
  if (!tiles.length) return t("do.placeFirst");
  const laid = new Map(tiles.map((tile) => [nameOf(tile), tile]));
  for (const { dx, dy, key } of SIDES) {
    const beside = laid.get(nameOf({ x: cell.x + dx, y: cell.y + dy }));
    if (beside) return t(key, { tile: t(`tileOf.${beside.colour as Colour}`, { n: beside.number }) });
  }
  return t("do.place");
}
