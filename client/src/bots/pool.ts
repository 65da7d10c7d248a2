/** Up to four workers that search. They are started when there is something to search, and rest while the page is hidden.
 * When nobody has asked for anything for a while, all but the first are ended, and it forgets what it has searched. */
import type { Rules, State } from "../rules/rules";
import type { Judgement } from "./judge";
import type { Budget } from "./levels";
import type { Endpoint, Order, Report } from "./messages";
import type { Task } from "./search";
import { conclude, type Findings, type Thought } from "./thought";

/** Something that can be ended: a Web Worker. */
export interface Colleague extends Endpoint {
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  terminate(): void;
}

export type Wanted = Omit<Task, "thread" | "threads">;
type Listener = (report: Report) => void;

const MOST = 4;
const IDLE = 120_000; // milliseconds
const NEVER = Number.MAX_VALUE; // seconds between two reports
const TICK = 1000; // milliseconds
const QUIET = 10; // ticks without a word of a worker that should think: systems end workers without telling the page
const ARRIVING = 60; // ticks before its first word: it may still be on its way here

export class Pool {
  readonly size: number;
  private readonly workers: (Hand | undefined)[];
  private startable: number; // how many can be started: fewer than `size` where there is no network to fetch them from
  private readonly remembering = new Map<string, number>(); // by the seat's name, the worker that has its last search
  private rest: ReturnType<typeof setTimeout> | undefined;
  private lastId = 0;
  private readonly watch = () => this.pause(document.hidden);
  private paused = false;
  private clock: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly rules: Rules,
    private readonly hire: () => Colleague = hireWorker,
    size = Math.min(MOST, navigator.hardwareConcurrency || 1),
  ) {
    this.size = this.startable = size;
    this.workers = new Array<Hand | undefined>(size).fill(undefined);
    if (typeof document === "undefined") return;
    this.paused = document.hidden;
    document.addEventListener("visibilitychange", this.watch);
  }

  pause(paused: boolean): void {
    this.paused = paused;
    for (const worker of this.workers) worker?.tell({ kind: "pause", paused });
  }

  /** Have a worker ready before it is needed: later there may be no network to fetch it from. */
  start(): void {
    this.worker(0);
    this.relax();
  }

  close(): void {
    clearTimeout(this.rest);
    clearInterval(this.clock);
    this.remembering.clear();
    for (const place of this.workers.keys()) this.end(place);
    if (typeof document !== "undefined") document.removeEventListener("visibilitychange", this.watch);
  }

  async think(wanted: Wanted, threads: number, memory: string | null, signal: AbortSignal): Promise<Thought> {
    let last: Thought | undefined;
    for await (const thought of this.search(wanted, threads, memory, NEVER, signal)) last = thought;
    return last!;
  }

  /** Better and better answers, one every so many seconds and one at the end. */
  search(wanted: Wanted, threads: number, memory: string | null, report: number, signal: AbortSignal): AsyncGenerator<Thought> {
    return this.withWhoeverIsLeft(() => this.searchTogether(wanted, threads, memory, report, signal));
  }

  /** With as many trees as are asked for, however many workers there are: what is found does not depend on the device. */
  private async *searchTogether(wanted: Wanted, threads: number, memory: string | null, report: number, signal: AbortSignal): AsyncGenerator<Thought> {
    const places = threads > 1 ? Array.from({ length: threads }, (_, thread) => thread % this.startable) : [this.placeFor(memory)];
    const named = (thread: number) => (memory === null || threads === 1 ? memory : `${memory} ${thread}`); // a worker may have several
    const orders = places.map((_, thread) => ({ kind: "search" as const, task: { ...wanted, thread, threads }, memory: named(thread), report }));
    const found: Findings[] = [];
    let running = threads;
    for await (const { report, thread } of this.reports(places, orders, signal)) {
      if (report.kind !== "found") continue;
      found[thread] = report.findings;
      if (report.done) running--;
      if (places.every((_, tree) => found[tree])) yield conclude(found);
      if (!running) return;
    }
  }

  async judge(seen: State, seat: number, action: number, budget: Budget, signal: AbortSignal): Promise<Judgement> {
    const order = { kind: "judge" as const, seen, seat, action, budget };
    const judging = this.withWhoeverIsLeft(() => this.reports([this.placeFor(null)], [order], signal));
    for await (const { report } of judging) if (report.kind === "judged") return report.judgement;
    throw new Error("no judgement");
  }

  /** Does it again with fewer workers while some cannot be started, and once more if the only one has fallen silent. */
  private async *withWhoeverIsLeft<T>(work: () => AsyncGenerator<T>): AsyncGenerator<T> {
    for (let silent = 0; ; ) {
      const before = this.startable;
      try {
        return yield* work();
      } catch (error) {
        const again = this.startable < before || (error instanceof Silent && !silent++);
        if (!(error instanceof Missing) || !again) throw error;
      }
    }
  }

  /** The reports of jobs that begin now; closing the generator stops the jobs. */
  private async *reports(places: readonly number[], orders: readonly Unnumbered[], signal: AbortSignal): AsyncGenerator<{ report: Report; thread: number }> {
    signal.throwIfAborted();
    clearTimeout(this.rest);
    this.clock ??= setInterval(() => this.tick(), TICK);
    const mail = new Mail<{ report: Report; thread: number }>(signal);
    const stops = orders.map((order, thread) => this.worker(places[thread]!).begin({ ...order, id: ++this.lastId } as Order & { id: number }, (report) => mail.put({ report, thread })));
    try {
      for (;;) {
        const letter = await mail.next();
        if (letter.report.kind === "failed") throw letter.report.error;
        yield letter;
      }
    } finally {
      stops.forEach((stop) => stop());
      mail.close();
      this.relax();
    }
  }

  /** The worker with the seat's last search, or the least busy one. */
  private placeFor(memory: string | null): number {
    const known = memory === null ? undefined : this.remembering.get(memory);
    if (known !== undefined) return known;
    const load = (place: number) => this.workers[place]?.busy ?? 0;
    const place = this.workers.slice(0, this.startable).reduce<number>((best, _, one) => (load(one) < load(best) ? one : best), 0);
    if (memory !== null) this.remembering.set(memory, place);
    return place;
  }

  private worker(place: number): Hand {
    const known = this.workers[place];
    if (known) return known;
    const made = new Hand(this.hire(), (why) => this.lose(place, why));
    this.brief(made);
    if (this.paused) made.tell({ kind: "pause", paused: true });
    return (this.workers[place] = made);
  }

  /** It starts fresh, without any memory of earlier searches. */
  private brief(worker: Hand): void {
    worker.tell({ kind: "begin", compiled: this.rules.module.compiled, manifest: this.rules.manifest });
  }

  private lose(place: number, why: Error): void {
    this.workers[place] = undefined;
    if (why instanceof Silent) this.startable = Math.max(1, this.startable - 1);
    else if (why instanceof Missing) this.startable = Math.max(1, Math.min(this.startable, place));
    for (const [memory, where] of this.remembering) if (where === place) this.remembering.delete(memory);
  }

  private relax(): void {
    clearTimeout(this.rest);
    if (this.workers.some((worker) => worker?.busy)) return;
    clearInterval(this.clock);
    this.clock = undefined;
    this.rest = setTimeout(() => this.tidy(), IDLE);
  }

  /** Not by the time that has passed: a machine that slept has not waited. */
  private tick(): void {
    if (!this.paused) for (const worker of this.workers) worker?.tick();
  }

  /** The first worker stays: later there may be no network to fetch it from. */
  private tidy(): void {
    const [first, ...others] = this.workers.keys();
    this.remembering.clear();
    for (const place of others) this.end(place);
    if (this.workers[first!]) this.brief(this.workers[first!]!);
    this.startable = this.size;
  }

  private end(place: number): void {
    this.workers[place]?.end(new DOMException("the search was ended", "AbortError"));
    this.workers[place] = undefined;
  }
}

/** A worker has ended before it said anything: it could not be fetched, or is not allowed here. */
class Missing extends Error {}

/** It has ended without a word. */
class Silent extends Missing {}

type Without<T> = T extends { id: number } ? Omit<T, "id"> : never;
type Unnumbered = Without<Order>;

function hireWorker(): Colleague {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}

/** One worker, and who listens to its jobs. */
class Hand {
  private readonly listeners = new Map<number, Listener>();
  private started = false;
  private silent = 0; // ticks since it last said something

  constructor(
    private readonly worker: Colleague,
    private readonly lost: (why: Error) => void,
  ) {
    worker.onmessage = ({ data }: MessageEvent) => {
      this.started = true;
      this.silent = 0;
      const report = data as Report;
      this.listeners.get(report.id)?.(report);
    };
    worker.onerror = ({ message }) => this.lose(this.started ? new Error(message) : new Missing(message || "a worker could not be started"));
    worker.onmessageerror = () => this.lose(new Error("a worker said something that cannot be read"));
  }

  /** Called regularly: whoever thinks says something from time to time. */
  tick(): void {
    if (!this.busy) this.silent = 0;
    else if (++this.silent >= (this.started ? QUIET : ARRIVING)) this.lose(new Silent("a worker has fallen silent"));
  }

  private lose(why: Error): void {
    this.lost(why);
    this.end(why);
  }

  get busy(): number {
    return this.listeners.size;
  }

  tell(order: Order): void {
    this.worker.postMessage(order);
  }

  /** Returns what stops it. */
  begin(order: Order & { id: number }, listener: Listener): () => void {
    if (!this.busy) this.silent = 0;
    this.listeners.set(order.id, listener);
    this.tell(order);
    return () => {
      if (this.listeners.delete(order.id)) this.tell({ kind: "stop", id: order.id });
    };
  }

  end(error: unknown): void {
    for (const [id, listener] of this.listeners) listener({ kind: "failed", id, error });
    this.listeners.clear();
    this.worker.terminate();
  }
}

/** What has arrived and not been read. Waiting for more throws once the signal is aborted. */
class Mail<T> {
  private readonly letters: T[] = [];
  private wake: () => void = () => undefined;
  private readonly abort = () => this.wake();

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener("abort", this.abort);
  }

  put(letter: T): void {
    this.letters.push(letter);
    this.wake();
  }

  async next(): Promise<T> {
    while (!this.letters.length && !this.signal.aborted) await new Promise<void>((resolve) => (this.wake = resolve));
    this.signal.throwIfAborted();
    return this.letters.shift()!;
  }

  close(): void {
    this.signal.removeEventListener("abort", this.abort);
  }
}
