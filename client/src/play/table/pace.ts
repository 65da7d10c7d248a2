/** Shows one thing after another, slowly enough to be followed; never falls far behind. */
import type { LogEntry } from "../../protocol/messages";

const CHANCE_PAUSE = 320; // after a roll or a draw
const SEAT_PAUSE = 600; // after somebody's action
const GLIDE = 260; // what somebody has just done here glides to its place
const PATIENCE = 5000; // in all, for everything that waits

export class Pace<T> {
  private queue: { item: T; pause: number }[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private free = 0; // when the next one may be shown

  constructor(
    private readonly show: (item: T) => void,
    private readonly hasty: () => boolean,
  ) {}

  add(item: T, entries: readonly LogEntry[]): void {
    const acted = entries.some((entry) => entry.actor >= 0 && entry.by !== "person");
    this.queue.push({ item, pause: acted ? SEAT_PAUSE : CHANCE_PAUSE });
    this.next();
  }

  /** Something glides: whatever comes is drawn when it has arrived, for to draw it takes longer than a frame. */
  hold(): void {
    this.free = Math.max(this.free, performance.now() + GLIDE);
  }

  /** Show all at once. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const { item } of this.queue.splice(0)) this.show(item);
    this.free = 0;
  }

  /** Forget what was not shown: something newer takes its place. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.queue = [];
    this.free = 0;
  }

  stop(): void {
    this.clear();
  }

  private next(): void {
    if (this.timer !== undefined || this.queue.length === 0) return;
    if (this.hasty()) return this.flush();
    const wait = Math.max(0, this.free - performance.now());
    if (wait > 0) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.next();
      }, wait);
      return;
    }
    const { item, pause } = this.queue.shift()!;
    const waiting = this.queue.reduce((sum, one) => sum + one.pause, pause);
    this.free = performance.now() + pause * Math.min(1, PATIENCE / waiting);
    this.show(item);
    this.next();
  }
}
