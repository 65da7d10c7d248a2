/**
 * What `plenilune/wasm` writes beside the modules, in the folder `modules/` of the pages: `index.json` lists the games,
 * and each module has a manifest of its own. Numbers of bytes and offsets are those of packed, little-endian records.
 * In its file a manifest is shorter: `unpacked` (packed.ts) makes it what is declared here.
 */
import type { GameInfo } from "../protocol/messages";

/** What these pages can read; `plenilune/wasm/build.py` has the same number. */
export const FORMAT = 1;

export interface ModuleIndex {
  version: string; // of Plenilune
  format: number;
  games: readonly IndexedGame[];
}

/** Everything that is known of a game before its module is loaded. */
export interface IndexedGame extends GameInfo {
  /** File names without ending, by version of the rules: `moon-leap-2.4f1c09ab` has a `.wasm` and a `.json`. */
  modules: Readonly<Record<string, string>>;
}

export interface Manifest {
  game: string;
  title: string;
  rules: number;
  components: string; // the component table's digest
  seats: readonly number[];
  options: Readonly<Record<string, readonly string[]>>; // in the order in which `setup` takes them
  secrets: boolean;
  /** Verbs, and after each its words: actions are all combinations, numbered in this order. */
  actions: Readonly<Record<string, readonly (readonly string[])[]>>;
  state: StateLayout;
  view: ViewLayout;
  search: SearchLayout;
  tuning: TuningValues;
  tuned: Readonly<Record<string, TuningValues>>; // by the number of seats, where another is better
  levels: Readonly<Record<string, LevelValues>>; // weakest first
  /** The parameters of every exported function, in order; `.length` follows the pointer of an array. */
  exports: Readonly<Record<string, readonly string[]>>;
}

interface StateLayout {
  size: number;
  seats: number; // offset of an i32
  to_play: number; // offset of an i32
}

type TuningValues = readonly number[]; // the fields of `Tuning`, in order

interface LevelValues {
  simulations: number;
  slips: number;
  crowded: number;
}

/** Records and offsets of the search (`plenilune/bots/search/records.py`). */
interface SearchLayout {
  node: RecordLayout;
  statistics: RecordLayout;
  scratch: RecordLayout;
  kinds: number;
}

export interface RecordLayout {
  size: number;
  fields: Readonly<Record<string, { offset: number; type: NumberType; shape: readonly number[] }>>;
}

export type NumberType = "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "f32" | "f64";

/** A shape (`plenilune/core/shape.py`): its fields, and how each is stored and read. */
export interface ViewLayout {
  size: number;
  fields: readonly ViewField[];
}

interface ViewField {
  name: string;
  offset: number;
  kind: Kind;
}

export type Kind =
  | { is: "number"; type: NumberType }
  | { is: "flag" }
  | { is: "entry"; type: "u8" | "u16"; table: readonly unknown[] }
  | { is: "constant"; value: unknown }
  | { is: "part"; layout: ViewLayout }
  | { is: "items"; item: Kind; size: number; length: number } // `size` is of one item
  | { is: "several"; item: Kind; size: number; most: number } // a u16 count, then the items
  | { is: "optional"; item: Kind; size: number } // a u16 count of 0 or 1, then the item
  | { is: "counts"; words: readonly string[]; type: NumberType; size: number }; // a u16 count, 0 or all
