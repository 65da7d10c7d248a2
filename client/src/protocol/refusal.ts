import type { Detail, Reason, Refused } from "./messages";

/** What was asked for is not done, and why: a word for programs, and an English sentence. */
export class Refusal extends Error {
  constructor(
    readonly reason: Reason | "unreachable",
    message: string,
    readonly detail: Detail | null = null,
    readonly args: Refused["args"] = {},
  ) {
    super(message);
  }

  static of({ reason, message, detail, args }: Refused): Refusal {
    return new Refusal(reason, message, detail, args);
  }
}

/** What a table says of an error. */
export function refused(error: unknown, id: string | null, ply: number | null): Refused {
  const { reason, message } = error instanceof Refusal ? error : new Refusal("unavailable", String(error));
  return { kind: "refused", reason: reason as Reason, message, id, ply, detail: null, args: {} };
}
