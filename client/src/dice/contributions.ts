/**
 * What this browser added to the dice of its matches, and what the server had shown it before.
 * A server that later shows something else has cheated, or was replaced by one that does.
 */
import type { Fairness } from "../protocol/messages";

export interface Contribution {
  nonce: string;
  /** Seen before the nonce was sent, unless `blind`. */
  commitment: string;
  /** The players' nonces, in order: those seen before mine, mine, and those seen since. They are only ever added to. */
  nonces: readonly string[];
  /** The match has begun, or I took the last free seat: no nonce may be added any more. */
  fixed: boolean;
  /** I took the last free seat: nobody who knew my nonce could still choose another. Older contributions do not say. */
  last?: boolean;
  /** The nonce was sent before this commitment was seen, so the server could have chosen the seed to fit it. */
  blind: boolean;
}

/** What the server has changed. */
export type Breach = "commitment" | "nonce" | "nonces";

/** What a server shows of a match's dice before the end. */
export interface Shown {
  commitment: string;
  nonces: readonly string[];
}

export function shownBy(fairness: Fairness): Shown {
  return { commitment: fairness.commitment, nonces: fairness.nonces.map((one) => one.nonce) };
}

/**
 * The contribution of a browser that had been shown `before` when it sent its nonce. The nonce comes right after those: a
 * server that has read it must not slip in another, wherever that stands. `last`: it took the last free seat, so none may
 * follow either.
 */
export function contribution(nonce: string, before: Shown, last: boolean): Contribution {
  return { nonce, commitment: before.commitment, nonces: [...before.nonces, nonce], fixed: last, last, blind: false };
}

/** The contribution of a browser whose nonce was used with a commitment that it saw only afterwards. */
export function blindContribution(nonce: string, after: Shown): Contribution {
  return { nonce, commitment: after.commitment, nonces: after.nonces, fixed: false, blind: true };
}

export function breach(mine: Contribution, shown: Shown): Breach | null {
  if (shown.commitment !== mine.commitment) return "commitment";
  if (!shown.nonces.includes(mine.nonce)) return "nonce";
  const kept = mine.nonces.every((nonce, i) => nonce === shown.nonces[i]);
  const added = shown.nonces.length > mine.nonces.length;
  return kept && !(mine.fixed && added) ? null : "nonces";
}

/** The contribution with what is shown now: from here on that may not change either. */
export function witnessed(mine: Contribution, shown: Shown, begun: boolean): Contribution {
  if (mine.fixed || (!begun && mine.nonces.length === shown.nonces.length)) return mine;
  return { ...mine, nonces: shown.nonces, fixed: begun };
}

// Where they are kept

const STORAGE_KEY = "plenilune.dice";
const MOST = 200; // matches; the oldest is forgotten first

type Kept = readonly (readonly [match: string, contribution: Contribution])[];
export type Store = Pick<Storage, "getItem" | "setItem">;

export function recall(match: string, store?: Store): Contribution | null {
  return stored(store).find(([id]) => id === match)?.[1] ?? null;
}

export function keep(match: string, mine: Contribution, store?: Store): void {
  write([...without(match, store), [match, mine]].slice(-MOST) as Kept, store);
}

export function forget(match: string, store?: Store): void {
  write(without(match, store), store);
}

/** Check what the server shows of a match now, and remember it. */
export function check(match: string, shown: Shown, begun: boolean, store?: Store): Breach | null {
  const mine = recall(match, store);
  if (!mine) return null;
  const found = breach(mine, shown);
  const now = found ? mine : witnessed(mine, shown, begun);
  if (now !== mine) keep(match, now, store);
  return found;
}

function without(match: string, store?: Store): Kept {
  return stored(store).filter(([id]) => id !== match);
}

function stored(store?: Store): Kept {
  try {
    const kept: unknown = JSON.parse((store ?? localStorage).getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  } catch {
    return []; // storage is blocked, or what is there is no JSON
  }
}

/** Storage may be damaged: what is no contribution must keep nobody from a table. */
function isEntry(entry: unknown): entry is Kept[number] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false;
  const { nonce, commitment, nonces, fixed, blind } = (entry[1] ?? {}) as Readonly<Partial<Record<keyof Contribution, unknown>>>;
  const words = [nonce, commitment, ...(Array.isArray(nonces) ? nonces : [null])];
  return words.every((word) => typeof word === "string") && typeof fixed === "boolean" && typeof blind === "boolean";
}

function write(kept: Kept, store?: Store): void {
  try {
    (store ?? localStorage).setItem(STORAGE_KEY, JSON.stringify(kept));
  } catch {
    // storage is blocked: what it shows cannot be checked later
  }
}
