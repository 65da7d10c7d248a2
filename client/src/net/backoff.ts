/** How long to wait before the next try: longer and longer, and never the same for everybody. */
import { Refusal } from "./api";

export function delay(tries: number, random = Math.random()): number {
  return Math.min(15_000, 400 * 2 ** tries) * (0.6 + 0.8 * random);
}

/** Whether the same request may succeed a little later. */
export function passes(error: unknown): boolean {
  return error instanceof Refusal && PASSING.has(error.reason);
}
const PASSING: ReadonlySet<string> = new Set(["unreachable", "unavailable", "too_often"]);

const sleep = (time: number) => new Promise<void>((done) => setTimeout(done, time));

interface Insisting {
  /** Told of every try that failed, before the next. */
  failed: (error: unknown) => void;
  abandoned: () => boolean;
  wait?: (time: number) => Promise<void>;
}

/** Try until it works, is refused for good, or nobody needs it any more. */
export async function insist<T>(work: () => Promise<T>, { failed, abandoned, wait = sleep }: Insisting): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!passes(error) || abandoned()) throw error;
      failed(error);
      await wait(delay(tries + 1));
      if (abandoned()) throw error;
    }
  }
}
