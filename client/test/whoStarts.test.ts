import { describe, expect, test } from "vitest";
import { Dice } from "../src/local/chance";
import { rematchSeating, seated } from "../src/local/decide";
import { newRow, type MatchRow, type SeatRow } from "../src/local/rows";

const LISTED: SeatRow[] = ["casual", "Ada", "master", "Ben"].map((name, number) => ({ person: number % 2 === 1, name, bot: null, resigned: false }));
const DICE = new Dice("apollo", []);
const names = (seats: readonly SeatRow[]) => seats.map((seat) => seat.name);

describe("who starts at a local table", () => {
  test("the first of the list", () => {
    expect(names(seated(LISTED, "as_listed", DICE))).toEqual(["casual", "Ada", "master", "Ben"]);
  });

  test("the creator of the table, and the others keep their order", () => {
    expect(names(seated(LISTED, "host_first", DICE))).toEqual(["Ada", "master", "Ben", "casual"]);
  });

  test("whom the dice draw", () => {
    expect(names(seated(LISTED, "random", DICE))).toEqual(DICE.order(4).map((drawn) => LISTED[drawn]!.name));
    const first = Array.from({ length: 40 }, (_, seed) => seated(LISTED, "random", new Dice(String(seed), []))[0]!.name);
    expect(new Set(first).size).toBe(4);
  });

  test("in a rematch, whom the dice draw again; otherwise the seats have moved on", () => {
    const row = (seating: MatchRow["seating"]) => ({ ...newRow(0), seating }) as unknown as MatchRow;
    expect((["random", "host_first", "as_listed"] as const).map((seating) => rematchSeating(row(seating)))).toEqual(["random", "as_listed", "as_listed"]);
  });
});
