import type { HomeEntry } from "../../play/board";
import Vignette from "./Vignette.svelte";

export const home: HomeEntry = {
  order: 1,
  minutes: "30–60",
  lesson: true,
  Vignette,
  crops: { card: "0 8 320 300", wide: "-76 16 472 284", thumb: "30 28 260 260" },
};
