/** How an action text is chosen word by word. Pure functions; `Choice` (choice.svelte.ts) keeps what is chosen. */

/** An action text is a verb and its words: `carry a5 b3a` is `carry` with `a5` and `b3a`. */
export interface Action {
  verb: string;
  words: string[];
}

/** What an element on a board stands for: a word of an action, a verb, or a whole action. */
export type Pick =
  | { word: string; at?: number; verb?: string } // `at`: only as the verb's word number so many, from 0; `verb`: only with it
  | { verb: string }
  | { action: string };

/** What is chosen so far: words may be chosen in any order, and before the verb. */
export interface Chosen {
  verb: string | null;
  words: readonly (string | null)[];
}

export const NOTHING: Chosen = { verb: null, words: [] };

/** A board asks about every element after every change: each text is taken apart once. */
const parsed = new Map<string, Action>();

export function parse(text: string): Action {
  let action = parsed.get(text);
  if (!action) {
    const [verb = "", ...words] = text.split(" ");
    if (parsed.size > 5000) parsed.clear();
    parsed.set(text, (action = { verb, words }));
  }
  return action;
}

export function fits(text: string, chosen: Chosen): boolean {
  const action = parse(text);
  if (chosen.verb !== null && chosen.verb !== action.verb) return false;
  return chosen.words.every((word, i) => word === null || word === action.words[i]);
}

export function matches(legal: readonly string[], chosen: Chosen): string[] {
  return legal.filter((text) => fits(text, chosen));
}

/** The action that is chosen with its last word: the only one left, and nothing of it is open. */
export function complete(legal: readonly string[], chosen: Chosen): string | null {
  const left = matches(legal, chosen);
  if (left.length !== 1 || isNothing(chosen)) return null;
  const { words } = parse(left[0]!);
  return words.every((_, i) => chosen.words[i] != null) ? left[0]! : null;
}

export function isNothing(chosen: Chosen): boolean {
  return chosen.verb === null && chosen.words.every((word) => word === null);
}

/** What is chosen after one more pick, or null if nothing legal fits. */
export function add(legal: readonly string[], chosen: Chosen, pick: Pick): Chosen | null {
  if ("action" in pick) {
    if (!legal.includes(pick.action)) return null;
    const { verb, words } = parse(pick.action);
    return fits(pick.action, chosen) ? { verb, words } : null;
  }
  if (!("word" in pick)) return ifAny(legal, { ...chosen, verb: pick.verb });
  if (pick.verb !== undefined && chosen.verb !== null && chosen.verb !== pick.verb) return null;
  const positions = pick.at === undefined ? range(longest(legal)) : [pick.at];
  for (const at of positions) {
    if (chosen.words[at] != null) continue;
    const words = Array.from({ length: Math.max(at + 1, chosen.words.length) }, (_, i) => chosen.words[i] ?? null);
    words[at] = pick.word;
    const more = ifAny(legal, { verb: pick.verb ?? chosen.verb, words });
    if (more) return more;
  }
  return null;
}

/** As `add`, but a pick that does not go with what is chosen replaces it. */
export function addOrChange(legal: readonly string[], chosen: Chosen, pick: Pick): Chosen | null {
  const bare: Chosen = { verb: chosen.verb, words: [] };
  return add(legal, chosen, pick) ?? add(legal, bare, pick) ?? add(legal, NOTHING, pick);
}

/** A pick as a text, the same for picks that mean the same. */
function nameOf(pick: Pick): string {
  if ("action" in pick) return `=${pick.action}`;
  if (!("word" in pick)) return `!${pick.verb}`;
  return `${pick.verb ?? ""}|${pick.word}|${pick.at ?? ""}`;
}

/**
 * All that could be picked next: asked about a pick it answers as `add` does. Worth making for a board, which asks about a
 * hundred elements after every change.
 */
export class Offer {
  private readonly picks = new Set<string>();

  constructor(legal: readonly string[], chosen: Chosen) {
    for (const text of matches(legal, { ...chosen, verb: null })) {
      const { verb, words } = parse(text);
      this.picks.add(nameOf({ verb }));
      if (chosen.verb !== null && chosen.verb !== verb) continue;
      this.picks.add(nameOf({ action: text }));
      words.forEach((word, at) => {
        if (chosen.words[at] != null) return;
        for (const pick of [{ word }, { word, at }, { word, verb }, { word, verb, at }]) this.picks.add(nameOf(pick));
      });
    }
  }

  has(pick: Pick): boolean {
    return this.picks.has(nameOf(pick));
  }
}

/** Whether the pick is part of what is chosen. */
export function holds(chosen: Chosen, pick: Pick): boolean {
  if ("action" in pick) {
    const { verb, words } = parse(pick.action);
    return chosen.verb === verb && words.every((word, i) => chosen.words[i] === word);
  }
  if (!("word" in pick)) return chosen.verb === pick.verb;
  if (pick.verb !== undefined && chosen.verb !== null && chosen.verb !== pick.verb) return false;
  return pick.at === undefined ? chosen.words.includes(pick.word) : chosen.words[pick.at] === pick.word;
}

/** What is chosen when the pick is taken back. */
export function without(chosen: Chosen, pick: Pick): Chosen {
  if ("action" in pick) return NOTHING;
  if (!("word" in pick)) return { ...chosen, verb: null };
  const at = pick.at ?? chosen.words.indexOf(pick.word);
  return { ...chosen, words: chosen.words.map((word, i) => (i === at ? null : word)) };
}

/** The verbs that are left to choose from. */
export function verbs(legal: readonly string[], chosen: Chosen): string[] {
  return [...new Set(matches(legal, { ...chosen, verb: null }).map((text) => parse(text).verb))];
}

/** The words that could stand at that position. */
export function wordsAt(legal: readonly string[], chosen: Chosen, at: number): string[] {
  const open = { ...chosen, words: chosen.words.map((word, i) => (i === at ? null : word)) };
  const words = matches(legal, open).map((text) => parse(text).words[at]);
  return [...new Set(words.filter((word) => word !== undefined))];
}

function ifAny(legal: readonly string[], chosen: Chosen): Chosen | null {
  return legal.some((text) => fits(text, chosen)) ? chosen : null;
}

function longest(legal: readonly string[]): number {
  return legal.reduce((most, text) => Math.max(most, parse(text).words.length), 0);
}

function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}
