/** What searches find out, and what follows from it: `Search.thought` in `plenilune/bots/mcts.py`. */

/** An action, and what the bot knows about it. */
export interface Thought {
  action: number;
  values: number[]; // each seat's chance to win, if everybody plays well
  visits: Map<number, number>; // of each action
  worth: Map<number, number>; // the value of each action to the seat
  line: number[]; // the principal variation, its own action first
  simulations: number;
  solved: boolean; // the values are exact
}

/** What one tree has found out about its root. */
export interface Findings {
  values: readonly number[];
  actions: readonly Found[]; // those that were tried, in the order of the tree
  simulations: number;
  solved: boolean;
}

export interface Found {
  action: number;
  visits: number; // at least 1
  value: number; // to the seat that is to play
  solved: boolean;
  line: readonly number[];
}

/** What several trees of one decision know together: their visits are added up. */
export function conclude(trees: readonly Findings[]): Thought {
  const visits = new Map<number, number>();
  const sums = new Map<number, number>();
  for (const { action, visits: n, value } of trees.flatMap(({ actions }) => actions)) {
    visits.set(action, (visits.get(action) ?? 0) + n);
    sums.set(action, (sums.get(action) ?? 0) + n * value);
  }
  const worth = new Map([...sums].map(([action, sum]) => [action, sum / visits.get(action)!]));
  const first = trees[0]!;
  const action = best(visits, worth, new Set(first.actions.filter(({ solved }) => solved).map((found) => found.action)));
  return {
    action,
    // Each tree's values are 32-bit numbers, and so is a part of them.
    values: first.values.map((_, seat) => trees.reduce((sum, { values }) => sum + Math.fround(values[seat]! / trees.length), 0)),
    visits,
    worth,
    line: [...(first.actions.find((found) => found.action === action)?.line ?? [action])],
    simulations: trees.reduce((sum, { simulations }) => sum + simulations, 0),
    solved: trees.every(({ solved }) => solved),
  };
}

/** The most visited action; but a solved one that is worth more, or as much, is better still. */
function best(visits: ReadonlyMap<number, number>, worth: ReadonlyMap<number, number>, solved: ReadonlySet<number>): number {
  const value = (action: number) => worth.get(action)!;
  const count = (action: number) => visits.get(action)!;
  const tried = [...visits.keys()].filter((action) => !solved.has(action));
  const [open] = tried.sort((a, b) => count(b) - count(a) || value(b) - value(a) || a - b);
  const [exact] = [...solved].sort((a, b) => value(b) - value(a) || a - b);
  if (open === undefined || exact === undefined) return (open ?? exact)!;
  return value(exact) >= value(open) ? exact : open;
}
