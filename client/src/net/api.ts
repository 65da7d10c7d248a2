/** The server's HTTP API; what is asked about a table in the page is answered there. Whatever is refused is thrown as a `Refusal`. */
import type {
  Arrange,
  Bests,
  DailyDeal,
  DiceOffer,
  DiceRolls,
  GameRules,
  Games,
  History,
  Invite,
  Join,
  Key,
  Keys,
  Lobby,
  Me,
  NewTable,
  Reason,
  Refused,
  Rematch,
  Reported,
  ReviewMessage,
  Start,
  TableInfo,
  TableMade,
  Whoami,
} from "../protocol/messages";
import { here, isLocal } from "./here";
import { Refusal } from "../protocol/refusal";

export { Refusal };

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await reach(method, path, body);
  return (await response.json()) as T;
}

async function reach(method: string, path: string, body?: object): Promise<Response> {
  const init: RequestInit = { method, credentials: "same-origin", headers: { accept: "application/json" } };
  if (method !== "GET") {
    init.body = JSON.stringify(body ?? {});
    init.headers = { ...init.headers, "content-type": "application/json" };
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Refusal("unreachable", "unreachable");
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

async function refusal(response: Response): Promise<Refusal> {
  const refused = (await response.json().catch(() => null)) as Refused | null;
  return refused?.reason ? Refusal.of(refused) : new Refusal(reasonOf(response.status), response.statusText);
}

/** Whatever stands before the server, such as a proxy, refuses without a reason. */
export function reasonOf(status: number): Reason {
  const reasons: Record<number, Reason> = { 403: "forbidden", 404: "not_found", 413: "too_large", 429: "too_often" };
  return reasons[status] ?? (status < 500 ? "bad_request" : "unavailable");
}

/** A path with these words in it, whatever they say: they may come from a link that somebody else made. */
export function endpoint(parts: TemplateStringsArray, ...words: string[]): string {
  return String.raw({ raw: parts }, ...words.map(encodeURIComponent));
}

const table = (id: string, rest = "") => endpoint`/api/tables/${id}` + rest;

export const api = {
  games: () => ask<Games>("GET", "/api/games"),
  rules: (game: string) => ask<GameRules>("GET", endpoint`/api/games/${game}/rules`),
  whoami: () => ask<Whoami>("GET", "/api/me"),
  introduce: (name: string) => ask<Me>("POST", "/api/me", { name }),
  deleteMe: () => ask<Whoami>("DELETE", "/api/me"),
  keys: () => ask<Keys>("GET", "/api/keys"),
  makeKey: (label: string) => ask<Key>("POST", "/api/keys", { label }),
  revokeKey: (id: string) => ask<Keys>("DELETE", endpoint`/api/keys/${id}`),
  offerDice: () => ask<DiceOffer>("GET", "/api/dice"),
  lobby: () => ask<Lobby>("GET", "/api/lobby"),
  bests: () => ask<Bests>("GET", "/api/bests"),
  daily: (game: string, day?: string) => ask<DailyDeal>("GET", endpoint`/api/daily/${game}` + (day ? `?day=${day}` : "")),
  playDaily: (game: string) => ask<TableInfo>("POST", endpoint`/api/daily/${game}`),
  make: (wish: NewTable) => ask<TableMade>("POST", "/api/tables", wish),
  table: async (id: string) => (isLocal(id) ? (await here()).table(id) : ask<TableInfo>("GET", table(id))),
  join: (id: string, how: Join) => ask<TableInfo>("POST", table(id, "/join"), how),
  leave: (id: string) => ask<TableInfo>("POST", table(id, "/leave")),
  comeBack: (id: string) => ask<TableInfo>("POST", table(id, "/return")),
  resign: async (id: string, seat?: number) =>
    isLocal(id) ? (await here()).resign(id, seat) : ask<TableInfo>("POST", table(id, "/resign"), seat === undefined ? {} : { seat }),
  invite: (id: string, seat: number) => ask<Invite>("POST", table(id, "/invite"), { seat }),
  start: (id: string, how: Start) => ask<TableInfo>("POST", table(id, "/start"), how),
  arrange: (id: string, how: Arrange) => ask<TableInfo>("POST", table(id, "/arrange"), how),
  rematch: async (id: string, share: Rematch) =>
    isLocal(id) ? (await here()).rematch(id) : ask<TableInfo>("POST", table(id, "/rematch"), share),
  report: (id: string, line: number, note: string) => ask<Reported>("POST", table(id, "/report"), { line, note }),
  history: async (id: string, first = 0) =>
    isLocal(id) ? (await here()).history(id, first) : ask<History>("GET", table(id, `/history?first=${first}`)),
  dice: async (id: string) => (isLocal(id) ? (await here()).dice(id) : ask<DiceRolls>("GET", table(id, "/dice"))),
  matchFile: (id: string) => table(id, "/match"),
  /** The text of a finished match's file. */
  record: async (id: string) => (isLocal(id) ? (await (await here()).saveMatch(id)).text : (await reach("GET", table(id, "/match"))).text()),

  /** The review, remark by remark: made in the page, and by the server where the page cannot. */
  async *review(id: string, stop: AbortSignal): AsyncGenerator<ReviewMessage> {
    if (isLocal(id)) return yield* (await here()).review(id, stop);
    let told = 0;
    try {
      for await (const remark of reviewedHere(id, stop)) {
        told++;
        yield remark;
      }
    } catch (error) {
      if (told || stop.aborted) throw error;
      yield* reviewedByServer(id, stop);
    }
  },
};

async function* reviewedHere(id: string, stop: AbortSignal): AsyncGenerator<ReviewMessage> {
  const file = await api.record(id);
  yield* (await import("../assist")).review(file, stop);
}

async function* reviewedByServer(id: string, stop: AbortSignal): AsyncGenerator<ReviewMessage> {
  const response = await fetch(table(id, "/review"), { signal: stop, credentials: "same-origin" });
  if (!response.ok || !response.body) throw await refusal(response);
  for await (const line of lines(response.body)) yield JSON.parse(line) as ReviewMessage;
}

export async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop()!;
    yield* parts.filter((part) => part);
  }
  if (rest) yield rest;
}
