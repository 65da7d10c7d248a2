/** Workers that cannot be fetched, that fall silent, and that nobody needs any more. */
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
  onmessageerror: ((event: MessageEvent) => void) | null = null;
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

  /** What it is searching. */
  get searches() {
    const stopped = this.orders.flatMap((order) => (order.kind === "stop" ? [order.id] : []));
    return this.orders.filter((order) => order.kind === "search").filter(({ id }) => !stopped.includes(id));
  }

  answer(): void {
    for (const { id } of this.searches) this.say({ kind: "found", id, findings: FINDINGS, done: true });
  }

  say(report: Report): void {
    this.onmessage?.({ data: report } as MessageEvent);
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
    expect(hired.map(({ searches }) => searches.map(({ task }) => task.thread))).toEqual([[0, 2], [1, 3], [2], [3]]);
    hired[0]!.answer();
    hired[1]!.answer();
    expect((await thinking).simulations).toBe(40);
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

describe("trees", () => {
  test.each([1, 2, 4, 8])("are as many on a device for %s workers, each with a memory of its own", async (size) => {
    const { pool, hired } = poolOf(size);
    const thinking = pool.think(WANTED, 4, "seat 0", never);
    await settled();
    const searches = hired.flatMap((one) => one.searches);
    expect(searches.map(({ task }) => [task.thread, task.threads]).sort()).toEqual([[0, 4], [1, 4], [2, 4], [3, 4]]);
    expect(new Set(searches.map(({ memory }) => memory)).size).toBe(4);
    hired.forEach((one) => one.answer());
    expect((await thinking).simulations).toBe(40);
  });
});

describe("a worker that has fallen silent", () => {
  test("is ended, and the others do its part", async () => {
    const { pool, hired } = poolOf(2);
    const thinking = pool.think(WANTED, 2, null, never);
    await settled();
    for (let second = 0; second < 11; second++) {
      for (const one of hired.slice(0, second ? 1 : 2)) one.say({ kind: "alive", id: one.searches[0]!.id });
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(hired.map(({ ended }) => ended)).toEqual([false, true]);
    expect(hired[0]!.searches.map(({ task }) => task.thread)).toEqual([0, 1]);
    hired[0]!.answer();
    expect((await thinking).simulations).toBe(20);
  });

  test("is replaced once if it was the only one", async () => {
    const { pool, hired } = poolOf(1);
    const thinking = pool.think(WANTED, 1, null, never);
    thinking.catch(() => undefined);
    for (const first of [0, 1]) {
      await settled();
      hired[first]!.say({ kind: "alive", id: hired[first]!.searches[0]!.id });
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(hired.map(({ ended }) => ended)).toEqual([true, true]);
    await expect(thinking).rejects.toThrow("silent");
  });

  test("is given longer for its first word: it may still be on its way", async () => {
    const { pool, hired } = poolOf(1);
    const thinking = pool.think(WANTED, 1, null, never);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(hired.map(({ ended }) => ended)).toEqual([false]);
    hired[0]!.answer();
    await thinking;
  });

  test("is not one that rests with its page, or has nothing to do", async () => {
    const { pool, hired } = poolOf(1);
    const thinking = pool.think(WANTED, 1, null, never);
    await settled();
    hired[0]!.say({ kind: "alive", id: hired[0]!.searches[0]!.id });
    pool.pause(true);
    await vi.advanceTimersByTimeAsync(3 * MINUTES);
    pool.pause(false);
    hired[0]!.answer();
    await thinking;
    await vi.advanceTimersByTimeAsync(MINUTES);
    expect(hired.map(({ ended }) => ended)).toEqual([false]);
  });

  test("or says what cannot be read is told of", async () => {
    const { pool, hired } = poolOf(1);
    const thinking = pool.think(WANTED, 1, null, never);
    thinking.catch(() => undefined);
    await settled();
    hired[0]!.onmessageerror?.({} as MessageEvent);
    await expect(thinking).rejects.toThrow("cannot be read");
    expect(hired[0]!.ended).toBe(true);
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
    for (let second = 0; second < 180; second++) {
      await vi.advanceTimersByTimeAsync(1000);
      for (const one of hired) one.say({ kind: "alive", id: one.searches[0]!.id });
    }
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
