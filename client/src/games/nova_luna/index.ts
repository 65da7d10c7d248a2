import type { GameModule } from "../../play/board";
import type { NovaLunaView } from "./view";
import Board from "./Board.svelte";
import type { Words } from "./messages/en";
import { action, asks, facts, log, results, whyNot } from "./sentences";

export const game: GameModule<NovaLunaView, Words> = {
  name: "nova-luna",
  title: "Nova Luna",
  Board,
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
