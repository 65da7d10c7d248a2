import { speech } from "../i18n/language.svelte";
import { Refusal } from "./api";

/** What went wrong, in the reader's language; the server's own sentences are English. */
export function explain(error: unknown): string {
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error);
  return error.reason === "unreachable" ? speech.t("error.unreachable") : speech.t(`refused.${error.reason}`);
}

/** The same, while another try is under way. */
export function explainRetry(error: unknown): string {
  const silent = error instanceof Refusal && error.reason === "unreachable";
  return speech.t(silent ? "home.offline" : "link.busy");
}
