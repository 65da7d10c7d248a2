import type { GameModule } from "../../play/board";
import type { MoonLeapView } from "./view";
import Board from "./Board.svelte";
import type { Words } from "./messages/en";
import { action, asks, facts, log, results, whyNot } from "./sentences";

export const game: GameModule<MoonLeapView, Words> = {
  name: "moon-leap",
  title: "Moon Leap",
  Board,
  asks,
  log,
  facts,
  action,
  whyNot,
  // A turn is a roll and one answer, also where an extra turn follows.
  ends: () => true,
  results,
  rules: () => import("./Rules.svelte"),
  tutorial: async () => (await import("./tutorial")).tutorial,
};
