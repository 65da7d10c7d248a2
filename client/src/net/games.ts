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

async function fromIndex(): Promise<{ games: readonly GameInfo[] }> {
  return (await import("../rules/load")).moduleIndex();
}

async function withoutServer(error: unknown): Promise<{ games: readonly GameInfo[] }> {
  if (!(error instanceof Refusal) || error.reason !== "unreachable") throw error;
  return fromIndex().catch(() => Promise.reject(error));
}
