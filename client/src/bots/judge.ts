/** What a search thinks of one action, from what its seat had seen: `remark_on` in `plenilune/bots/review.py`. */
import { OVER, type State } from "../rules/rules";
import { seedOf } from "./chance";
import type { Budget } from "./levels";
import { Search, type SearchMemory } from "./search";
import { conclude, type Thought } from "./thought";

export interface Judgement {
  better: number; // the best that could be found; the action itself, if there was none better
  before: number[]; // each seat's chance to win, had the better one been played
  after: number[]; // and as it was played
  forced: boolean; // there was nothing else to play
}

/** Lets a search run until it has finished; a judgement is given up by throwing. */
type Finish = (search: Search) => Promise<unknown>;

const DETERMINIZATIONS = 256; // samples of what a seat does not know, to see where an action leads

export class Judge {
  constructor(
    private readonly memory: SearchMemory,
    private readonly finish: Finish,
  ) {}

  async judge(seen: State, seat: number, action: number, budget: Budget): Promise<Judgement> {
    const after = await this.chancesAfter(seen, seat, action, budget);
    const forced = this.memory.rules.legal(seen).length === 1;
    if (forced) return { better: action, before: after, after, forced };
    const best = (await this.think(seen, seat, budget)).action;
    const promised = best === action ? after : await this.chancesAfter(seen, seat, best, budget);
    const isBetter = promised[seat]! > after[seat]!;
    return { better: isBetter ? best : action, before: isBetter ? promised : after, after, forced };
  }

  /** Each seat's chance to win once the action is played, as far as the seat can tell. */
  private async chancesAfter(seen: State, seat: number, action: number, budget: Budget): Promise<number[]> {
    const outcomes = this.outcomesOf(seen, seat, action);
    const ahead = Math.max(1, outcomes.filter(({ state }) => this.memory.rules.toPlay(state) !== OVER).length);
    const share = { simulations: Math.ceil(budget.simulations / ahead), seconds: budget.seconds / ahead };
    const found = new Array<number>(this.memory.rules.seats(seen)).fill(0);
    for (const { state, often } of outcomes) {
      const chances = await this.chances(state, seat, share);
      chances.forEach((chance, one) => (found[one]! += often * chance));
    }
    return found;
  }

  /** The positions the action may lead to, as the seat will see them, and how likely each is. There are several only
   * where the action brings to light what the seat does not know, or ends the match. */
  private outcomesOf(seen: State, seat: number, action: number): { state: State; often: number }[] {
    const { generator, work } = this.memory;
    const { module, manifest } = this.memory.rules;
    const [resample, apply, hide] = [module.call("resample"), module.call("apply"), module.call("hide")];
    const samples = manifest.secrets ? DETERMINIZATIONS : 1;
    const found = new Map<string, { state: State; times: number }>();
    module.data.setBigUint64(generator, seedOf(seen), true);
    for (let sample = 0; sample < samples; sample++) {
      module.bytes.set(seen, work);
      resample(work, seat, generator, 1);
      apply(work, action);
      hide(work, seat);
      const state = module.bytes.slice(work, work + manifest.state.size);
      const known = found.get(state.join());
      if (known) known.times++;
      else found.set(state.join(), { state, times: 1 });
    }
    return [...found.values()].map(({ state, times }) => ({ state, often: times / samples }));
  }

  /** Each seat's chance to win, as far as the seat can tell, no matter who is to play. */
  private async chances(seen: State, seat: number, budget: Budget): Promise<number[]> {
    const { rules, work, values } = this.memory;
    if (rules.toPlay(seen) !== OVER) return (await this.think(seen, seat, budget)).values;
    const seats = rules.seats(seen);
    rules.module.bytes.set(seen, work);
    rules.module.call("state_values")(work, values, seats);
    return Array.from({ length: seats }, (_, one) => rules.module.data.getFloat64(values + 8 * one, true));
  }

  private async think(seen: State, seat: number, budget: Budget): Promise<Thought> {
    const search = new Search(this.memory, { seen, seat, budget, seed: seedOf(seen), thread: 0, threads: 1, onlyAction: false });
    await this.finish(search);
    return conclude([search.findings()]);
  }
}
