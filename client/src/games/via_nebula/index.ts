import type { Component } from "svelte";
import type { BoardProps, GameModule } from "../../play/board";
import Board from "./Board.svelte";
import type { Words } from "./messages/en";
import { action, asks, ends, facts, log, results, whyNot, type View } from "./sentences";

export const game: GameModule<View, Words> = {
  name: "via-nebula",
  title: "Via Nebula",
  Board: Board as Component<BoardProps<View, Words>>,
  asks,
  log,
  facts,
  action,
  whyNot,
  ends,
  results,
  rules: () => import("./Rules.svelte"),
  editor: () => import("./editor/Editor.svelte"),
  tutorial: async () => (await import("./tutorial")).tutorial,
};
