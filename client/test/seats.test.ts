import { describe, expect, test } from "vitest";
import { reservedFor } from "../src/net/seating";
import { askedBy } from "../src/play/table/rematch";
import { absentSeats, activeSeats, outOfTime } from "../src/play/table/seats";
import { seat, table } from "./tables";

const bank = { kind: "bank", bank: 60, increment: 0 } as const;

describe("my seats", () => {
  test("at a seat that gave up nothing can be played any more", () => {
    const info = table({ mine: [0, 1], seats: [seat(0, { resigned: true, absent: true }), seat(1)] });
    expect(activeSeats(info)).toEqual([1]);
    expect(absentSeats(info)).toEqual([]);
  });

  test("an absent seat waits for me until the match is over", () => {
    const seats = [seat(0, { absent: true }), seat(1)];
    expect(absentSeats(table({ seats }))).toEqual([0]);
    expect(absentSeats(table({ seats, status: "over" }))).toEqual([]);
  });

  test("a seat whose bank is empty cannot be taken back", () => {
    const clocks = { left: [0, 30_000], running: 1, since: 0, deadline: 30_000 };
    expect(outOfTime(table({ clock: bank, clocks }), 0)).toBe(true);
    expect(outOfTime(table({ clock: bank, clocks }), 1)).toBe(false);
    expect(outOfTime(table(), 0)).toBe(false);
  });
});

describe("a rematch", () => {
  const next = table({ id: "m2", status: "waiting", mine: [], am_host: false, seats: [seat(0, { name: "Ada", person: "ada" }), seat(1, { held_by: "friend", name: "Ben", reserved: "ben" })] });

  test("is offered to the person for whom a seat is reserved", () => {
    expect(reservedFor(next, "ben")).toEqual([1]);
    expect(askedBy(next, "ben")).toBe("Ada");
  });

  test("is offered to nobody else, and not to somebody whom the server does not know", () => {
    expect(askedBy(next, "ada")).toBe(null);
    expect(askedBy(next, undefined)).toBe(null);
    expect(askedBy(null, "ben")).toBe(null);
  });

  test("is not offered any more once it is accepted or has begun", () => {
    const accepted = { ...next, seats: [next.seats[0]!, seat(1, { name: "Ben", person: "ben", reserved: "ben" })] };
    expect(askedBy(accepted, "ben")).toBe(null);
    expect(askedBy({ ...next, status: "playing" }, "ben")).toBe(null);
  });
});
