/**
 * What this browser saw of its matches while they were played: actions, rolls among them. The record that a server shows
 * at the end must say the same. `?` stands for what I could not see then.
 */
const KEY = "plenilune.seen"; // the matches; the actions of each are under a key of its own
const MOST = 60; // matches; the oldest is forgotten first
const LATER = 400; // milliseconds: to write takes a browser some, in which nothing glides

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const latest = new Map<string, string[]>(); // still to be written
let later: ReturnType<typeof setTimeout> | undefined;

/** Remember actions from one ply on. What was seen first stays, even if something else is shown later. */
export function see(match: string, from: number, actions: readonly string[]): void {
  const seen = latest.get(match) ?? [...read(match, localStore())];
  if (seen.length < from || seen.length >= from + actions.length) return; // some are missing, or none is new
  latest.set(match, [...seen, ...actions.slice(seen.length - from)]);
  later ??= setTimeout(write, LATER);
}

export function seenOf(match: string): readonly string[] {
  write();
  return read(match, localStore());
}

/** The first action that the record does not have as it was seen, or null. */
export function difference(seen: readonly string[], record: readonly string[]): number | null {
  const found = seen.findIndex((action, ply) => !fits(action, record[ply]));
  return found < 0 ? null : found;
}

/** A hidden word may stand for several. */
function fits(seen: string, said: string | undefined): boolean {
  if (seen === said) return true;
  const words = seen.split(" ").map((word) => (word === "?" ? "\\S+(?: \\S+)*" : word.replace(/[^\w]/g, "\\$&")));
  return said !== undefined && new RegExp(`^${words.join(" ")}$`).test(said);
}

function write(): void {
  clearTimeout(later);
  later = undefined;
  const store = localStore();
  for (const [match, actions] of latest) {
    if (store && read(match, store).length < actions.length) keep(match, actions, store); // another tab may have seen more
  }
  latest.clear();
}
globalThis.addEventListener?.("pagehide", write);

function keep(match: string, actions: readonly string[], store: Store): void {
  try {
    const matches = [...listed(store).filter((one) => one !== match), match];
    for (const old of matches.splice(0, Math.max(0, matches.length - MOST))) store.removeItem(`${KEY}.${old}`);
    store.setItem(KEY, JSON.stringify(matches));
    store.setItem(`${KEY}.${match}`, actions.join("\n"));
  } catch {
    // storage is full: less can be compared
  }
}

function listed(store: Store): string[] {
  try {
    const matches: unknown = JSON.parse(store.getItem(KEY) ?? "[]");
    return Array.isArray(matches) ? (matches as string[]) : [];
  } catch {
    return [];
  }
}

function read(match: string, store: Store | null): string[] {
  try {
    const text = store?.getItem(`${KEY}.${match}`);
    return text ? text.split("\n") : [];
  } catch {
    return [];
  }
}

function localStore(): Store | null {
  try {
    return localStorage;
  } catch {
    return null; // storage is blocked
  }
}
