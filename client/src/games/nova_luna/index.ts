import type { GameModule } from "../../board";
import type { NovaLunaView } from "../../protocol";
import Board from "./Board.svelte";
import { en } from "./messages/en";
import { action, asks, facts, log, results, whyNot } from "./telling";

export const game: GameModule<NovaLunaView, typeof en> = {
  name: "nova-luna",
  title: "Nova Luna",
  Board,
  messages: {
    en: async () => en,
    fr: async () => (await import("./messages/fr")).fr,
    nl: async () => (await import("./messages/nl")).nl,
    ru: async () => (await import("./messages/ru")).ru,
  },
  asks,
  log,
  facts,
  action,
  whyNot,
  // Laying the tile ends the turn, also when the same seat plays again; ending a phase cannot be taken back.
  ends: (text) => text.startsWith("place ") || text === "stop",
  results,
  rules: () => import("./Rules.svelte"),
  tutorial: async () => (await import("./tutorial")).tutorial,
};
