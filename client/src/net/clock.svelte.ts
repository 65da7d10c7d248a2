import { speech } from "../i18n/language.svelte";
import type { Clocks } from "../protocol/messages";

/** The server's time, ticking while anything on the screen reads it. */
class Clock {
  private ahead = 0; // of the server, in milliseconds
  private ticks = $state(0);
  private timer: ReturnType<typeof setInterval> | undefined;

  /** The server said what time it is. */
  set(now: number): void {
    this.ahead = Date.now() - now;
  }

  get now(): number {
    void this.ticks;
    this.timer ??= setInterval(() => this.ticks++, 500);
    return Date.now() - this.ahead;
  }

  /** What is left to the seat, or null if it plays without a clock. */
  left(clocks: Clocks, seat: number): number | null {
    if (clocks.running === seat && clocks.deadline !== null) return Math.max(0, clocks.deadline - this.now);
    return clocks.left[seat] ?? null;
  }

  show(left: number): string {
    const seconds = Math.ceil(left / 1000);
    const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
    const two = (n: number) => String(n).padStart(2, "0");
    if (days > 0) return `${speech.days(days)} ${two(hours)}:${two(minutes)}`;
    if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
    return `${minutes}:${two(seconds % 60)}`;
  }
}

export const clock = new Clock();
