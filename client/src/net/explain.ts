import { speech } from "../i18n/language.svelte";
import type { NotReadable } from "../local/store";
import type { Lack } from "../rules/load";
import type { BadMatch } from "../rules/replay";
import type { Refused } from "../protocol/messages";
import { Refusal } from "../protocol/refusal";

/** Why there are no rules in this page, or a match of this browser cannot be read, if that is what went wrong. */
export function lackOf(error: unknown): Lack | NotReadable["lack"] | null {
  return error instanceof Error && "lack" in error ? (error.lack as Lack) : null;
}

/** A match of this browser that is whole, but cannot be continued here: it can be saved. */
export function isSavable(error: unknown): boolean {
  const lack = lackOf(error);
  return lack !== null && lack !== "storage" && lack !== "damaged";
}

/** Whether a part of the page could not be fetched. Browsers say so in words of their own, and Vite for styles. */
export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message);
}

/** Which line of a file is wrong; the class stays with the rules, which are loaded when they are needed. */
function badLineOf(error: unknown): number | null {
  return error instanceof Error && "badLine" in error ? (error.badLine as BadMatch["badLine"]) : null;
}

/** What went wrong, in the reader's language: the server's, the browser's and saved games' own sentences are English. */
export function explain(error: unknown): string {
  const lack = lackOf(error) ?? (error instanceof Error ? lackOf(error.cause) : null);
  if (lack) return speech.t(`lack.${lack}`);
  if (isMissingPart(error)) return speech.t("error.part");
  const line = badLineOf(error);
  if (line !== null) return speech.t("here.badFile", { line });
  if (error instanceof Refusal) return explainRefusal(error);
  console.warn(error); // of the browser's database, or a mistake of ours
  return speech.t("error.unexpected");
}

function explainRefusal(error: Refusal): string {
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
