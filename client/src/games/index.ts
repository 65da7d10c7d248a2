/** The games: a folder with an `index.ts` brings its own board. Each is loaded when somebody sits down at it. */
import { speech } from "../i18n/language.svelte";
import { games } from "../net/games";
import type { GameModule } from "../play/board";
import { boards, messages } from "virtual:games";

const loaded = new Map<string, Promise<GameModule>>();

/** The game's board and messages, ready to be shown. */
export function load(name: string): Promise<GameModule> {
  let game = loaded.get(name);
  if (!game) loaded.set(name, (game = fetchGame(name)));
  return game;
}

async function fetchGame(name: string): Promise<GameModule> {
  const game = (await boards[name]?.())?.game ?? (await fetchGeneric(name));
  await speech.learn(name, messages[name] ?? {});
  return game;
}

async function fetchGeneric(name: string): Promise<GameModule> {
  const [{ genericGame }, known] = await Promise.all([import("../play/generic"), games()]);
  return genericGame(name, known.find((game) => game.name === name)?.title ?? name);
}
