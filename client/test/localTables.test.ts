import { describe, expect, test } from "vitest";
import { Refusal } from "../src/protocol/refusal";
import { Dice } from "../src/local/chance";
import * as decide from "../src/local/decide";
import type { TableState } from "../src/local/decide";
import { Position } from "../src/rules/position";
import { newRow, type Entry, type MatchRow, type SeatRow } from "../src/local/rows";
import * as shown from "../src/local/shown";
import { toyRules } from "./toyRules";

const DICE = new Dice("apollo", []);
const me = (name = "Lena"): SeatRow => ({ person: true, name, bot: null, resigned: false });
const bot: SeatRow = { person: false, name: "", bot: "casual", resigned: false };

/** A match that has begun, and what has happened in it. */
function begun(seats: readonly SeatRow[], secrets = false, more: Partial<MatchRow> = {}): { state: TableState; log: Entry[] } {
  const position = Position.begin(toyRules(secrets), seats.length, {});
  const row: MatchRow = { ...newRow(1), game: "toy", rules: 1, components: "c0", options: {}, commitment: "c", nonces: [], seats, ...more };
  return after({ state: { row, position }, log: [] }, { row, position, steps: [], by: "chance", request: null });
}

function after({ state, log }: { state: TableState; log: Entry[] }, draft: decide.Draft | null): { state: TableState; log: Entry[] } {
  const { row, entries, position } = decide.settle(draft!, DICE, 2);
  return { state: { ...state, row, position: position ?? state.position }, log: [...log, ...entries] };
}

const asked = (ply: number, ...actions: string[]) => ({ kind: "play" as const, id: "r1", ply, actions });

function reason(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
  return "";
}

describe("playing", () => {
  test("chance plays until it is a seat's turn, by the dice", () => {
    const { state, log } = begun([me(), bot]);
    expect(state.row).toMatchObject({ ply: 1, to_play: 0, turn: 1, status: "playing" });
    expect(log[0]).toMatchObject({ text: `deal ${DICE.pick(0, ["a", "b", "c"])}`, actor: -1, by: "chance" });
  });

  test("an action is followed by the next roll in the same change, and names its request", () => {
    const table = begun([me(), bot]);
    const { state, log } = after(table, decide.play(table.state, asked(1, "play")));
    expect(log.slice(1).map(({ actor, by, request, last }) => ({ actor, by, request, last }))).toEqual([
      { actor: 0, by: "person", request: "r1", last: 3 },
      { actor: -1, by: "chance", request: null, last: 3 },
    ]);
    expect(state.row).toMatchObject({ ply: 3, to_play: 1 });
  });

  test.each<[string, (state: TableState) => unknown]>([
    ["stale", (state) => decide.play(state, asked(0, "play"))],
    ["stale", (state) => decide.play(state, { ...asked(1, "play"), hash: "another" })],
    ["unknown_action", (state) => decide.play(state, asked(1, "fly"))],
    ["illegal_action", (state) => decide.play(state, asked(1, "deal a"))],
    ["illegal_action", (state) => decide.play(state, asked(1, "play", "play"))], // a roll comes between
    ["bad_request", (state) => decide.play(state, asked(1))],
    ["forbidden", (state) => decide.play(state, { ...asked(1, "play"), seat: 1 })],
    ["not_your_turn", (state) => decide.playForBot(state, 0, 1, "play")],
    ["not_over", (state) => decide.rematchSeats(state)],
  ])("is refused as %s, and changes nothing", (why, work) => {
    const { state } = begun([me(), bot]);
    const before = structuredClone(state.row);
    expect(reason(() => work(state))).toBe(why);
    expect(state.row).toEqual(before);
  });

  test("a bot plays in its turn, and only then", () => {
    let table = begun([me(), bot]);
    expect(decide.botToPlay(table.state)).toBe(null);
    table = after(table, decide.play(table.state, asked(1, "hold")));
    expect(decide.botToPlay(table.state)).toBe(1);
    expect(reason(() => decide.play(table.state, asked(3, "hold")))).toBe("not_your_turn");
    table = after(table, decide.playForBot(table.state, 1, 3, "play"));
    expect(table.log.at(-2)).toMatchObject({ actor: 1, by: "bot", request: null });
  });

  test("the end is the result", () => {
    let table = begun([me()]);
    while (table.state.row.status === "playing") table = after(table, decide.play(table.state, asked(table.state.row.ply, "hold")));
    expect(table.state.row.result).toEqual({ scores: [0], places: [1], resigned: false });
    expect(reason(() => decide.play(table.state, asked(table.state.row.ply, "hold")))).toBe("over");
  });
});

describe("giving up", () => {
  test("ends a match alone, and nothing else does before its end", () => {
    const { state } = begun([me()]);
    expect(decide.givenUp(state.row, state.position!)).toBe(state.row);
    expect(after({ state, log: [] }, decide.resign(state, null)).state.row).toMatchObject({ status: "over", result: { resigned: true } });
  });

  test("against bots ends the match: they have won", () => {
    const table = begun([me(), bot, bot]);
    const { row } = after(table, decide.resign(table.state, null)).state;
    expect(row).toMatchObject({ status: "over", result: { places: [3, 1, 1], resigned: true } });
  });

  test("of one of several leaves their seat to a bot, the weakest where there are no hints", () => {
    const table = begun([me(), me("Ben"), me("Cleo")], false, { hints: false });
    const { state } = after(table, decide.resign(table.state, 0));
    expect(state.row.status).toBe("playing");
    expect(decide.botToPlay(state)).toBe(0);
    expect(decide.botOf(state.row, 0, "beginner")).toBe("beginner");
    expect(decide.botOf({ ...state.row, hints: true }, 0, "beginner")).toBe(decide.STAND_IN);
  });
});

describe("a hint", () => {
  test("is for what the seat sees", () => {
    const { state } = begun([me(), bot]);
    expect(decide.hint(state, [])).toEqual({ seen: state.position!.seen(0), turn: null });
  });

  test("for a turn that is whole but not confirmed compares that turn with the bot's, from before it", () => {
    const { state } = begun([me(), bot]);
    const seen = state.position!.seen(0);
    expect(decide.hint(state, ["play"])).toEqual({ seen, turn: { seen, action: state.position!.rules.actions.parse("play") } });
  });

  test.each<[string, (state: TableState) => unknown]>([
    ["illegal_action", (state) => decide.hint(state, ["play", "hold"])],
    ["not_your_turn", (state) => decide.hint({ ...state, row: { ...state.row, to_play: 1 } }, [])],
    ["forbidden", (state) => decide.hint({ ...state, row: { ...state.row, hints: false } }, ["play"])],
  ])("is refused: %s", (expected, work) => {
    expect(reason(() => work(begun([me(), bot]).state))).toBe(expected);
  });
});

describe("what is shown", () => {
  test("at one screen the one to play looks; where there are secrets the curtain comes first", () => {
    const open = begun([me(), me("Ben")]).state;
    expect(shown.following(open, -1)).toBe(0);
    const secret = begun([me(), me("Ben")], true).state;
    expect(shown.following(secret, 1)).toBe(-1);
    expect(shown.curtain(secret, -1)).toBe(true);
    expect(shown.curtain(secret, 0)).toBe(false);
  });

  test("the log and the board hide what the viewer may not know, and only offer what the viewer may play", () => {
    const { state, log } = begun([me(), me("Ben")], true);
    const [mine, theirs] = [0, 1].map((seat) => shown.update(state, log, seat, 0, 3));
    expect(theirs!.log[0]!.args).toEqual(["?"]);
    expect(mine!.log[0]!.args).not.toEqual(["?"]);
    expect(theirs!.view["card"]).toBe(null);
    expect(theirs!.legal).toEqual([]);
    expect(mine!.legal).toEqual(["play", "hold"]);
    expect(mine!.hash).not.toBe(theirs!.hash);
  });

  test("a history has every position, and its dice every roll with all that could have been rolled", () => {
    let table = begun([me()]);
    while (table.state.row.status === "playing") table = after(table, decide.play(table.state, asked(table.state.row.ply, "play")));
    const beginning = Position.begin(toyRules(false), 1, {});
    const { frames } = shown.history(table.state, table.log, beginning, 0, 0);
    expect(frames.map(({ ply }) => ply)).toEqual(Array.from({ length: table.state.row.ply + 1 }, (_, ply) => ply));
    const { rolls } = shown.dice({ row: table.state.row, seed: "apollo", log: table.log }, beginning);
    expect(rolls.length).toBe(4);
    expect(rolls[0]).toMatchObject({ ply: 0, outcomes: ["deal a", "deal b", "deal c"] });
  });

  test("the dice are a secret until the end", () => {
    const { state, log } = begun([me(), bot]);
    expect(reason(() => shown.dice({ row: state.row, seed: "apollo", log }, state.position!))).toBe("not_over");
  });

  test("people of one name are told apart", () => {
    expect(shown.toldApart(["Ada", "Ben", "Ada", "", "Ada", ""])).toEqual(["Ada", "Ben", "Ada 2", "", "Ada 3", ""]);
    expect(shown.toldApart(["Ada", "Ada", "Ada 2"])).toEqual(["Ada", "Ada 3", "Ada 2"]);
  });
});
