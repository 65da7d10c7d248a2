import { describe, expect, test } from "vitest";
import { along, comparison, hintFor, type Idea } from "../src/play/table/idea";

const idea: Idea = { after: ["take a"], action: "place 1", line: ["place 1", "stop"], worth: 0.6, done: true };

describe("a bot's idea", () => {
  test("is for what comes after the actions that were there when it was asked", () => {
    expect(hintFor(idea, ["take a"], ["place 1", "place 2"])?.action).toBe("place 1");
  });

  test("goes on with the turn, as far as the bot has thought", () => {
    expect(hintFor(idea, ["take a", "place 1"], ["stop", "refill"])?.action).toBe("stop");
    expect(hintFor(idea, ["take a", "place 1", "stop"], ["take b"])).toBeNull();
  });

  test("is gone when the turn goes another way, and is there again when that is taken back", () => {
    expect(hintFor(idea, ["take a", "place 2"], ["stop"])).toBeNull();
    expect(hintFor(idea, ["take b"], ["place 1"])).toBeNull();
    expect(hintFor(idea, ["take a"], ["place 1"])?.worth).toBe(0.6);
  });

  test("does not tell to do again what one has taken back oneself", () => {
    expect(along(idea, [])).toBe(false);
    expect(hintFor(idea, [], ["take a"])).toBeNull();
  });

  test("never names what cannot be done: the bot expected another to play there", () => {
    expect(hintFor(idea, ["take a", "place 1"], ["keep"])).toBeNull();
  });

  test("needs no line beyond its action", () => {
    expect(hintFor({ ...idea, line: [] }, ["take a"], ["place 1"])?.action).toBe("place 1");
  });
});

describe("a whole turn beside the bot's", () => {
  const asked: Idea = { after: [], action: "take b", line: ["take b", "place 1"], worth: 0.58, done: true, turn: { actions: ["take a", "place 1"], worth: 0.54 } };
  const mine = asked.turn!.actions;

  test("says what both are worth", () => {
    expect(comparison(asked, mine)).toEqual({ worth: 0.54, action: "take b", better: 0.58 });
  });

  test("is no better where it is the same turn, or not worth more", () => {
    expect(comparison({ ...asked, action: "take a", line: ["take a", "place 1"] }, mine)?.action).toBeNull();
    expect(comparison({ ...asked, worth: 0.543 }, mine)?.action).toBeNull();
  });

  test("is better where only a later action differs", () => {
    expect(comparison({ ...asked, action: "take a", line: ["take a", "place 2"] }, mine)?.action).toBe("take a");
  });

  test("is gone when the turn changes, and was never there for a part of a turn", () => {
    expect(comparison(asked, ["take a", "place 2"])).toBeNull();
    expect(comparison(asked, [])).toBeNull();
    expect(comparison({ ...asked, turn: undefined }, mine)).toBeNull();
  });

  test("leaves the bot's turn to be followed once the own turn is taken back", () => {
    expect(hintFor(asked, [], ["take a", "take b"])?.action).toBe("take b");
    expect(hintFor(asked, ["take b"], ["place 1"])?.action).toBe("place 1");
  });
});
