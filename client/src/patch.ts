/** `[value]` puts a value in place, `{ key: patch }` goes on inside it; what is not named stays as it is. */
export type Patch = readonly [unknown] | { readonly [key: string]: Patch };

export function patched(old: unknown, patch: Patch): unknown {
  if (Array.isArray(patch)) return patch[0];
  const fresh = (Array.isArray(old) ? [...old] : { ...(old as object) }) as Record<string, unknown>;
  for (const [key, change] of Object.entries(patch)) fresh[key] = patched(fresh[key], change as Patch);
  return fresh;
}
