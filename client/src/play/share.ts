/**
 * `fresh`, with every part that equals one of `old` replaced by that part itself: what has not changed is then the same
 * object, and need not be redrawn.
 */
export function share<T>(old: unknown, fresh: T): T {
  if (old === fresh || typeof old !== "object" || typeof fresh !== "object" || old === null || fresh === null) return fresh;
  if (Array.isArray(fresh)) {
    if (!Array.isArray(old)) return fresh;
    const parts = fresh.map((part, i) => share(old[i], part));
    return (parts.length === old.length && parts.every((part, i) => part === old[i]) ? old : parts) as T;
  }
  if (Array.isArray(old)) return fresh;
  const [before, parts] = [old as Record<string, unknown>, {} as Record<string, unknown>];
  let same = true;
  for (const [key, part] of Object.entries(fresh)) {
    parts[key] = share(before[key], part);
    same &&= key in before && parts[key] === before[key];
  }
  return (same && Object.keys(before).length === Object.keys(parts).length ? old : parts) as T;
}
