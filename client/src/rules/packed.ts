/** Makes a manifest whole: its file leaves out what follows from little (`plenilune/wasm/manifest.py`). */
import { Actions } from "./actions";
import type { Kind, Manifest, ViewLayout } from "./manifest";

/** A word, how many there are, and by how much each number in it grows from one to the next. */
type Run = readonly [word: string, many: number, ...steps: number[]];
/** A part of the texts of these actions: the whole, the verb, or the words after it. */
type OfActions = { of: "text" | "verb" | "words"; first: number; many: number };

export type Packed = Omit<Manifest, "actions"> & {
  actions: Readonly<Record<string, readonly (readonly (string | Run)[])[]>>;
};

const NUMBER = /-?[0-9]+/g;

export function unpacked(packed: Packed): Manifest {
  const lists = Object.entries(packed.actions).map(([verb, after]) => [verb, after.map((words) => words.flatMap(counted))]);
  const actions = Object.fromEntries(lists) as Manifest["actions"];
  return { ...packed, actions, view: withTables(packed.view, new Actions(actions).texts) };
}

function counted(word: string | Run): string | string[] {
  if (typeof word === "string") return word;
  const [first, many, ...steps] = word;
  return Array.from({ length: many }, (_, times) => {
    let i = 0;
    return first.replace(NUMBER, (number) => String(Number(number) + times * (steps[i++] ?? 0)));
  });
}

function withTables(layout: ViewLayout, texts: readonly string[]): ViewLayout {
  return { ...layout, fields: layout.fields.map((field) => ({ ...field, kind: withTable(field.kind, texts) })) };
}

function withTable(kind: Kind, texts: readonly string[]): Kind {
  if (kind.is === "part") return { ...kind, layout: withTables(kind.layout, texts) };
  if ("item" in kind) return { ...kind, item: withTable(kind.item, texts) };
  return kind.is === "entry" ? { ...kind, table: whole(kind.table as typeof kind.table | OfActions, texts) } : kind;
}

function whole(table: readonly unknown[] | OfActions, texts: readonly string[]): readonly unknown[] {
  if (!("of" in table)) return table;
  const { of, first, many } = table;
  return texts.slice(first, first + many).map((text) => {
    const [verb, ...words] = text.split(" ");
    return of === "text" ? text : of === "verb" ? verb : words;
  });
}
