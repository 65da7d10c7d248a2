/**
 * What may happen at a local table, as `plenilune/server/tables/decide/` has it: pure functions from a table's state
 * and a request to a draft of what changes. None of them knows the seed of the dice: a draft stops at the next chance
 * node, and `settle` alone lets chance play. What is refused is refused by throwing a `Refusal`, and changes nothing.
 */
import type { Play, Preview, Result } from "../protocol/messages";
import { Refusal } from "../protocol/refusal";
import { CHANCE, OVER, SPECTATOR, STOPS, type Ahead } from "../rules/rules";
import { questionOf, type Question } from "../bots/question";
import type { Dice } from "./chance";
import type { Position, Step } from "../rules/position";
import type { Entry, MatchRow, Seating, SeatRow } from "./rows";

/** A table as it is. */
export interface TableState {
  row: MatchRow;
  position: Position;
}

/** What is to change, up to the next chance node. */
export interface Draft {
  row: MatchRow;
  position: Position | null; // after `steps`, if something is played or begins; chance may be to play
  steps: readonly Step[];
  by: Entry["by"];
  request: string | null;
}

/** What is written, and where the match stands then. */
export interface Settled {
  row: MatchRow;
  entries: readonly Entry[];
  position: Position | null;
}

export const STAND_IN = "greedy"; // plays for players who resigned

// Who may

export function mySeats(row: MatchRow): number[] {
  return row.seats.flatMap((seat, number) => (seat.person ? [number] : []));
}

export function plays(seat: SeatRow): boolean {
  return seat.person && !seat.resigned;
}

function checkPlaying({ row, position }: TableState): Position {
  if (row.status === "over") throw new Refusal("over", "the match is over");
  return position;
}

function checkMine(row: MatchRow, seat: number | null | undefined): number[] {
  const mine = mySeats(row);
  if (seat === null || seat === undefined) return mine;
  if (!mine.includes(seat)) throw new Refusal("forbidden", `seat ${seat + 1} is not yours`);
  return [seat];
}

/** The position, if the seat to play is one of mine that has not resigned. */
function checkTurn(state: TableState, seat?: number | null, ply?: number): Position {
  const mine = checkMine(state.row, seat);
  const position = checkPlaying(state);
  if (ply !== undefined) checkFresh(state.row, ply);
  const { to_play } = state.row;
  if (!mine.includes(to_play)) throw new Refusal("not_your_turn", `it is seat ${to_play + 1}'s turn`);
  if (state.row.seats[to_play]!.resigned) throw new Refusal("resigned", "you have resigned from this match");
  return position;
}

function checkFresh(row: MatchRow, ply: number): void {
  if (ply !== row.ply) throw new Refusal("stale", `played at ply ${ply}, and the match is at ply ${row.ply}`);
}

// Bots

/** The bot that plays at the seat now. Where there are no hints, the weakest plays for players who resigned. */
export function botOf(row: MatchRow, number: number, weakest: string): string {
  const seat = row.seats[number]!;
  return seat.person ? standIn(row, weakest) : (seat.bot ?? weakest);
}

export function standIn(row: MatchRow, weakest: string): string {
  return row.hints ? STAND_IN : weakest;
}

/** The seat for which a bot is to play; bots do not play among themselves. */
export function botToPlay({ row }: TableState): number | null {
  if (row.status !== "playing" || row.to_play < 0) return null;
  return !plays(row.seats[row.to_play]!) && row.seats.some(plays) ? row.to_play : null;
}

// Playing

/** A person's actions: all of them are played, or none. */
export function play(state: TableState, asked: Play): Draft {
  const position = checkTurn(state, asked.seat, asked.ply);
  const seat = position.toPlay;
  if (asked.hash && asked.hash !== position.digest(seat)) {
    throw new Refusal("stale", "the match is in another position than the one you played on");
  }
  checkActions(position, seat, asked.actions);
  return played(state.row, position, asked.actions, "person", asked.id);
}

/** A bot's action; one that comes too late is refused like anybody's. */
export function playForBot(state: TableState, seat: number, ply: number, action: string): Draft {
  const position = checkPlaying(state);
  checkFresh(state.row, ply);
  if (botToPlay(state) !== seat) throw new Refusal("not_your_turn", `no bot is to play for seat ${seat + 1}`);
  checkActions(position, seat, [action]);
  return played(state.row, position, [action], state.row.seats[seat]!.person ? "stand-in" : "bot", null);
}

/** Whether the seat may play all of them, judged by what it has seen: so that a refusal tells nothing else. */
function checkActions(position: Position, seat: number, texts: readonly string[]): void {
  if (texts.length === 0) throw new Refusal("bad_request", "no action was named");
  const { seen, stopped, done } = position.ahead(seat, texts.slice(0, -1));
  if (stopped) throw new Refusal("illegal_action", `'${texts[done]}' cannot come next: ${STOPS[stopped]}`);
  position.rules.check(seen, texts.at(-1)!);
}

function played(row: MatchRow, position: Position, texts: readonly string[], by: Entry["by"], request: string | null): Draft {
  const steps: Step[] = [];
  let after = position;
  for (const text of texts) {
    steps.push(after.step(text));
    after = after.played(text);
  }
  return { row, position: after, steps, by, request };
}

/** Who sits where when the match begins. */
export function seated(seats: readonly SeatRow[], seating: Seating, dice: Dice): SeatRow[] {
  if (seating === "random") return dice.order(seats.length).map((drawn) => seats[drawn]!);
  const first = seating === "host_first" ? seats.findIndex((seat) => seat.person) : 0;
  return [...seats.slice(first), ...seats.slice(0, first)];
}

/** The whole change, once chance has played. Only for inside the work that writes it. */
export function settle(draft: Draft, dice: Dice, at: number): Settled {
  if (!draft.position) return { row: { ...draft.row, changed: at }, entries: [], position: null };
  const steps = [...draft.steps];
  let after = draft.position;
  while (after.toPlay === CHANCE) {
    const outcome = dice.pick(after.ply, after.legal());
    steps.push(after.step(outcome));
    after = after.played(outcome);
  }
  return { row: rowAfter(draft.row, after, at), entries: entriesOf(draft, after, steps, at), position: after };
}

function entriesOf(draft: Draft, after: Position, steps: readonly Step[], at: number): Entry[] {
  const hash = after.digest(steps[0]?.actor ?? SPECTATOR);
  return steps.map((step, number) => ({
    ...step,
    ply: draft.row.ply + number,
    by: step.actor >= 0 ? draft.by : "chance",
    at,
    request: number ? null : draft.request,
    last: after.ply,
    hash: number ? "" : hash,
  }));
}

function rowAfter(row: MatchRow, after: Position, at: number): MatchRow {
  const to_play = after.toPlay;
  const turn = to_play === row.to_play ? row.turn : after.ply;
  const next: MatchRow = { ...row, ply: after.ply, to_play, turn, changed: at };
  return to_play === OVER ? { ...next, status: "over", result: { ...after.standing(), resigned: false } } : next;
}

// Giving up

/** The match ends when one seat is left, or no person; otherwise the stand-in plays on. */
export function resign(state: TableState, seat: number | null): Draft | null {
  const mine = checkMine(state.row, seat);
  const position = checkPlaying(state);
  if (mine.every((number) => state.row.seats[number]!.resigned)) return null;
  const seats = state.row.seats.map((one, number) => (mine.includes(number) ? { ...one, resigned: true } : one));
  return aboutSeats(givenUp({ ...state.row, seats }, position));
}

/** The row with its result, if nobody is left to play it. */
export function givenUp(row: MatchRow, position: Position): MatchRow {
  const left = row.seats.filter((seat) => !seat.resigned);
  const several = left.length > 1 || row.seats.length === 1; // alone one plays until one gives up
  if (several && left.some((seat) => seat.person)) return row;
  const places = row.seats.map((seat) => (seat.resigned ? left.length + 1 : 1));
  const result: Result = { scores: position.standing().scores, places, resigned: true };
  return { ...row, status: "over", result };
}

function aboutSeats(row: MatchRow): Draft {
  return { row, position: null, steps: [], by: "person", request: null };
}

// Asking, without changing anything

/** Where a seat's actions would lead, as far as it can tell. */
export function preview(state: TableState, asked: Preview): Ahead {
  return checkTurn(state, asked.seat, asked.ply).ahead(state.row.to_play, asked.actions);
}

/** What a hint may be given for. */
export function hint(state: TableState, actions: readonly string[]): Question {
  const position = checkTurn(state);
  if (!state.row.hints) throw new Refusal("forbidden", "there are no hints at this table");
  const seat = state.row.to_play;
  return questionOf(position.rules, position.seen(seat), seat, actions);
}

// After the end

/** A drawn order is drawn again. Otherwise the seats move on, so that nobody starts twice. */
export function rematchSeating({ seating }: MatchRow): Seating {
  return seating === "random" ? seating : "as_listed";
}

/** Everybody one seat further. */
export function rematchSeats({ row }: TableState): SeatRow[] {
  if (row.status !== "over") throw new Refusal("not_over", "the match is not over");
  return [...row.seats.slice(1), ...row.seats.slice(0, 1)].map((seat) => ({ ...seat, resigned: false }));
}

export function follow({ row }: TableState, rematch: string): Draft | null {
  return row.rematch ? null : aboutSeats({ ...row, rematch });
}
