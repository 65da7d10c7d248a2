/** The bots of a game in the page: what `plenilune/bots` offers natively. They decide as native bots do that search with
 * as many threads: natively that is one, unless it is said otherwise. */
import type { Hinted, ReviewRemark } from "../protocol/messages";
import { Refusal } from "../protocol/refusal";
import type { Match } from "../rules/match";
import { CHANCE, OVER, type Rules, type State } from "../rules/rules";
import { seedOf } from "./chance";
import { answer, rounded } from "./hints";
import { planOf, type Plan } from "./levels";
import { Pool, type Wanted } from "./pool";
import type { WholeTurn } from "./question";
import { decisions, remark } from "./review";
import { Greedy, random, slips } from "./simple";
import type { Thought } from "./thought";

export type { Thought } from "./thought";
/** A better and better answer; the last one is `done`. */
export type Answer = Omit<Hinted, "kind" | "id" | "ply" | "turn"> & Partial<Pick<Hinted, "turn">>;

const PARALLEL = 25_000; // simulations from which on several trees share a decision
const TREES = 4; // as many on every device, so that a bot plays the same everywhere
const HINT_SIMULATIONS = 20_000; // as on a server
const REVIEW_SIMULATIONS = 400; // for each position, as on a server
const REPORT = 0.1; // seconds between two answers

export class Bots {
  private greedy: Greedy | null = null;

  constructor(
    private readonly rules: Rules,
    private readonly pool = new Pool(rules),
  ) {}

  /** Have what thinks ready before it is needed. */
  start(): void {
    this.pool.start();
  }

  /** All searches end, and throw. */
  close(): void {
    this.pool.close();
  }

  /** What the bot plays for the seat, from what it has seen. `memory` names a seat whose search is kept between its
   * decisions. Throws the signal's reason when it is given up. */
  async think(bot: string, seen: State, seat: number, signal: AbortSignal, memory?: string): Promise<Thought> {
    signal.throwIfAborted();
    const own = this.blanked(seen, seat);
    const plan = planOf(bot, this.rules.manifest, this.rules.seats(own));
    const seed = seedOf(own);
    if (plan.how === "random" || slips(plan.slips, seed)) return random(this.rules, own, seed);
    if (plan.how === "greedy") return (this.greedy ??= new Greedy(this.rules)).think(own, seat, seed);
    const wanted: Wanted = { seen: own, seat, budget: plan.budget, seed, onlyAction: memory !== undefined };
    return this.pool.think(wanted, this.trees(plan), memory ?? null, signal);
  }

  /** Better and better answers to what the seat should play. Half of the time is for a whole turn's worth. */
  async *hints(seen: State, seat: number, seconds: number, signal: AbortSignal, turn: WholeTurn | null = null): AsyncGenerator<Answer> {
    const own = this.blanked(seen, seat);
    const worth = turn && (await this.worthOf(turn, seat, seconds / 6, signal)); // a judgement searches up to three times
    const wanted: Wanted = { seen: own, seat, budget: { simulations: HINT_SIMULATIONS, seconds: turn ? seconds / 2 : seconds }, seed: seedOf(own), onlyAction: false };
    let last: Answer | undefined;
    for await (const thought of this.pool.search(wanted, 1, null, REPORT, signal)) yield (last = { ...answer(this.rules, seat, thought), turn: worth });
    yield { ...last!, done: true };
  }

  private async worthOf({ seen, action }: WholeTurn, seat: number, seconds: number, signal: AbortSignal): Promise<number> {
    const judgement = await this.pool.judge(this.blanked(seen, seat), seat, action, { simulations: HINT_SIMULATIONS, seconds }, signal);
    return rounded(judgement.after[seat]!);
  }

  /** A remark on every action of the seats. */
  async *review(match: Match, signal: AbortSignal): AsyncGenerator<ReviewRemark> {
    const all = decisions(match);
    const judged = ahead(all, this.pool.size, ({ seen, seat, action }) => this.pool.judge(this.rules.seen(seen, seat), seat, action, { simulations: REVIEW_SIMULATIONS, seconds: 0 }, signal));
    let done = 0;
    for await (const { one, found } of judged) yield remark(this.rules, one, found, ++done, all.length);
  }

  private trees({ budget }: Plan): number {
    return budget.simulations >= PARALLEL ? TREES : 1;
  }

  /** What the seat may know: nobody thinks before whatever else they were handed is forgotten here. */
  private blanked(seen: State, seat: number): State {
    const mover = this.rules.toPlay(seen);
    if (mover !== seat) throw new Refusal("bad_setting", `a bot was asked to play for seat ${seat + 1}, but ${who(mover)}`);
    return this.rules.seen(seen, seat);
  }
}

function who(mover: number): string {
  if (mover === OVER) return "the match is over";
  return mover === CHANCE ? "chance is to play" : `seat ${mover + 1} is to play`;
}

/** Do something for each, in order, while it is being done for as many of the next. */
async function* ahead<T, R>(all: readonly T[], many: number, act: (one: T) => Promise<R>): AsyncGenerator<{ one: T; found: R }> {
  const begun: Promise<R>[] = [];
  for (const [i, one] of all.entries()) {
    for (const next of all.slice(begun.length, i + many)) {
      const promise = act(next);
      promise.catch(() => undefined); // the consumer that awaits it gets the error
      begun.push(promise);
    }
    yield { one, found: await begun[i]! };
  }
}
