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
  terminate(): void;
}

export type Wanted = Omit<Task, "thread" | "threads">;
type Listener = (report: Report) => void;

const MOST = 4;
const IDLE = 120_000; // milliseconds
const NEVER = Number.MAX_VALUE; // seconds between two reports

export class Pool {
  readonly size: number;
  private readonly workers: (Hand | undefined)[];
  private startable: number; // how many can be started: fewer than `size` where there is no network to fetch them from
  private readonly remembering = new Map<string, number>(); // by the seat's name, the worker that has its last search
  private rest: ReturnType<typeof setTimeout> | undefined;
  private lastId = 0;
  private readonly watch = () => this.pause(document.hidden);
  private paused = false;

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
    return this.withWhoeverStarts(() => this.searchTogether(wanted, Math.min(threads, this.startable), memory, report, signal));
  }

  private async *searchTogether(wanted: Wanted, threads: number, memory: string | null, report: number, signal: AbortSignal): AsyncGenerator<Thought> {
    const places = threads > 1 ? Array.from({ length: threads }, (_, thread) => thread) : [this.placeFor(memory)];
    const orders = places.map((_, thread) => ({ kind: "search" as const, task: { ...wanted, thread, threads }, memory, report }));
    const found: Findings[] = [];
    let running = threads;
    for await (const { report, thread } of this.reports(places, orders, signal)) {
      if (report.kind !== "found") continue;
      found[thread] = report.findings;
      if (report.done) running--;
      if (places.every((_, one) => found[one])) yield conclude(found);
      if (!running) return;
    }
  }

  async judge(seen: State, seat: number, action: number, budget: Budget, signal: AbortSignal): Promise<Judgement> {
    const order = { kind: "judge" as const, seen, seat, action, budget };
    const judging = this.withWhoeverStarts(() => this.reports([this.placeFor(null)], [order], signal));
    for await (const { report } of judging) if (report.kind === "judged") return report.judgement;
    throw new Error("no judgement");
  }

  /** Does it again with fewer workers while some cannot be started. */
  private async *withWhoeverStarts<T>(work: () => AsyncGenerator<T>): AsyncGenerator<T> {
    for (;;) {
      const before = this.startable;
      try {
        return yield* work();
      } catch (error) {
        if (!(error instanceof NotStarted) || this.startable === before) throw error;
      }
    }
  }

  /** The reports of jobs that begin now; closing the generator stops the jobs. */
  private async *reports(places: readonly number[], orders: readonly Unnumbered[], signal: AbortSignal): AsyncGenerator<{ report: Report; thread: number }> {
    signal.throwIfAborted();
    clearTimeout(this.rest);
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
    const made = new Hand(this.hire(), (started) => this.lose(place, started));
    this.brief(made);
    if (this.paused) made.tell({ kind: "pause", paused: true });
    return (this.workers[place] = made);
  }

  /** It starts fresh, without any memory of earlier searches. */
  private brief(worker: Hand): void {
    worker.tell({ kind: "begin", compiled: this.rules.module.compiled, manifest: this.rules.manifest });
  }

  private lose(place: number, started: boolean): void {
    this.workers[place] = undefined;
    if (!started) this.startable = Math.max(1, Math.min(this.startable, place));
    for (const [memory, where] of this.remembering) if (where === place) this.remembering.delete(memory);
  }

  private relax(): void {
    clearTimeout(this.rest);
    if (this.workers.every((worker) => !worker?.busy)) this.rest = setTimeout(() => this.tidy(), IDLE);
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
class NotStarted extends Error {}

type Without<T> = T extends { id: number } ? Omit<T, "id"> : never;
type Unnumbered = Without<Order>;

function hireWorker(): Colleague {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}

/** One worker, and who listens to its jobs. */
class Hand {
  private readonly listeners = new Map<number, Listener>();
  private started = false;

  constructor(
    private readonly worker: Colleague,
    lost: (started: boolean) => void,
  ) {
    worker.onmessage = ({ data }: MessageEvent) => {
      this.started = true;
      const report = data as Report;
      this.listeners.get(report.id)?.(report);
    };
    worker.onerror = (event) => {
      lost(this.started);
      this.end(this.started ? new Error(event.message) : new NotStarted(event.message || "a worker could not be started"));
    };
  }

  get busy(): number {
    return this.listeners.size;
  }

  tell(order: Order): void {
    this.worker.postMessage(order);
  }

  /** Returns what stops it. */
  begin(order: Order & { id: number }, listener: Listener): () => void {
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
