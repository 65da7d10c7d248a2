import { describe, expect, test } from "vitest";
import { add, addOrChange, complete, holds, matches, NOTHING, Offer, verbs, without, wordsAt, type Chosen, type Pick } from "../src/play/choosing";

const LEGAL = ["craftsman b6", "explore b6", "explore c4", "carry a5 a8a", "carry a7 a8a", "carry a7 f7b", "pass"];

function choose(...picks: Pick[]): Chosen {
  return picks.reduce<Chosen>((chosen, pick) => add(LEGAL, chosen, pick) ?? expect.fail(JSON.stringify(pick)), NOTHING);
}

describe("choosing word by word", () => {
  test("a word that only one action has is that action", () => {
    expect(complete(LEGAL, choose({ word: "c4" }))).toBe("explore c4");
  });

  test("a word of two actions waits for the verb, chosen before or after it", () => {
    expect(complete(LEGAL, choose({ word: "b6" }))).toBeNull();
    expect(complete(LEGAL, choose({ word: "b6" }, { verb: "craftsman" }))).toBe("craftsman b6");
    expect(complete(LEGAL, choose({ verb: "explore" }, { word: "b6" }))).toBe("explore b6");
  });

  test("the goal may be chosen before the start", () => {
    const goal = choose({ word: "a8a" });
    expect(matches(LEGAL, goal)).toEqual(["carry a5 a8a", "carry a7 a8a"]);
    expect(wordsAt(LEGAL, goal, 0)).toEqual(["a5", "a7"]);
    expect(complete(LEGAL, add(LEGAL, goal, { word: "a7" })!)).toBe("carry a7 a8a");
  });

  test("an action with a word still open is never played, even if it is the only one left", () => {
    expect(matches(LEGAL, choose({ word: "a5" }))).toEqual(["carry a5 a8a"]);
    expect(complete(LEGAL, choose({ word: "a5" }))).toBeNull();
  });

  test("a verb without words is an action", () => {
    expect(complete(LEGAL, choose({ verb: "pass" }))).toBe("pass");
  });

  test("nothing chosen is not an action, even when only one is legal", () => {
    expect(complete(["pass"], NOTHING)).toBeNull();
  });

  test("the order of two words of one kind counts", () => {
    const splits = ["split 1 2", "split 2 1"];
    const first = add(splits, NOTHING, { word: "2" })!;
    expect(complete(splits, add(splits, first, { word: "1" })!)).toBe("split 2 1");
  });

  test("a short action is not played while a longer one begins with the same word", () => {
    const legal = ["move 2", "split 2 1"];
    const two = add(legal, NOTHING, { word: "2" })!;
    expect(complete(legal, two)).toBeNull();
    expect(verbs(legal, two)).toEqual(["move", "split"]);
  });

  test("a pick that does not fit replaces what was chosen", () => {
    const chosen = choose({ word: "a7" });
    expect(add(LEGAL, chosen, { word: "c4" })).toBeNull();
    expect(complete(LEGAL, addOrChange(LEGAL, chosen, { word: "c4" })!)).toBe("explore c4");
  });

  test("what is not legal cannot be picked", () => {
    expect(addOrChange(LEGAL, NOTHING, { word: "z9" })).toBeNull();
    expect(addOrChange(LEGAL, NOTHING, { verb: "build" })).toBeNull();
    expect(addOrChange(LEGAL, NOTHING, { action: "carry a5 f7b" })).toBeNull();
    expect(addOrChange(LEGAL, NOTHING, { word: "b6", verb: "carry" })).toBeNull();
  });

  test("an offer answers as adding does, whatever is chosen", () => {
    const [words, actions] = [["b6", "c4", "a5", "a7", "a8a", "f7b", "z9"], [...LEGAL, "carry a5 f7b"]];
    const plain: Pick[] = words.flatMap((word) => [{ word }, { word, at: 0 }, { word, at: 1 }]);
    const verbal: Pick[] = ["craftsman", "explore", "carry", "pass", "build"].flatMap((verb) => [{ verb }, ...plain.map((pick) => ({ ...pick, verb }) as Pick)]);
    const picks = [...plain, ...verbal, ...actions.map((action): Pick => ({ action }))];
    const begun = [NOTHING, choose({ word: "b6" }), choose({ verb: "carry" }), choose({ word: "a8a" }), choose({ verb: "carry" }, { word: "a7" }), choose({ word: "a7" }, { word: "f7b" })];
    for (const chosen of begun) {
      const offer = new Offer(LEGAL, chosen);
      expect(picks.filter((pick) => offer.has(pick))).toEqual(picks.filter((pick) => add(LEGAL, chosen, pick)));
    }
  });

  test("a pick can be taken back", () => {
    const chosen = choose({ word: "a7" }, { word: "f7b" });
    expect(holds(chosen, { word: "f7b" })).toBe(true);
    expect(matches(LEGAL, without(chosen, { word: "f7b" }))).toEqual(["carry a7 a8a", "carry a7 f7b"]);
  });
});
