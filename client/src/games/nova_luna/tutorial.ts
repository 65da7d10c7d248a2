/** The first match: how a tile gets from the wheel to a token on a task. Its moves are in tutorial.match. */
import type { Recording, Tutorial, TutorialStep } from "../../play/board";
import recording from "./tutorial.json";

const say = (ply: number, name: string, ...show: string[]): TutorialStep => ({ ply, text: `tutorial.${name}`, show });
const ask = (ply: number, name: string, action: string, ...show: string[]): TutorialStep => ({
  ...say(ply, name, keyOf(action), ...show),
  await: action,
});

/** What a target is found by: `take 2` is `word:take:2`, `refill` is `verb:refill`. */
function keyOf(action: string): string {
  const [verb, word] = action.split(" ");
  return word === undefined ? `verb:${verb}` : `word:${verb}:${word}`;
}

const steps: readonly TutorialStep[] = [
  say(0, "hello"),
  say(2, "order", "track"),
  say(13, "wheel", "word:take:1", "word:take:2", "word:take:3"),
  ask(13, "tile", "take 2"),
  say(14, "track", "moon", "track"),
  ask(14, "first", "place 0,0"),
  say(15, "behind", "track"),
  say(19, "again", "track"),
  ask(21, "yours", "take 2"),
  ask(22, "cells", "place 1,0"),
  say(23, "both", "tile:r6a", "tile:t6b"),
  ask(25, "sun", "take 2"),
  ask(26, "sunLay", "place 0,-1"),
  say(27, "stillYou", "track"),
  ask(27, "groupTake", "take 2"),
  ask(28, "group", "place 1,-1"),
  say(29, "four", "tile:y1", "tile:y2a"),
  ask(31, "refill", "refill"),
  ask(41, "blue", "take 2"),
  ask(42, "blueLay", "place 0,1"),
  ask(43, "onTop", "take 2"),
  ask(44, "last", "place 1,1"),
  say(45, "end", "tokens"),
];

export const tutorial: Tutorial = { recording: recording as unknown as Recording, steps };
