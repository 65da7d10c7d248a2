/**
 * Lets bots play at a local table while somebody looks at it: not while the page is hidden, and in one tab only.
 * Any change at the table, and leaving it, ends their thinking at once.
 */
import { preferences } from "../browser/preferences.svelte";
import { Refusal } from "../protocol/refusal";
import { storage } from "../browser/storage.svelte";
import { botToPlay } from "./decide";
import type { LocalTable } from "./table";

const PAUSE = 700; // milliseconds between two actions, for people to follow
const AGAIN = 2000; // until what has failed is tried again
const FAILURES = 2; // in a row, after which people are told

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
      let failures = 0;
      while (!stop.aborted) {
        this.step = new AbortController();
        failures = (await this.attempt(this.step.signal)) ? 0 : failures + 1;
        storage.botless = failures >= FAILURES;
        if (failures) await rest(AGAIN, this.step.signal);
      }
    });
    storage.botless = false;
  }

  /** Whether nothing went wrong; to be interrupted is nothing wrong. */
  private attempt(step: AbortSignal): Promise<boolean> {
    return this.once(step).then(
      () => true,
      () => step.aborted,
    );
  }

  private async once(step: AbortSignal): Promise<void> {
    const { row, position } = this.table.now;
    const seat = botToPlay(this.table.now);
    if (seat === null) return rest(Infinity, step);
    const pause = preferences.get("pace") === "quick" ? 0 : PAUSE;
    const { bots, beginning } = this.table;
    const thought = await bots.think(this.table.bot(seat), position.seen(seat), seat, step, String(seat));
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

/** Waits until no other tab does the same. Pages of plain http have no locks, and pages that may keep nothing get none:
 * there the store decides whose action counts. */
async function inOneTab(name: string, stop: AbortSignal, work: () => Promise<void>): Promise<void> {
  let begun = false;
  const begin = () => {
    begun = true;
    return work();
  };
  await navigator.locks?.request(name, { signal: stop }, begin).catch((error: unknown) => {
    if (begun) throw error;
  });
  if (!begun && !stop.aborted) await work();
}
