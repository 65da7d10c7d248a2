import { speech } from "../i18n/language.svelte";
import type { Lack } from "../rules/load";
import type { Refused } from "../protocol/messages";
import { Refusal } from "../protocol/refusal";

/** Why there are no rules in this page, if that is what went wrong. */
export function lackOf(error: unknown): Lack | null {
  return error instanceof Error && "lack" in error ? (error.lack as Lack) : null;
}

/** What went wrong, in the reader's language; the server's own sentences are English. */
export function explain(error: unknown): string {
  const lack = lackOf(error);
  if (lack) return speech.t(`lack.${lack}`);
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error);
  if (error.reason === "unreachable") return speech.t("error.unreachable");
  const lookUp = speech.lookUp("");
  const args = readable(error.args);
  return (error.detail && lookUp(`refused.${error.detail}`, args)) ?? lookUp(`refused.${error.reason}`, args) ?? error.message;
}

function readable(args: Refused["args"]): Refused["args"] {
  const { until } = args;
  return typeof until === "number" ? { ...args, until: speech.moment(until) } : args;
}

/** The same, while another try is under way. */
export function explainRetry(error: unknown): string {
  const silent = error instanceof Refusal && error.reason === "unreachable";
  return speech.t(silent ? "home.offline" : "link.busy");
}
