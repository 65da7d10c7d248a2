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
