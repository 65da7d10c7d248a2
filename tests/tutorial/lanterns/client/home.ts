import type { HomeEntry } from "plenilune/play/board";
import Title from "./Title.svelte";
import Vignette from "./Vignette.svelte";

export const home: HomeEntry = {
  order: 10,
  minutes: "10",
  lesson: false,
  Title,
  Vignette,
  crops: { card: "0 0 320 330", wide: "-60 20 440 262", thumb: "60 60 200 200" },
};
