/**
 * Lets bots play at a local table while somebody looks at it: not while the page is hidden, and in one tab only.
 * Whatever happens at the table, and whoever leaves it, ends what they think at once.
 */
import { preferences } from "../app/preferences.svelte";
import { Refusal } from "../app/net/refusal";
import { botToPlay } from "./decide";
import type { LocalTable } from "./table";

const PAUSE = 700; // milliseconds between two actions, for people to follow
const AGAIN = 2000; // until what has failed is tried again

export class Driver {
  private running = false;
  private stop = new AbortController();
  private step = new AbortController();

  constructor(private readonly table: LocalTable) {}

  /** Begin or end, by who looks. */
  consider(): void {
    const wanted = this.table.watched && !document.hidden;
    if (wanted === this.running) return;
    this.running = wanted;
    if (!wanted) {
      this.stop.abort();
      this.step.abort();
    } else void this.run((this.stop = new AbortController()).signal);
  }

  /** The match has gone on: what a bot thinks about is over. */
  moved(): void {
    this.step.abort();
  }

  private async run(stop: AbortSignal): Promise<void> {
    await inOneTab(`plenilune.bots.${this.table.id}`, stop, async () => {
      while (!stop.aborted) {
        this.step = new AbortController();
        const { signal } = this.step;
        await this.once(signal).catch(() => rest(AGAIN, signal));
      }
    });
  }

  private async once(step: AbortSignal): Promise<void> {
    const { row, position } = this.table.now;
    const seat = botToPlay(this.table.now);
    if (seat === null) return rest(Infinity, step);
    const pause = preferences.get("pace") === "quick" ? 0 : PAUSE;
    const { bots, beginning } = this.table;
    const thought = await bots.think(this.table.bot(seat), position!.seen(seat), seat, step, String(seat));
    await rest(row.changed + pause - Date.now(), step);
    if (!step.aborted) await this.table.playForBot(seat, row.ply, beginning.rules.text(thought.action)).catch(forgiveLate);
  }
}

function forgiveLate(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

/** Until so many milliseconds have passed, or somebody interrupts. */
function rest(time: number, interrupted: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (interrupted.aborted) return done();
    const timer = time < Infinity ? setTimeout(done, Math.max(0, time)) : undefined;
    interrupted.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
  });
}

/** Waits until no other tab does the same. Pages of plain http have no locks: there the store decides whose action counts. */
async function inOneTab(name: string, stop: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work();
  await navigator.locks.request(name, { signal: stop }, work).catch((error: unknown) => {
    if (!stop.aborted) throw error;
  });
}
