import type { GameModule } from "../../board";
import type { MoonLeapView } from "../../protocol";
import Board from "./Board.svelte";
import type { Messages } from "./messages/en";
import { action, asks, facts, log, results, whyNot } from "./telling";

export const game: GameModule<MoonLeapView, Messages> = {
  name: "moon-leap",
  title: "Moon Leap",
  Board,
  messages: {
    en: async () => (await import("./messages/en")).en,
    fr: async () => (await import("./messages/fr")).fr,
    nl: async () => (await import("./messages/nl")).nl,
    ru: async () => (await import("./messages/ru")).ru,
  },
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
