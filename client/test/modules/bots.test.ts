/** With the same seed and budget, bots in the page decide as native ones do: visits, values, lines, remarks. */
import { afterAll, expect, test } from "vitest";
import { Bots } from "../../src/bots/bots";
import { seedOf } from "../../src/bots/chance";
import { answer } from "../../src/bots/hints";
import { Pool, type Colleague } from "../../src/bots/pool";
import { decisions, remark } from "../../src/bots/review";
import { serve } from "../../src/bots/serve";
import { Match } from "../../src/rules/match";
import type { Thought } from "../../src/bots/thought";
import { bytes, facts, hex, rulesOf, source, type ThoughtFact } from "./native";

const never = new AbortController().signal;
const opened: Pool[] = [];
afterAll(() => opened.forEach((pool) => pool.close()));

/** A worker in the same thread. */
function colleague(): Colleague {
  const { port1, port2 } = new MessageChannel();
  serve(port2);
  return Object.assign(port1, { onerror: null, onmessageerror: null, terminate: () => port1.close() }) as unknown as Colleague;
}

function poolOf(rules: ReturnType<typeof rulesOf>, size = 2): Pool {
  const pool = new Pool(rules, colleague, size);
  opened.push(pool);
  return pool;
}

function told({ action, values, visits, worth, line, simulations, solved }: Thought): Omit<ThoughtFact, "seen" | "seat"> {
  const sorted = (numbers: Map<number, number>) => [...numbers].sort(([a], [b]) => a - b);
  return { action, values, visits: sorted(visits), worth: sorted(worth), line, simulations, solved };
}

test.each(facts)("$game: every bot decides as it does natively", async ({ game, thoughts }) => {
  const rules = rulesOf(game);
  const bots = new Bots(rules, poolOf(rules));
  expect(thoughts.length).toBeGreaterThan(20);
  for (const { bot, seen, seat, ...thought } of thoughts) expect(told(await bots.think(bot, bytes(seen), seat, never)), `${bot} ${seen}`).toEqual(thought);
});

test.each(facts)("$game: a bot that remembers goes on from what it found out, as natively", async ({ game, sittings }) => {
  const rules = rulesOf(game);
  const bots = new Bots(rules, poolOf(rules));
  expect(sittings.length).toBeGreaterThan(3);
  for (const [i, { bot, decisions }] of sittings.entries()) {
    for (const { seen, seat, ...thought } of decisions) expect(told(await bots.think(bot, bytes(seen), seat, never, `sitting ${i}`)), bot).toEqual(thought);
  }
});

test.each(facts)("$game: a hint says the same", async ({ game, hints }) => {
  const rules = rulesOf(game);
  const pool = poolOf(rules);
  for (const { seen, seat, answer: native } of hints) {
    const own = bytes(seen);
    const budget = { simulations: 500, seconds: 0 };
    const thought = await pool.think({ seen: own, seat, budget, seed: seedOf(own), onlyAction: false }, 1, null, never);
    expect({ ...answer(rules, seat, thought), done: true }).toEqual(native);
  }
});

test.each(facts)("$game: a review makes the same remarks", async ({ game, review }) => {
  const rules = rulesOf(game);
  const pool = poolOf(rules);
  const match = await Match.load(review.match, true, source);
  const found = [];
  for (const one of decisions(match)) {
    const judged = await pool.judge(one.seen, one.seat, one.action, { simulations: 60, seconds: 0 }, never);
    found.push(remark(rules, one, judged, 0, 0));
  }
  expect(found).toEqual(review.remarks.map((one) => ({ kind: "remark", ...one, done: 0, total: 0 })));
});

test.each(facts)("$game: four trees share a decision as natively, on a device for one worker and on one for four", async ({ game, shared }) => {
  const rules = rulesOf(game);
  expect(shared.length).toBeGreaterThan(0);
  for (const { seen, seat, ...thought } of shared) {
    const wanted = { seen: bytes(seen), seat, budget: { simulations: 2000, seconds: 0 }, seed: 7n, onlyAction: false };
    for (const size of [1, 3, 4]) expect(told(await poolOf(rules, size).think(wanted, 4, null, never)), `${size} workers`).toEqual(thought);
  }
});

test("a worker that thinks says every second that it does", async () => {
  const { game, hints } = facts[0]!;
  const rules = rulesOf(game);
  const said: number[] = [];
  const { port1, port2 } = new MessageChannel();
  serve(port2);
  port1.onmessage = ({ data }) => void (data.kind === "alive" && said.push(performance.now()));
  port1.postMessage({ kind: "begin", compiled: rules.module.compiled, manifest: rules.manifest });
  const task = { seen: bytes(hints[0]!.seen), seat: hints[0]!.seat, budget: { simulations: 0, seconds: 60 }, seed: 1n, thread: 0, threads: 1, onlyAction: false };
  port1.postMessage({ kind: "search", id: 1, task, memory: null, report: 60 });
  await expect.poll(() => said.length, { timeout: 20_000 }).toBeGreaterThan(2);
  port1.postMessage({ kind: "stop", id: 1 });
  port1.close();
  expect(said[2]! - said[1]!).toBeGreaterThan(900);
});

test.each(facts)("$game: a caller that gives up gets the error at once, and nothing goes on", async ({ game, hints }) => {
  const rules = rulesOf(game);
  const bots = new Bots(rules, poolOf(rules));
  const giveUp = new AbortController();
  const thinking = bots.think("mcts:100000000", bytes(hints[0]!.seen), hints[0]!.seat, giveUp.signal);
  setTimeout(() => giveUp.abort(new Error("enough")), 30);
  await expect(thinking).rejects.toThrow("enough");
  const quick = await bots.think("mcts:50", bytes(hints[0]!.seen), hints[0]!.seat, never);
  expect(quick.simulations).toBeLessThanOrEqual(50);
});

test.each(facts)("$game: nothing is searched while the page is hidden", async ({ game, hints }) => {
  const rules = rulesOf(game);
  const pool = poolOf(rules);
  const bots = new Bots(rules, pool);
  pool.pause(true);
  let done = false;
  const thinking = bots.think("mcts:50", bytes(hints[0]!.seen), hints[0]!.seat, never).then(() => (done = true));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(done).toBe(false);
  pool.pause(false);
  expect(await thinking).toBe(true);
});

test.each(facts)("$game: answers get better until the time is up, and the last one says so", async ({ game, hints }) => {
  const rules = rulesOf(game);
  const bots = new Bots(rules, poolOf(rules));
  const answers = [];
  for await (const one of bots.hints(bytes(hints[0]!.seen), hints[0]!.seat, 0.5, never)) answers.push(one);
  expect(answers.at(-1)!.done).toBe(true);
  expect(answers.slice(0, -1).every(({ done }) => !done)).toBe(true);
  expect(hex(bytes(hints[0]!.seen))).toBe(hints[0]!.seen);
});
