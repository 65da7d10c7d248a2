import { beforeEach, describe, expect, test } from "vitest";
import type { Confirm } from "../src/browser/preferences.svelte";
import { CHANCE, Turn, type Position, type TurnSource } from "../src/play/turn.svelte";

/** A little game: take a, b or c, then place it on 1 or 2; refilling asks chance. Its views are what was done. */
function at(done: readonly string[]): Position<string> {
  const last = done.at(-1) ?? "";
  const takes = ["take a", "take b", "take c", "refill"];
  const to_play = last === "refill" ? CHANCE : last.startsWith("place") ? 1 : 0;
  const legal = last.startsWith("take") ? ["place 1", "place 2"] : to_play === 0 ? takes : [];
  return { ply: 7, view: done.join(), legal, to_play, scores: [], places: [] };
}

let played: string[][];
let refused: string[];
let asked: number;
let wish: Confirm;
let turn: Turn<string>;
beforeEach(() => {
  [played, refused, asked, wish] = [[], [], 0, "turn"];
  const source: TurnSource<string> = {
    preview: async (_, actions) => (asked++, at(actions)),
    play: async (_, actions) => void played.push([...actions]),
    ends: (action) => action.startsWith("place"),
    confirm: () => wish,
    mine: () => [0],
    refused: (reason) => refused.push(reason),
    whyNot: (pick) => refused.push(JSON.stringify(pick)),
  };
  turn = new Turn(source, at([]));
});

describe("the unfinished turn", () => {
  test("is shown as it would be, and kept as it is", async () => {
    await turn.act("take b");
    expect([turn.shown.view, turn.committed.view, turn.pending]).toEqual(["take b", "", ["take b"]]);
    expect(turn.choice.legal).toEqual(["place 1", "place 2"]);
    expect(played).toEqual([]);
  });

  test("is busy while the position an action leads to is awaited, and while it is sent", async () => {
    const acting = turn.act("take b");
    expect(turn.busy).toBe(true);
    await acting;
    expect(turn.busy).toBe(false);
    await turn.act("place 2");
    await turn.confirm();
    expect(turn.busy, "until the position that follows arrives").toBe(true);
    turn.arrive(at(["take b", "place 2"]));
    expect(turn.busy).toBe(false);
  });

  test("is played when it is confirmed, all at once", async () => {
    await turn.act("take b");
    await turn.act("place 2");
    expect([turn.mayConfirm, turn.mayAct, played]).toEqual([true, false, []]);
    await turn.confirm();
    expect(played).toEqual([["take b", "place 2"]]);
    expect(turn.mayUndo, "what is sent cannot be taken back").toBe(false);
  });

  test("can be taken back action by action, redone, and restarted", async () => {
    await turn.act("take b");
    await turn.act("place 2");
    turn.undo();
    expect([turn.pending, turn.mayRedo]).toEqual([["take b"], true]);
    turn.undo();
    expect(turn.pending).toEqual([]);
    await turn.redo();
    await turn.redo();
    expect(turn.pending).toEqual(["take b", "place 2"]);
    turn.reset();
    expect(turn.pending).toEqual([]);
    await turn.redo();
    await turn.redo();
    expect(turn.pending).toEqual(["take b", "place 2"]);
  });

  test("something else that is done forgets what could be done again", async () => {
    await turn.act("take b");
    turn.undo();
    await turn.act("take c");
    expect([turn.pending, turn.mayRedo]).toEqual([["take c"], false]);
  });

  test("another tile may be picked without taking the first one back by hand", async () => {
    await turn.act("take b");
    expect(turn.choice.state({ word: "c", verb: "take" })).toBe("swap");
    turn.choice.choose({ word: "c", verb: "take" });
    await Promise.resolve();
    await Promise.resolve();
    expect(turn.pending).toEqual(["take c"]);
  });

  test("what cannot be done says why not", () => {
    turn.choice.choose({ word: "1", verb: "place" });
    expect(refused).toEqual(['{"word":"1","verb":"place"}']);
  });

  test("belongs to its ply: it is gone when the match goes on", async () => {
    await turn.act("take b");
    turn.arrive({ ...at([]), ply: 9 });
    expect([turn.pending, turn.shown.ply]).toEqual([[], 9]);
  });

  test("asks for each preview once", async () => {
    await turn.act("take b");
    turn.undo();
    await turn.act("take b");
    expect(asked).toBe(1);
  });
});

describe("confirm", () => {
  test.each([
    ["never", "place 1", [["take a", "place 1"]]],
    ["turn", "place 1", []],
    ["always", "place 1", []],
  ] as const)("%s: a turn that ends", async (how, last, sent) => {
    wish = how;
    await turn.act("take a");
    await turn.act(last);
    expect(played).toEqual(sent);
  });

  test.each([
    ["never", [["refill"]]],
    ["turn", [["refill"]]],
    ["always", []],
  ] as const)("%s: a draw in the middle of it", async (how, sent) => {
    wish = how;
    await turn.act("refill");
    expect(played).toEqual(sent);
  });
});
