/** The games there are: a folder with an `index.ts` is one. Each is loaded when somebody sits down at it. */
import type { GameModule } from "../board";
import { speech } from "../i18n/language.svelte";
import { plain } from "../table/plain";

const folders = import.meta.glob<{ game: GameModule }>("./*/index.ts");
const loaded = new Map<string, Promise<GameModule>>();

export const names = Object.keys(folders).map((path) => path.split("/")[1]!.replaceAll("_", "-"));

/** The game's board and words, ready to be shown. */
export function load(name: string): Promise<GameModule> {
  let game = loaded.get(name);
  if (!game) loaded.set(name, (game = fetchGame(name)));
  return game;
}

async function fetchGame(name: string): Promise<GameModule> {
  const folder = folders[`./${name.replaceAll("-", "_")}/index.ts`];
  const game = folder ? (await folder()).game : plain(name);
  await speech.learn(name, game.messages);
  return game;
}
