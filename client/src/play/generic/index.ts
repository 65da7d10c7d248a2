import type { GameModule } from "../board";
import GenericBoard from "./GenericBoard.svelte";

/** A game without a client folder: it is played in words. */
export function genericGame(name: string, title: string): GameModule {
  return {
    name,
    title,
    Board: GenericBoard,
    asks: () => "",
    log: (entry, { name: nameOf }) => [entry.actor >= 0 ? `${nameOf(entry.actor)}:` : "–", entry.key.split(".")[1], ...entry.args].join(" "),
    action: (action) => action,
    whyNot: () => null,
    ends: (_, before, after) => before.to_play !== after.to_play,
    results: () => [],
  };
}
