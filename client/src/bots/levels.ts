/** What is behind a bot's name, as in `plenilune/bots/__init__.py`: `random`, `greedy`, `mcts:10000`, `mcts:500ms`, or a level. */
import { Refusal } from "../protocol/refusal";
import type { Manifest } from "../rules/manifest";

export interface Plan {
  how: "random" | "greedy" | "search";
  budget: Budget;
  slips: number; // the share of its decisions that it makes without thinking
}

/** How much thought a decision gets; 0: no limit of that kind. */
export interface Budget {
  simulations: number;
  seconds: number;
}

const SEARCH = /^mcts:([1-9][0-9]{0,8})(ms)?$/;
const NOTHING: Budget = { simulations: 0, seconds: 0 };

export function planOf(bot: string, manifest: Manifest, seats: number): Plan {
  if (bot === "random" || bot === "greedy") return { how: bot, budget: NOTHING, slips: 0 };
  const level = Object.hasOwn(manifest.levels, bot) ? manifest.levels[bot] : undefined;
  if (level) {
    const simulations = level.crowded && seats > 2 ? level.crowded : level.simulations;
    return { how: "search", budget: { ...NOTHING, simulations }, slips: level.slips };
  }
  const [, number, time] = SEARCH.exec(bot) ?? [];
  if (!number) throw new Refusal("bad_setting", `no such bot for ${manifest.game}: '${bot}'`);
  return { how: "search", budget: time ? { ...NOTHING, seconds: Number(number) / 1000 } : { ...NOTHING, simulations: Number(number) }, slips: 0 };
}
