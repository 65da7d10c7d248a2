/** The games that can be played. */
import { hasServer } from "../browser/server";
import { api, Refusal } from "./api";
import type { GameInfo } from "../protocol/messages";

let asked: Promise<readonly GameInfo[]> | null = null;

/** The games there are: the server's; where none is, or none answers, those whose rules lie beside these pages. */
export function games(): Promise<readonly GameInfo[]> {
  asked ??= (hasServer ? api.games().catch(withoutServer) : fromIndex()).then(
    (found) => found.games,
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

/** Whether some figures of the game's component table are not known for certain; nothing promises that they are. */
export async function isUncertain(game: string): Promise<boolean> {
  const all = await games().catch(() => []);
  return all.find(({ name }) => name === game)?.uncertain ?? true;
}

async function fromIndex(): Promise<{ games: readonly GameInfo[] }> {
  return (await import("../rules/load")).moduleIndex();
}

async function withoutServer(error: unknown): Promise<{ games: readonly GameInfo[] }> {
  if (!(error instanceof Refusal) || error.reason !== "unreachable") throw error;
  return fromIndex().catch(() => Promise.reject(error));
}
