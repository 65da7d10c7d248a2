/** A worker's side: searches in slices, and listens between them. */
import { Module } from "../rules/module";
import { Rules } from "../rules/rules";
import { Judge } from "./judge";
import type { Endpoint, Order, Report } from "./messages";
import { Search, SearchMemory } from "./search";

const SLICE = 6; // milliseconds of search between two looks at what the page says
const BEAT = 1000; // milliseconds after which a worker that thinks says that it still does
const MOST_KEPT = 64 * 2 ** 20; // bytes of a search memory that is kept for the next job

type Job = Extract<Order, { id: number }>;
type Begin = Extract<Order, { kind: "begin" }>;

/** Somebody does not wait for the answer any more. */
class Stopped extends Error {}

export function serve(page: Endpoint): void {
  let runner: JobRunner;
  page.onmessage = ({ data }: MessageEvent) => {
    const order = data as Order;
    if (order.kind === "begin") runner = new JobRunner(order, (report) => page.postMessage(report));
    else if (order.kind === "pause") runner.pause(order.paused);
    else if (order.kind === "stop") runner.stop(order.id);
    else void runner.take(order);
  };
}

class JobRunner {
  private readonly running = new Set<number>(); // ids of jobs
  private readonly remembered = new Map<string, { memory: SearchMemory; last: Search | null }>(); // by the seat's name
  private readonly free: SearchMemory[] = [];
  private readonly paused = new Gate();
  private sent = 0; // when the page last heard of it

  constructor(
    private readonly rules: Begin,
    private readonly page: (report: Report) => void,
  ) {}

  private send(report: Report): void {
    this.sent = performance.now();
    this.page(report);
  }

  pause(paused: boolean): void {
    if (paused) this.paused.close();
    else this.paused.open();
  }

  stop(id: number): void {
    this.running.delete(id);
  }

  /** Answers, or says why there is no answer. A job that was stopped sends nothing. */
  async take(job: Job): Promise<void> {
    this.running.add(job.id);
    try {
      if (job.kind === "search") await this.search(job);
      else if (job.kind === "judge") await this.judge(job);
    } catch (error) {
      if (!(error instanceof Stopped)) this.send({ kind: "failed", id: job.id, error });
    } finally {
      this.running.delete(job.id);
    }
  }

  private async search(job: Extract<Order, { kind: "search" }>): Promise<void> {
    if (job.memory !== null) return this.continue(job, job.memory);
    await this.lend((memory) => this.report(job, new Search(memory, job.task)));
  }

  /** Go on from what the seat's last search has found. */
  private async continue(job: Extract<Order, { kind: "search" }>, seat: string): Promise<void> {
    const { memory, last } = this.remembered.get(seat) ?? { memory: this.newMemory(), last: null };
    const search = new Search(memory, job.task, last);
    this.remembered.set(seat, { memory, last: search });
    await this.report(job, search);
  }

  private async judge(job: Extract<Order, { kind: "judge" }>): Promise<void> {
    await this.lend(async (memory) => {
      const judge = new Judge(memory, (search) => this.run(job.id, search, Infinity));
      const judgement = await judge.judge(job.seen, job.seat, job.action, job.budget);
      this.send({ kind: "judged", id: job.id, judgement });
    });
  }

  private async report(job: Extract<Order, { kind: "search" }>, search: Search): Promise<void> {
    const { id, task, report } = job;
    let left = (task.budget.seconds || Infinity) * 1000;
    for (let done = false; !done; ) {
      left -= await this.run(id, search, Math.min(left, report * 1000));
      done = search.finished || left <= 0;
      this.send({ kind: "found", id, findings: search.findings(), done });
    }
  }

  /** Search for so many milliseconds; returns how many it took. */
  private async run(id: number, search: Search, milliseconds: number): Promise<number> {
    let spent = 0;
    do {
      await this.paused.passed();
      await breath();
      if (!this.running.has(id)) throw new Stopped();
      const began = performance.now();
      search.slice(Math.min(SLICE, milliseconds - spent));
      spent += performance.now() - began;
      if (performance.now() - this.sent > BEAT) this.send({ kind: "alive", id });
    } while (!search.finished && spent < milliseconds);
    return spent;
  }

  /** A search memory for one job. It cannot shrink, so a large one is dropped afterwards. */
  private async lend(use: (memory: SearchMemory) => Promise<void>): Promise<void> {
    const memory = this.free.pop() ?? this.newMemory();
    try {
      await use(memory);
    } finally {
      if (memory.rules.module.bytes.length <= MOST_KEPT) this.free.push(memory);
    }
  }

  private newMemory(): SearchMemory {
    return new SearchMemory(new Rules(new Module(this.rules.compiled, this.rules.manifest)));
  }
}

/** Open, or passed by nobody until it is. */
class Gate {
  private waiting: Promise<void> | null = null;
  private let: () => void = () => undefined;

  close(): void {
    this.waiting ??= new Promise((resolve) => (this.let = resolve));
  }

  open(): void {
    this.waiting = null;
    this.let();
  }

  async passed(): Promise<void> {
    while (this.waiting) await this.waiting;
  }
}

/** Let messages in. Not by `setTimeout`, which would take 4 milliseconds each time. */
function breath(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
