import { describe, expect, test } from "vitest";
import { along, hintFor, type Idea } from "../src/table/idea";

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
