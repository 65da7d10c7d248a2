/** Workers that cannot be fetched, and workers that nobody needs any more. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Order, Report } from "../src/bots/messages";
import { Pool, type Colleague, type Wanted } from "../src/bots/pool";
import { toyRules } from "./toyRules";

const MINUTES = 60_000;
const WANTED: Wanted = { seen: new Uint8Array(), seat: 0, budget: { simulations: 10, seconds: 0 }, seed: 1n, onlyAction: false };
const FINDINGS = { values: [0.5], actions: [{ action: 3, visits: 10, value: 0.5, solved: false, line: [3] }], simulations: 10, solved: false };
const never = new AbortController().signal;

/** A worker that answers when it is told to; one that cannot be fetched says so once it is given something to do. */
class Toy implements Colleague {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly orders: Order[] = [];
  ended = false;

  constructor(private readonly fetched: boolean) {}

  postMessage(message: unknown): void {
    this.orders.push(message as Order);
    if (!this.fetched && (message as Order).kind === "search") queueMicrotask(() => this.onerror?.({ message: "" } as ErrorEvent));
  }

  terminate(): void {
    this.ended = true;
  }

  get searches() {
    return this.orders.filter((order) => order.kind === "search");
  }

  answer(): void {
    const { id } = this.searches.at(-1)!;
    this.onmessage?.({ data: { kind: "found", id, findings: FINDINGS, done: true } satisfies Report } as MessageEvent);
  }
}

/** A pool, and the workers it has started; `fetched` says how many can be. */
function poolOf(size: number, fetched: (number: number) => boolean = () => true): { pool: Pool; hired: Toy[] } {
  const hired: Toy[] = [];
  const rules = Object.defineProperty(toyRules(false), "module", { value: { compiled: null } });
  const hire = () => hired[hired.push(new Toy(fetched(hired.length))) - 1]!;
  return { pool: new Pool(rules, hire, size), hired };
}

const settled = async () => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("workers that cannot be fetched", () => {
  test("leave their part to those that could be", async () => {
    const { pool, hired } = poolOf(4, (number) => number < 2);
    const thinking = pool.think(WANTED, 4, null, never);
    await settled();
    expect(hired.map(({ searches }) => searches.at(-1)!.task.threads)).toEqual([2, 2, 4, 4]);
    hired[0]!.answer();
    hired[1]!.answer();
    expect((await thinking).simulations).toBe(20);
  });

  test("are not asked again before a rest, and then again", async () => {
    const { pool, hired } = poolOf(3, (number) => number === 0);
    const think = async () => {
      const thinking = pool.think(WANTED, 3, null, never);
      await settled();
      hired[0]!.answer();
      return thinking;
    };
    await think();
    expect(hired.length).toBe(3);
    await think();
    expect(hired.length).toBe(3);
    await vi.advanceTimersByTimeAsync(3 * MINUTES);
    await think();
    expect(hired.length).toBe(5);
  });

  test("are told of if there is nobody else", async () => {
    const { pool } = poolOf(2, () => false);
    await expect(pool.think(WANTED, 1, "0", never)).rejects.toThrow("could not be started");
  });
});

describe("workers that nobody needs for a while", () => {
  test("are ended but for the first, which forgets what it has searched", async () => {
    const { pool, hired } = poolOf(2);
    const thinking = pool.think(WANTED, 2, null, never);
    await settled();
    hired.forEach((one) => one.answer());
    await thinking;
    await vi.advanceTimersByTimeAsync(3 * MINUTES);
    expect(hired.map(({ ended }) => ended)).toEqual([false, true]);
    expect(hired[0]!.orders.at(-1)!.kind).toBe("begin");
  });

  test("are not ended in the midst of a search by a rest that began before it", async () => {
    const { pool, hired } = poolOf(2);
    pool.start();
    pool.start();
    const thinking = pool.think(WANTED, 2, null, never);
    await vi.advanceTimersByTimeAsync(3 * MINUTES);
    expect(hired.map(({ ended }) => ended)).toEqual([false, false]);
    expect(hired[0]!.orders.filter(({ kind }) => kind === "begin").length).toBe(1);
    hired.forEach((one) => one.answer());
    await thinking;
  });

  test("are all ended with the table", () => {
    const { pool, hired } = poolOf(2);
    pool.start();
    pool.close();
    expect(hired.map(({ ended }) => ended)).toEqual([true]);
  });
});
