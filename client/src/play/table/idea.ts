/** What a bot would do, from somewhere in an unfinished turn on. */
import type { Hint } from "../board";

export interface Idea extends Hint {
  /** The actions of the unfinished turn that it goes on from. */
  after: readonly string[];
  /** The whole turn it was asked about, and that turn's worth. */
  turn?: { actions: readonly string[]; worth: number };
}

/** What a bot makes of a whole turn that is chosen but not confirmed. */
export interface Comparison {
  worth: number; // of the turn
  action: string | null; // the bot's, where it does something better
  better: number; // what that is worth
}

const SAME = 0.005; // less than one sees in whole percent

/** The turn beside the bot's; null where it was not asked about, or has changed. */
export function comparison({ turn, line, action, worth }: Idea, pending: readonly string[]): Comparison | null {
  if (!turn || turn.actions.join() !== pending.join()) return null;
  const alike = turn.actions.every((one, i) => one === (i === 0 ? action : line[i]));
  return { worth: turn.worth, action: alike || worth < turn.worth + SAME ? null : action, better: worth };
}

/** The turn goes the way of the idea, as far as it has got. */
export function along(idea: Idea, pending: readonly string[]): boolean {
  const path = pathOf(idea);
  return pending.length >= idea.after.length && pending.every((action, i) => action === path[i]);
}

/** What the bot would do next; null where it has not thought of what is there now. */
export function hintFor(idea: Idea, pending: readonly string[], legal: readonly string[]): Hint | null {
  const action = along(idea, pending) ? pathOf(idea)[pending.length] : undefined;
  return action !== undefined && legal.includes(action) ? { ...idea, action } : null;
}

function pathOf({ after, action, line }: Idea): readonly string[] {
  return [...after, action, ...line.slice(1)];
}
