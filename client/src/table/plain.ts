import type { GameModule } from "../board";
import PlainBoard from "./PlainBoard.svelte";

/** A game without a folder here, such as one of a developer's own: it can be played, in words. */
export function plain(name: string): GameModule {
  const nothing = async () => ({});
  return {
    name,
    title: name,
    Board: PlainBoard,
    messages: { en: nothing, fr: nothing, nl: nothing, ru: nothing },
    asks: () => "",
    log: (entry, { name: of }) => [entry.actor >= 0 ? `${of(entry.actor)}:` : "–", entry.key.split(".")[1], ...entry.args].join(" "),
    action: (action) => action,
    whyNot: () => null,
    ends: (_, before, after) => before.to_play !== after.to_play,
    results: () => [],
    rules: () => import("./PlainRules.svelte"),
    tutorial: () => Promise.reject(new Error(`${name} has no tutorial`)),
  };
}
