import type { LogEntry } from "./messages";

/** An action as match files have it, as far as its reader may know it. */
export function actionText({ key, args }: LogEntry): string {
  return [key.slice(key.indexOf(".") + 1), ...args].join(" ");
}
