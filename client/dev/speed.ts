/** What `python -m benchmarks.browser` asks of a page: how long searches and previews take here. */
import { seedOf } from "../src/bots/chance";
import { Pool } from "../src/bots/pool";
import { loadRules } from "../src/rules/load";

const never = new AbortController().signal;
const pools = new Map<string, Pool>();

function state(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

/** Search so many simulations in one worker: how many there were, the milliseconds they took, the action. */
async function search(game: string, hex: string, seat: number, simulations: number): Promise<[done: number, took: number, action: number]> {
  const rules = await loadRules(game);
  if (!pools.has(game)) pools.set(game, new Pool(rules));
  const seen = state(hex);
  const began = performance.now();
  const wanted = { seen, seat, budget: { simulations, seconds: 0 }, seed: seedOf(seen), onlyAction: false };
  const thought = await pools.get(game)!.think(wanted, 1, null, never);
  return [thought.simulations, performance.now() - began, thought.action];
}

/** The milliseconds that each preview of a legal action takes, with all that it tells. */
async function previews(game: string, hex: string, seat: number): Promise<number[]> {
  const rules = await loadRules(game);
  const seen = state(hex);
  return rules.legalTexts(seen, seat).map((text) => {
    const began = performance.now();
    const ahead = rules.ahead(seen, seat, [text]);
    rules.view(ahead.seen);
    rules.legalTexts(ahead.seen, seat);
    rules.standing(ahead.seen);
    return performance.now() - began;
  });
}

/** The milliseconds until a game's rules can be used, and of that to compile and instantiate them. */
async function load(game: string): Promise<number> {
  const began = performance.now();
  await loadRules(game);
  return performance.now() - began;
}

Object.assign(window, { search, previews, load });
