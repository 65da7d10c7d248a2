/** The unfinished turn of this tab, kept over a reload. */
const STORAGE_KEY = "plenilune.unfinished";

interface Kept {
  match: string;
  ply: number;
  actions: readonly string[];
}

// To write takes a browser milliseconds, in which nothing glides: it is done at rest, or when the page goes.
let latest: Kept | null = null;
let later: ReturnType<typeof setTimeout> | undefined;

export function keep(match: string, ply: number, actions: readonly string[]): void {
  latest = { match, ply, actions };
  later ??= setTimeout(write, 400);
}

function write(): void {
  clearTimeout(later);
  later = undefined;
  if (!latest) return;
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(latest));
  } catch {
    // storage is blocked
  }
  latest = null;
}
globalThis.addEventListener?.("pagehide", write);

export function recall(match: string, ply: number): readonly string[] {
  write();
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null") as Kept | null;
    const whole = Array.isArray(kept?.actions) && kept.actions.every((action) => typeof action === "string");
    return whole && kept?.match === match && kept.ply === ply ? kept.actions : [];
  } catch {
    return [];
  }
}
