/** What `Position` and `Game` offer in Python (`plenilune/position.py`), from compiled rules in the page. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { Refusal } from "../protocol/refusal";
import { Actions, countActions } from "./actions";
import type { Manifest } from "./manifest";
import { Module, type Call } from "./module";
import { viewReader, type View } from "./view";

/** One record of a game's state. Nobody writes to one after it was made. */
export type State = Uint8Array;
export type Stop = "" | "chance" | "secret" | "turn" | "over";

/** Where some actions would lead, as far as their seat can tell. */
export interface Ahead {
  seen: State;
  done: number; // how many of them
  stopped: Stop; // why nothing further can be told
}

export interface Standing {
  scores: number[];
  places: number[]; // 1 for the best seat, as if the match ended now; seats may share a place
}

export const CHANCE = -1;
export const OVER = -2;
export const SPECTATOR = -1;

const GUESSES = 3; // at what a seat does not know, to find out whether an action would reveal some of it
const MOST_LISTED = 12; // actions that a refusal names
const DIGEST = 8; // bytes of the SHA-256
const SEED = 8; // bytes of a random generator
export const STOPS: Readonly<Record<Exclude<Stop, "">, string>> = {
  chance: "chance comes first",
  secret: "what comes first depends on what you cannot know",
  turn: "the turn has ended before it",
  over: "the match would be over",
};

export class Rules {
  readonly manifest: Manifest;
  readonly count: number; // of actions
  private texts: Actions | null = null;
  private readonly size: number;
  private readonly state: number; // addresses of scratch in the module's memory
  private readonly spare: number;
  private readonly numbers: number;
  private readonly out: number;
  private readonly generator: number;
  private readonly record: number;
  private readonly read: (data: DataView, at: number) => View;
  private readonly calls: Readonly<Record<"setup" | "legal" | "apply" | "score_and_rank" | "hide" | "resample" | "fill", Call>>;
  private readonly known: Call | null;

  constructor(readonly module: Module) {
    const { manifest } = module;
    this.manifest = manifest;
    this.count = countActions(manifest.actions);
    this.size = manifest.state.size;
    this.state = module.allocate(this.size);
    this.spare = module.allocate(this.size);
    this.numbers = module.allocate(4 * Math.max(...manifest.seats, Object.keys(manifest.options).length));
    this.out = module.allocate(4 * this.count);
    this.generator = module.allocate(SEED);
    this.record = module.allocate(manifest.view.size);
    this.read = viewReader(manifest.view);
    this.calls = {
      setup: module.call("setup"),
      legal: module.call("legal"),
      apply: module.call("apply"),
      score_and_rank: module.call("score_and_rank"),
      hide: module.call("hide"),
      resample: module.call("resample"),
      fill: module.call("fill"),
    };
    this.known = module.has("known") ? module.call("known") : null;
  }

  /** Made when texts are asked for first: a search asks for none. */
  get actions(): Actions {
    return (this.texts ??= new Actions(this.manifest.actions));
  }

  // Playing

  /** Options that are left out are as usual. The caller has asked `objection` whether they go together. */
  begin(seats: number, options: Readonly<Record<string, string>>): State {
    const words = Object.entries(this.chosen(options)).map(([name, word]) => this.manifest.options[name]!.indexOf(word));
    this.module.bytes.fill(0, this.state, this.state + this.size);
    this.writeNumbers(words);
    this.calls.setup(this.state, seats, this.numbers, words.length);
    return this.taken();
  }

  /** Every option with the word chosen or its default. */
  chosen(options: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(this.manifest.options).map(([name, words]) => [name, options[name] ?? words[0]!]));
  }

  seats(state: State): number {
    return dataOf(state).getInt32(this.manifest.state.seats, true);
  }

  /** A seat, CHANCE or OVER. */
  toPlay(state: State): number {
    return dataOf(state).getInt32(this.manifest.state.to_play, true);
  }

  /** Sorted: the dice mean the same however a game lists them. */
  legal(state: State): number[] {
    if (this.toPlay(state) === OVER) return [];
    this.put(state);
    const many = this.calls.legal(this.state, this.out, this.count);
    return this.readNumbers(this.out, many).sort((a, b) => a - b);
  }

  /** The caller knows that the action is legal. */
  apply(state: State, action: number): State {
    this.put(state);
    this.calls.apply(this.state, action);
    return this.taken();
  }

  standing(state: State): Standing {
    this.put(state);
    const seats = this.seats(state);
    this.calls.score_and_rank(this.state, this.numbers, seats, this.out, seats);
    return { scores: this.readNumbers(this.numbers, seats), places: this.readNumbers(this.out, seats) };
  }

  // Seeing

  /** The state as the viewer knows it. */
  seen(state: State, viewer: number): State {
    if (!this.manifest.secrets) return state;
    this.put(state);
    this.calls.hide(this.state, viewer);
    return this.taken();
  }

  /** How many words of an action that is about to be played the viewer may read; null for all. */
  words(state: State, action: number, viewer: number): number | null {
    if (!this.known) return null;
    this.put(state);
    return this.known(this.state, action, viewer);
  }

  view(seen: State): View {
    this.put(seen);
    this.module.bytes.fill(0, this.record, this.record + this.manifest.view.size);
    this.calls.fill(this.state, 1, this.record, 1, this.spare, 1);
    return this.read(this.module.data, this.record);
  }

  /** Names what is seen: equal for everybody who sees the same. */
  digest(seen: State): string {
    return bytesToHex(sha256(seen).subarray(0, DIGEST));
  }

  // Texts

  text(action: number, known: number | null = null): string {
    return this.actions.text(action, known);
  }

  /** The number of the action that is called so, or null. */
  parse(text: string): number | null {
    return this.actions.number(text);
  }

  /** What the viewer may play in a state as it has seen it. */
  legalTexts(seen: State, viewer: number): string[] {
    return viewer === SPECTATOR || this.toPlay(seen) !== viewer ? [] : this.legal(seen).map((number) => this.text(number));
  }

  /** The number of an action that may be played in this state; a refusal tells `who` what may be. */
  check(state: State, text: string, when: "now" | "then" = "now", who = moverOf(this.toPlay(state))): number {
    const allowed = this.legal(state);
    const may = () => (this.toPlay(state) === OVER ? "the match is over" : this.listed(allowed, who));
    const number = this.actions.number(text);
    if (number === null) throw new Refusal("unknown_action", `no such action: '${text}'; ${may()}`);
    if (!allowed.includes(number)) throw new Refusal("illegal_action", `'${text}' is not allowed ${when}; ${may()}`);
    return number;
  }

  private listed(numbers: readonly number[], who: string): string {
    const more = numbers.length > MOST_LISTED ? ` and ${numbers.length - MOST_LISTED} more` : "";
    const texts = numbers.slice(0, MOST_LISTED).map((number) => this.text(number));
    return `${who} may: ${texts.join(", ")}${more}`;
  }

  // Looking ahead

  /** Play the actions on what the seat has seen, as far as it can tell where they lead. */
  ahead(seen: State, seat: number, texts: readonly string[]): Ahead {
    let now = seen;
    for (const [done, text] of texts.entries()) {
      const stopped = this.stops(now, seat);
      if (stopped) throw new Refusal("illegal_action", `'${text}' cannot come next: ${STOPS[stopped]}`, "action_not_next");
      this.actions.parse(text); // what is not an action is refused without a list
      const after = this.certain(now, seat, this.check(now, text, done ? "then" : "now", "you"));
      if (!after) return { seen: now, done, stopped: "secret" };
      now = after;
    }
    return { seen: now, done: texts.length, stopped: this.stops(now, seat) };
  }

  private stops(seen: State, seat: number): Stop {
    const mover = this.toPlay(seen);
    if (mover === OVER) return "over";
    if (mover === CHANCE) return "chance";
    return mover === seat ? "" : "turn";
  }

  /** The seen state after the action, or null if it would show what the seat cannot know. */
  private certain(seen: State, seat: number, action: number): State | null {
    const first = this.guessed(seen, seat, action, 0n);
    if (!this.manifest.secrets) return first;
    for (let guess = 1n; guess < GUESSES; guess++) if (!equal(first, this.guessed(seen, seat, action, guess))) return null;
    return first;
  }

  private guessed(seen: State, seat: number, action: number, guess: bigint): State {
    const { data } = this.module;
    const toPlay = this.state + this.manifest.state.to_play;
    this.put(seen);
    data.setBigUint64(this.generator, guess, true);
    this.calls.resample(this.state, seat, this.generator, 1);
    this.calls.apply(this.state, action);
    const over = data.getInt32(toPlay, true) === OVER;
    if (over && this.manifest.secrets) data.setInt32(toPlay, seat, true); // the end lays everything open; a guess must not be
    this.calls.hide(this.state, seat);
    if (over) data.setInt32(toPlay, OVER, true);
    return this.taken();
  }

  // The module's memory

  private put(state: State): void {
    this.module.bytes.set(state, this.state);
  }

  private taken(): State {
    return this.module.bytes.slice(this.state, this.state + this.size);
  }

  private readNumbers(at: number, many: number): number[] {
    return [...new Int32Array(this.module.bytes.buffer, at, many)];
  }

  private writeNumbers(numbers: readonly number[]): void {
    numbers.forEach((number, i) => this.module.data.setInt32(this.numbers + 4 * i, number, true));
  }
}

function moverOf(toPlay: number): string {
  return toPlay === CHANCE ? "chance" : `seat ${toPlay + 1}`;
}

function dataOf(state: State): DataView {
  return new DataView(state.buffer, state.byteOffset, state.byteLength);
}

export function equal(a: State, b: State): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
