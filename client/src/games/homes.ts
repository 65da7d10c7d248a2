/** What the home page shows of each game: a folder with a `home.ts` brings its own, others get the generic one. */
import { speech } from "../i18n/language.svelte";
import type { HomeEntry } from "../play/board";
import { genericHome } from "../play/generic/home";
import { homeMessages, homes } from "virtual:games/homes";

// A page that shows games waits for what it says of them, in the language in use; without a network it shows their names.
await speech.learn("homes", homeMessages).catch(() => undefined);

export function homeOf(game: string): HomeEntry {
  return homes[game] ?? genericHome;
}

/** What the game's catalogue says for the home page, or null if it says nothing: `blurb`, `doubt`, `option.map.expert`. */
export function homeText(game: string, key: "blurb" | "doubt" | `option.${string}`): string | null {
  return speech.lookUp("homes")(`${game}.${key}`);
}
