import type { HomeEntry } from "../board";
import Vignette from "./Vignette.svelte";

/** For a game without a `home.ts`: a night sky, and what the server says of the game. */
export const genericHome: HomeEntry = {
  order: Infinity,
  minutes: "",
  lesson: false,
  Vignette,
  crops: { card: "0 0 320 330", wide: "-60 46 440 262", thumb: "60 40 200 200" },
};
