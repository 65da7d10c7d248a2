/** Makes a manifest whole: its file leaves out what follows from little (`plenilune/wasm/manifest.py`). */
import { Actions } from "./actions";
import type { Kind, Manifest, ViewLayout } from "./manifest";

/** A word, how many there are, and by how much each number in it grows from one to the next. */
type Run = readonly [word: string, many: number, ...steps: number[]];
/** Words that begin with the same. */
type Group = { before: string; words: readonly Word[] };
type Word = string | Run | Group;
/** A part of the texts of these actions: the whole, the verb, or the words after it. */
type OfActions = { of: "text" | "verb" | "words"; first: number; many: number };
/** Records, without the names of their fields. */
type Rows = { fields: readonly string[]; rows: readonly (readonly unknown[] | null)[] };
type Table = readonly unknown[];

export type Packed = Omit<Manifest, "actions"> & {
  actions: Readonly<Record<string, readonly (readonly Word[])[]>>;
  tables: readonly (Table | Rows)[]; // by number, in the place of a table of the view
};

const NUMBER = /-?[0-9]+/g;

export function unpacked({ tables, ...packed }: Packed): Manifest {
  const lists = Object.entries(packed.actions).map(([verb, after]) => [verb, after.map((words) => words.flatMap(counted))]);
  const actions = Object.fromEntries(lists) as Manifest["actions"];
  const { texts } = new Actions(actions);
  const named = tables.map(withNames);
  return { ...packed, actions, view: withTables(packed.view, (table) => (typeof table === "number" ? named[table]! : ofActions(table, texts))) };
}

function counted(word: Word): string | string[] {
  if (typeof word === "string") return word;
  if ("before" in word) return word.words.flatMap(counted).map((last) => `${word.before} ${last}`);
  const [first, many, ...steps] = word;
  return Array.from({ length: many }, (_, times) => {
    let i = 0;
    return first.replace(NUMBER, (number) => String(Number(number) + times * (steps[i++] ?? 0)));
  });
}

type Find = (table: number | OfActions) => Table;

function withTables(layout: ViewLayout, find: Find): ViewLayout {
  return { ...layout, fields: layout.fields.map((field) => ({ ...field, kind: withTable(field.kind, find) })) };
}

function withTable(kind: Kind, find: Find): Kind {
  if (kind.is === "part") return { ...kind, layout: withTables(kind.layout, find) };
  if ("item" in kind) return { ...kind, item: withTable(kind.item, find) };
  return kind.is === "entry" ? { ...kind, table: find(kind.table as unknown as number | OfActions) } : kind;
}

function withNames(table: Table | Rows): Table {
  if (!("rows" in table)) return table;
  return table.rows.map((row) => row && Object.fromEntries(row.map((value, i) => [table.fields[i]!, value])));
}

function ofActions({ of, first, many }: OfActions, texts: readonly string[]): Table {
  return texts.slice(first, first + many).map((text) => {
    const [verb, ...words] = text.split(" ");
    return of === "text" ? text : of === "verb" ? verb : words;
  });
}
