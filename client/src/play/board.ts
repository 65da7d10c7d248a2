/**
 * What a game's folder gives the application, and what the application gives a board. README.md explains it with examples.
 * A board draws; it knows no rules. What may be done, where it leads and what it is called come from outside.
 */
import type { Component } from "svelte";
import type { Choice } from "./choice.svelte";
import type { Pick } from "./choosing";
import type { Catalogue, LookUp, Translate } from "../i18n/translate";
import type { English } from "../i18n/messages/en";
import type { View } from "./patch";
import type { SeatInfo, LogEntry as ToldEntry } from "../protocol/messages";
import type { Ghost, Position } from "./turn.svelte";

export type { Ghost, Position } from "./turn.svelte";
export type { Choice, PickState } from "./choice.svelte";
export type { Pick } from "./choosing";
export type { SeatInfo } from "../protocol/messages";
export { CHANCE, OVER, SPECTATOR } from "./turn.svelte";

export type Size = "wide" | "phone";

/** What the bot would play, better and better while it thinks. */
export interface Hint {
  action: string;
  worth: number; // the seat's chance to win, 0 to 1
  line: readonly string[]; // what it expects to be played, its own action first
  done: boolean;
}

export interface BoardProps<V, C extends Catalogue = Catalogue> {
  /** What to draw: the match after the unfinished turn's pending actions. */
  view: V;
  /** The match as it is kept: pieces that differ from it are not certain yet, and are drawn as such. */
  kept: V;
  /** The unfinished turn's actions, oldest first. */
  pending: readonly string[];
  /** Where a click on what the pointer or focus is on would lead; also while it waits to be confirmed, nothing. */
  ghost: Ghost<V> | null;
  /** What may be chosen now, word by word. */
  choice: Choice;
  hint: Hint | null;
  /** What was played since the front seat last acted, chance's part too, oldest first. */
  recent: readonly LogEntry[];
  seats: readonly SeatInfo[];
  /** The seat whose things are drawn largest. */
  front: number;
  /** The seats the viewer plays; none for a spectator, several at one screen. */
  mine: readonly number[];
  /** The seat to play, CHANCE or OVER; until a turn is confirmed, its seat is still to play. */
  turn: number;
  size: Size;
  /** Of the board's area, in CSS pixels. */
  width: number;
  height: number;
  /** Nothing may move. */
  still: boolean;
  t: Translate<C & English>;
  /** Have something read aloud that is not in the log or the status line. */
  announce: (text: string) => void;
}

/** What a sentence about a match may need. */
export interface SentenceContext<V, C extends Catalogue = Catalogue> {
  t: Translate<C & English>;
  lookUp: LookUp; // for keys that are data; null if there is no such message
  name: (seat: number) => string;
  view: V;
  mine: readonly number[];
}

/** An action in the log, and what it did, where the views on both sides of it are known. */
export interface LogEntry extends ToldEntry {
  facts?: Record<string, unknown>;
}

export interface ResultRow {
  label: string;
  values: readonly (number | string)[]; // by seat
}

/** Why something cannot be done, and the paragraph of the game's RULES.md that says so. */
export interface Reason {
  text: string;
  rule: string; // "4.3"
}

/** What happens at a table: `index.ts` in a game's folder exports it as `game`. It is found because it is there. */
export interface GameModule<V = unknown, C extends Catalogue = Catalogue> {
  name: string; // as the server calls it, with hyphens
  title: string;
  Board: Component<BoardProps<V, C>>;
  /** What is asked of the seat to play, in one short sentence without its name: "Lay the yellow 4". */
  asks(position: Position<V>, context: SentenceContext<V, C>): string;
  /** A log entry as a sentence: "Koa lays yellow 3 and covers 1"; null for what nobody needs to read. */
  log(entry: LogEntry, context: SentenceContext<V, C>): string | null;
  /** What an action did, from the views before and after it, for a fuller sentence: put into `entry.facts`.
   * Entries of long ago come without: `log` must make sense of both. */
  facts?(entry: LogEntry, before: V, after: V): Record<string, unknown>;
  /** An action in words, for hints and the review: "Lay it right of the red 6". */
  action(action: string, context: SentenceContext<V, C>): string;
  /** Why this cannot be chosen now, or null if the board has no better answer than "not now". */
  whyNot(pick: Pick, position: Position<V>, context: SentenceContext<V, C>): Reason | null;
  /** Whether the action ends the turn, though the same seat may be to play again. */
  ends(action: string, before: Position<V>, after: Position<V>): boolean;
  /** How the points came about, for the page of results. */
  results(view: V, context: SentenceContext<V, C>): readonly ResultRow[];
  /** The rules, drawn; without them the game's RULES.md is shown. */
  rules?: () => Promise<{ default: Component<RulesProps<C>> }>;
  /** Where owners of the box enter what is printed in theirs; the catalogue has its name, `editor.title`. */
  editor?: () => Promise<{ default: Component<EditorProps<C>> }>;
  /** The first match, for learning; without one the game offers no lesson. */
  tutorial?: () => Promise<Tutorial>;
}

/**
 * What is shown of a game before anybody sits down: `home.ts` in a game's folder exports it as `home`. It is loaded with
 * the home page, so it is small and does not import the board. What is said there, the game's catalogues have: `game.blurb`
 * (what it is about, in one sentence), `game.doubt` (what is not certain about its components), and the names of options
 * and of their values, `game.option.map` and `game.option.map.expert`.
 */
export interface HomeEntry {
  order: number; // among the games on the home page, lowest first
  minutes: string; // how long people take for a match: "30–60"
  lesson: boolean; // whether there is a tutorial
  /** The contents of an SVG: a scene in a box of 320 × 330 and beyond it, or a sign in a box of 34 × 34. */
  Vignette: Component<VignetteProps>;
  /** The game's name, drawn as high as is wished; without it the name is set in our own letters. */
  Title?: Component<TitleProps>;
  /** The part of the scene that each shape of window shows, as a `viewBox`. */
  crops: Readonly<Record<Exclude<VignetteProps["as"], "sign">, string>>;
}

export interface TitleProps {
  text: string; // the name, for screen readers
  height: number; // in CSS pixels
}

export interface VignetteProps {
  /** `card` is upright, `wide` is not, `thumb` is a small square without figures. */
  as: "card" | "wide" | "thumb" | "sign";
}

export interface RulesProps<C extends Catalogue = Catalogue> {
  t: Translate<C & English>;
  game: string;
  /** Some figures of the component table in use are not known for certain. */
  uncertain: boolean;
}

export interface EditorProps<C extends Catalogue = Catalogue> {
  t: Translate<C & English>;
  lookUp: LookUp;
}

/** An interactive first match: a recorded one, walked along; the learner's own actions are awaited. */
export interface Tutorial {
  recording: Recording;
  steps: readonly TutorialStep[];
}

export interface TutorialStep {
  /** Shown when the recording is at this ply; several steps of one ply follow one another. */
  ply: number;
  /** A message key of the game's catalogue. */
  text: string;
  /** What to point at: keys of targets (`word:c4`, `verb:refill`), or a board's own `data-spot` names. */
  show?: readonly string[];
  /** The learner's action that leads on; without one, a button "Next" does. It must be the recording's. */
  await?: string;
}

/** What `client/dev/record.py` writes: every ply's position as the learner's seat sees it. */
export interface Recording {
  game: string;
  seats: number;
  options: Record<string, string>;
  seat: number; // the learner's
  frames: readonly RecordedFrame[];
}

export interface RecordedFrame {
  /** Fields of the view that changed since the frame before; in the first frame all of them. */
  view: View;
  /** Single places of lists that changed. */
  parts: Record<string, Record<string, unknown>>;
  legal: readonly string[];
  to_play: number;
  scores: readonly number[];
  places: readonly number[];
  /** What leads to the next frame, and what that did. */
  entry: LogEntry | null;
}
