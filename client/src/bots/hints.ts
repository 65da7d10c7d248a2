/** What a search would play, as a page is told: `plain_answer` in `plenilune/bots/hints.py`. */
import type { Rules } from "../rules/rules";
import type { Answer } from "./bots";
import type { Thought } from "./thought";

const DIGITS = 4;

export function answer(rules: Rules, seat: number, thought: Thought): Answer {
  const { action, visits, worth } = thought;
  const order = [...visits.keys()].sort((a, b) => Number(a !== action) - Number(b !== action) || visits.get(b)! - visits.get(a)! || a - b);
  return {
    seat,
    action: rules.text(action),
    values: thought.values.map(rounded),
    actions: order.map((one) => ({ action: rules.text(one), worth: rounded(worth.get(one)!), visits: visits.get(one)! })),
    line: thought.line.map((one) => rules.text(one)),
    simulations: thought.simulations,
    solved: thought.solved,
    done: false,
  };
}

export function rounded(value: number): number {
  return Number(value.toFixed(DIGITS));
}
