/** What the pieces of the frame (status line, buttons, names, log) know of the table they stand at. */
import { getContext, setContext } from "svelte";
import type { GameModule, Hint, LogEntry, SentenceContext } from "./board";
import type { Clocks, SeatInfo } from "../protocol/messages";
import type { Turn } from "./turn.svelte";

export interface Scene<V = unknown> {
  readonly game: GameModule<V>;
  readonly turn: Turn<V>;
  readonly seats: readonly SeatInfo[];
  readonly front: number;
  readonly mine: readonly number[];
  readonly log: readonly LogEntry[];
  readonly clocks: Clocks | null;
  readonly hint: Hint | null;
  readonly context: SentenceContext<V>;
  /** A refusal or a reason why not, shown in the status line's place for a while. */
  readonly notice: string | null;
  /** The paragraph of the rules that the notice follows from. */
  readonly citation?: string | null;
  openRule?(rule: string): void;
  readonly unread: number; // chat lines
  /** Bots and hints wait for the code they think with, which is compiled once on a machine. */
  readonly preparing?: boolean;
  say(notice: string): void;
  openLog(): void;
  /** Show at once what is still waiting to be shown. */
  hurry?(): void;
}

const KEY = Symbol("scene");

export function provideScene(scene: Scene): void {
  setContext(KEY, scene);
}

export function useScene(): Scene {
  return getContext<Scene>(KEY);
}
