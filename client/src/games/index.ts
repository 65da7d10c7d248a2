/** The games: a folder with an `index.ts` brings its own board. Each is loaded when somebody sits down at it. */
import { speech } from "../i18n/language.svelte";
import { games } from "../net/games";
import type { GameModule } from "../play/board";
import { boards, later, messages } from "virtual:games";

const loaded = new Map<string, Promise<GameModule>>();

/** The game's board and messages, ready to be shown. */
export function load(name: string): Promise<GameModule> {
  const known = loaded.get(name);
  if (known) return known;
  const loading = fetchGame(name);
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name)); // the next call tries again
  return loading;
}

async function fetchGame(name: string): Promise<GameModule> {
  const game = (await boards[name]?.())?.game ?? (await fetchGeneric(name));
  await speech.learn(name, messages[name] ?? {});
  const withWords = <T>(part: (() => Promise<T>) | undefined) => part && (() => Promise.all([part(), learnMore(name)]).then(([found]) => found));
  return { ...game, rules: withWords(game.rules), editor: withWords(game.editor), tutorial: withWords(game.tutorial) };
}

/** What its rules, its lesson and its editor say. */
function learnMore(name: string): Promise<void> {
  return speech.learn(name, later[name] ?? {});
}

async function fetchGeneric(name: string): Promise<GameModule> {
  const [{ genericGame }, known] = await Promise.all([import("../play/generic"), games()]);
  return genericGame(name, known.find((game) => game.name === name)?.title ?? name);
}
