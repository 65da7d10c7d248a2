import type { HomeEntry } from "../../play/board";
import Vignette from "./Vignette.svelte";

export const home: HomeEntry = {
  order: 2,
  minutes: "45–60",
  lesson: true,
  Vignette,
  crops: { card: "0 0 320 330", wide: "-25 58 370 219", thumb: "60 60 200 200" },
};
