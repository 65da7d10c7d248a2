import type { HomeEntry } from "../../play/board";
import Vignette from "./Vignette.svelte";

export const home: HomeEntry = {
  order: 3,
  minutes: "20",
  lesson: true,
  Vignette,
  crops: { card: "0 26 320 290", wide: "-60 46 480 286", thumb: "90 76 216 216" },
};
