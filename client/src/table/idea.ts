/** What a bot would do, from somewhere in an unfinished turn on. */
import type { Hint } from "../board";

export interface Idea extends Hint {
  /** The actions of the unfinished turn that it goes on from. */
  after: readonly string[];
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
