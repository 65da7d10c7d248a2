import type { Recording, Tutorial } from "../../play/board";
import recording from "./tutorial.json";

/** Thirty turns to the end: the learner decides nine of them, and watches the middle of the match. */
export const tutorial: Tutorial = {
  recording: recording as unknown as Recording,
  steps: [
    { ply: 0, text: "learn.aim", show: ["goals"] },
    { ply: 0, text: "learn.crew", show: ["lander"] },
    { ply: 0, text: "learn.roll", show: ["die"] },
    { ply: 1, text: "learn.first", show: ["word:3"], await: "move 3" },
    { ply: 5, text: "learn.star", show: ["word:5"], await: "move 5" },
    { ply: 9, text: "learn.leap", show: ["word:3"], await: "move 3" },
    { ply: 13, text: "learn.late", show: ["word:4"], await: "move 4" },
    { ply: 17, text: "learn.run", show: ["word:5"], await: "move 5" },
    { ply: 18, text: "learn.extra", show: ["die"] },
    { ply: 19, text: "learn.again", show: ["word:5"], await: "move 5" },
    { ply: 23, text: "learn.behind", show: ["word:4"], await: "move 4" },
    { ply: 26, text: "learn.post", show: ["post"] },
    { ply: 27, text: "learn.split", show: ["word:1", "word:2"], await: "split 1 2" },
    { ply: 28, text: "learn.watch" },
    { ply: 55, text: "learn.invest", show: ["word:1", "word:4"], await: "split 1 4" },
    { ply: 59, text: "learn.last", show: ["word:1", "word:4"], await: "split 1 4" },
    { ply: 60, text: "learn.scores", show: ["scores"] },
    { ply: 60, text: "learn.end" },
  ],
};
