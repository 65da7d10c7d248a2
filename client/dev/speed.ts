/** What `python -m benchmarks.browser` asks of a page: how long searches and previews take here. */
import { seedOf } from "../src/bots/chance";
import { Pool } from "../src/bots/pool";
import { loadRules } from "../src/rules/load";
import { previewed } from "../src/rules/previewed";

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

const AGAIN = 20; // times a preview is made: the clock of a page is coarse

/** The milliseconds that a preview of each legal action takes, with all that it tells. */
async function previews(game: string, hex: string, seat: number): Promise<number[]> {
  const rules = await loadRules(game);
  const seen = state(hex);
  return rules.legalTexts(seen, seat).map((text) => {
    const began = performance.now();
    for (let time = 0; time < AGAIN; time++) previewed(rules, "", 0, seat, rules.ahead(seen, seat, [text]));
    return (performance.now() - began) / AGAIN;
  });
}

/** The milliseconds until a game's rules can be used, and of that to compile and instantiate them. */
async function load(game: string): Promise<number> {
  const began = performance.now();
  await loadRules(game);
  return performance.now() - began;
}

Object.assign(window, { search, previews, load });
