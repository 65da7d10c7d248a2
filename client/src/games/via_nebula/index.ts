import type { Component } from "svelte";
import type { BoardProps, GameModule } from "../../board";
import Board from "./Board.svelte";
import type { Words } from "./messages/en";
import { action, asks, ends, facts, log, results, whyNot, type View } from "./words";

export const game: GameModule<View, Words> = {
  name: "via-nebula",
  title: "Via Nebula",
  Board: Board as Component<BoardProps<View, Words>>,
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
  ends,
  results,
  rules: () => import("./Rules.svelte"),
  tutorial: async () => (await import("./tutorial")).tutorial,
};
