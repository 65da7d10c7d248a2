/** What is kept of a local match: everything that happened, from which where it stands follows. */
import type { LogEntry, Result, TableInfo } from "../protocol/messages";
import { CHANCE } from "../rules/rules";

export interface SeatRow {
  person: boolean; // somebody at this screen; otherwise a bot
  name: string;
  bot: string | null;
  resigned: boolean;
}

/** An action that was played. */
export interface Entry {
  ply: number;
  text: string;
  actor: number;
  by: LogEntry["by"];
  at: number;
  known: readonly number[] | null; // how many words each viewer may read, from the spectator on; null: all
  request: string | null;
  last: number; // the ply after the whole request
  hash: string; // of what its player saw then; "" for all but the first action of a request
}

export type Seating = TableInfo["seating"];

export interface MatchRow {
  id: string;
  version: number; // goes up with every change
  game: string;
  rules: number;
  components: string;
  options: Readonly<Record<string, string>>;
  commitment: string; // to the seed; "" for a match that was loaded from a file without one
  nonces: readonly string[];
  status: "playing" | "over";
  ply: number;
  to_play: number;
  turn: number; // the ply at which the turn began
  seating: Seating; // who started; the seats are as they were drawn
  seats: readonly SeatRow[];
  hints: boolean;
  created: number;
  changed: number;
  result: Result | null;
  rematch: string | null; // the match that follows
}

/** The row does not contain the seed: decisions about a match are made without it. */
export interface Kept {
  row: MatchRow;
  seed: string;
  log: readonly Entry[];
}

/** Whether what was kept is a match's row. Storage may be damaged, or written by a page of another version. */
export function isRow(value: unknown): value is MatchRow {
  if (!isRecord(value)) return false;
  const numbers = [value["version"], value["rules"], value["ply"], value["to_play"], value["turn"], value["created"], value["changed"]];
  const words = [value["id"], value["game"], value["components"], value["commitment"], value["seating"]];
  const lists = [value["seats"], value["nonces"]];
  return (
    numbers.every((one) => typeof one === "number") &&
    words.every((one) => typeof one === "string") &&
    lists.every(Array.isArray) &&
    (value["seats"] as unknown[]).every((seat) => isRecord(seat) && typeof seat["person"] === "boolean" && typeof seat["name"] === "string") &&
    isRecord(value["options"]) &&
    (value["status"] === "playing" || value["status"] === "over") &&
    (value["result"] === null || isResult(value["result"]))
  );
}

export function isKept(value: unknown): value is Kept {
  if (!isRecord(value) || !isRow(value["row"]) || typeof value["seed"] !== "string" || !Array.isArray(value["log"])) return false;
  return value["log"].every((entry, ply) => isRecord(entry) && typeof entry["text"] === "string" && entry["ply"] === ply);
}

function isResult(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value["scores"]) && Array.isArray(value["places"]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Who plays a local table's seats that belong to a person: there are no accounts here. */
export const PERSON = "local";

/** What is the same of every new match: nothing has happened yet. */
export function newRow(at: number) {
  return { id: newId(), version: 0, status: "playing", ply: 0, to_play: CHANCE, turn: 0, seating: "as_listed", hints: true, created: at, changed: at, result: null, rematch: null } as const;
}

function newId(): string {
  const letters = crypto.getRandomValues(new Uint8Array(12));
  return `local-${Array.from(letters, (byte) => ALPHABET[byte % ALPHABET.length]).join("")}`;
}
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"; // 32 letters: every one is equally likely
