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
