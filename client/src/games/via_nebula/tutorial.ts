import type { Recording, Tutorial } from "../../play/board";
import recording from "./tutorial.json";

/** The first match: an exploitation, a site, a way, two carries, a building with its power. Plies 0 to 32 lay the table. */
export const tutorial: Tutorial = {
  recording: recording as unknown as Recording,
  steps: [
    { ply: 33, text: "learn.welcome" },
    { ply: 33, text: "learn.turn", show: ["word:h7", "word:g7", "word:e7"] },
    { ply: 33, text: "learn.craftsman", show: ["word:h7"], await: "craftsman h7" },
    { ply: 34, text: "learn.site", show: ["word:f7a"], await: "site f7a" },
    { ply: 37, text: "learn.other", show: ["word:e7"] },
    { ply: 37, text: "learn.explore", show: ["word:f8"], await: "explore f8" },
    { ply: 38, text: "learn.explore.more", show: ["word:g8"], await: "explore g8" },
    { ply: 41, text: "learn.path", show: ["word:f8", "word:g8"] },
    { ply: 41, text: "learn.carry", show: ["word:h7", "word:f7a"], await: "carry h7 f7a" },
    { ply: 42, text: "learn.carry.other", show: ["word:e7", "word:f7a"], await: "carry e7 f7a" },
    { ply: 45, text: "learn.emptied", show: ["word:e7"] },
    { ply: 45, text: "learn.contract", show: ["word:carpentry-d"] },
    { ply: 45, text: "learn.build", show: ["word:carpentry-d", "word:f7a"], await: "build f7a carpentry-d" },
    { ply: 46, text: "learn.power", show: ["word:g6"], await: "explore g6" },
    { ply: 48, text: "learn.explorer", show: ["pile0-0"] },
    { ply: 48, text: "learn.last", show: ["word:g7"], await: "craftsman g7" },
    { ply: 49, text: "learn.end", show: ["guild0"] },
  ],
};
