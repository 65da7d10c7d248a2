import type { Update } from "./protocol";

export type View = Record<string, unknown>;

/** The view after a change of it: fields that are new, and single places of lists. The view itself stays as it was. */
export function followed(view: View, change: Pick<Update, "view" | "parts">): View {
  const lists = Object.entries(change.parts).map(([name, places]) => [name, placed(view[name] as unknown[], places)]);
  return { ...view, ...change.view, ...Object.fromEntries(lists) };
}

function placed(list: readonly unknown[], places: Record<string, unknown>): unknown[] {
  const fresh = [...list];
  for (const [place, value] of Object.entries(places)) fresh[Number(place)] = value;
  return fresh;
}

/** `[value]` puts a value in place, `{ key: patch }` goes on inside it; what is not named stays as it is. */
export type Patch = readonly [unknown] | { readonly [key: string]: Patch };

export function patched(old: unknown, patch: Patch): unknown {
  if (Array.isArray(patch)) return patch[0];
  const fresh = (Array.isArray(old) ? [...old] : { ...(old as object) }) as Record<string, unknown>;
  for (const [key, change] of Object.entries(patch)) fresh[key] = patched(fresh[key], change as Patch);
  return fresh;
}
