/** What is shown of a local table: pure functions from a table to the protocol's messages, each for one viewer. */
import type { Clocks, DiceRolls, Frame, History, LogEntry, SeatInfo, TableInfo, TableRow, Update } from "../protocol/messages";
import { Refusal } from "../protocol/refusal";
import { OVER, SPECTATOR } from "../rules/rules";
import { Dice } from "./chance";
import * as decide from "./decide";
import type { TableState } from "./decide";
import { rollsOf, type Position } from "../rules/position";
import { PERSON, type Entry, type Kept, type MatchRow } from "./rows";

/** Whose eyes I may look through: my seats', or a spectator's. */
export function viewer({ row }: TableState, wanted: number | null): number {
  const mine = decide.mySeats(row);
  if (wanted === null) return mine.length === 1 ? mine[0]! : SPECTATOR;
  if (wanted !== SPECTATOR && !mine.includes(wanted)) throw new Refusal("forbidden", `seat ${wanted + 1} is not yours`);
  return wanted;
}

/**
 * Through whose eyes one looks after something has happened. At one screen for several seats it shows the one to play;
 * where there are secrets it closes the curtain before another seat's turn.
 */
export function following({ row, position }: TableState, looking: number): number {
  const mine = decide.mySeats(row);
  if (mine.length < 2 || !mine.includes(row.to_play) || looking === row.to_play) return looking;
  return position.secrets ? SPECTATOR : row.to_play;
}

export function curtain({ row, position }: TableState, looking: number): boolean {
  const several = decide.mySeats(row).length > 1 && row.status === "playing";
  return several && looking === SPECTATOR && position.secrets;
}

// The board

export function update(state: TableState, log: readonly Entry[], looking: number, logFrom: number, now: number): Update {
  const { row } = state;
  const position = state.position;
  const first = Math.min(logFrom, row.ply);
  return {
    kind: "update",
    match: row.id,
    viewer: looking,
    ply: row.ply,
    hash: position.digest(looking),
    base: null,
    base_hash: null,
    view: position.view(looking),
    parts: {},
    log: log.slice(first).map((entry) => told(row, position, entry, looking)),
    log_from: first,
    to_play: row.to_play,
    legal: legal(state, looking),
    turn: row.turn,
    ...position.standingFor(looking),
    clocks: clocks(row),
    now,
  };
}

/** What the viewer may play now. */
function legal({ row, position }: TableState, looking: number): string[] {
  const mayPlay = row.status === "playing" && looking === row.to_play && looking >= 0 && !row.seats[looking]!.resigned;
  return mayPlay ? position.legalFor(looking) : [];
}

/** The action as the viewer may know it; all of it once the match is over. */
function told(row: MatchRow, position: Position, entry: Entry, looking: number): LogEntry {
  const { rules, toPlay } = position;
  const known = toPlay === OVER ? null : entry.known;
  const text = known ? rules.text(rules.actions.parse(entry.text), known[looking + 1]) : entry.text;
  const [verb, ...args] = text.split(" ");
  return { ply: entry.ply, actor: entry.actor, key: `${row.game}.${verb}`, args, by: entry.by, at: entry.at };
}

// The table around it

function clocks(row: MatchRow): Clocks {
  return { left: row.seats.map(() => null), running: null, since: null, deadline: null };
}

/** `seed`: once it may be shown. */
export function info({ row }: TableState, seed: string | null, weakest: string): TableInfo {
  const standIn = decide.standIn(row, weakest);
  const { deadline: _, ...table } = listed(row, standIn);
  return {
    ...table,
    rules: row.rules,
    components: row.components,
    host: PERSON,
    am_host: true,
    seating: row.seating,
    clocks: clocks(row),
    public: false,
    spectators: false,
    hints: row.hints,
    bots_ready: true,
    chat: false,
    stand_in: standIn,
    fairness: { commitment: row.commitment, nonces: row.nonces.map((nonce) => ({ person: PERSON, nonce })), seed },
    daily: null,
    rematch: row.rematch,
    watching: 0,
    problem: null,
  };
}

/** The match as a line in a list. */
export function listed(row: MatchRow, standIn: string = decide.STAND_IN): TableRow {
  const { id, game, options, status, to_play, ply, created, changed, result } = row;
  const about = { seats: seatInfos(row, standIn), mine: decide.mySeats(row), clock: { kind: "none" }, deadline: null, daily: null } as const;
  return { id, game, options: { ...options }, status, to_play, ply, created, changed, result, ...about };
}

function seatInfos(row: MatchRow, standIn: string): SeatInfo[] {
  const names = toldApart(row.seats.map((seat) => (seat.person ? seat.name : "")));
  return row.seats.map((seat, number) => ({
    seat: number,
    held_by: seat.person ? "person" : "bot",
    name: names[number] || (seat.bot ?? ""),
    person: seat.person ? PERSON : null,
    bot: seat.resigned ? standIn : seat.bot,
    connected: true,
    absent: seat.resigned,
    resigned: seat.resigned,
    reserved: null,
  }));
}

/** People of one name get numbers, such as two at one screen who did not say theirs. */
export function toldApart(names: readonly string[]): string[] {
  const found: string[] = [];
  for (const name of names) {
    let called = name;
    for (let n = 2; name && (found.includes(called) || (n > 2 && names.includes(called))); n++) called = `${name} ${n}`;
    found.push(called);
  }
  return found;
}

// The past

/** Every position, as the viewer saw it then; when the match is over, as it was. */
export function history(state: TableState, log: readonly Entry[], beginning: Position, looking: number, first: number): History {
  const { row } = state;
  const frames = [...walk(beginning, log)].filter((position) => position.ply >= first).map((position): Frame => ({
    ply: position.ply,
    hash: position.digest(looking),
    view: position.view(looking),
    parts: {},
    entry: position.ply ? told(row, state.position, log[position.ply - 1]!, looking) : null,
    to_play: position.toPlay,
    ...position.standingFor(looking),
  }));
  return { match: row.id, viewer: looking, first, last: row.ply, ply: row.ply, frames };
}

/** The position before each action, and after the last. */
export function* walk(beginning: Position, log: readonly Entry[]): Generator<Position, Position> {
  let position = beginning;
  for (const { text } of log) {
    yield position;
    position = position.played(text);
  }
  yield position;
  return position;
}

/** Every roll, with all that could have been rolled. */
export function dice({ row, seed, log }: Kept, beginning: Position): DiceRolls {
  if (row.status !== "over") throw new Refusal("not_over", "the seed and what follows from it are shown when the match is over");
  const rolls = rollsOf(beginning, log.map((entry) => entry.text));
  return { match: row.id, commitment: row.commitment, seed, nonces: [...row.nonces], order: row.seating === "random" ? new Dice(seed, row.nonces).order(row.seats.length) : null, rolls };
}
