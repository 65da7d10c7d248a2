/** Where these pages lie, and whether a server is behind them: the host writes it into `index.html`. */
import { addressOf } from "./route";

const page = globalThis.document; // none in a test

export const hasServer = page?.documentElement.dataset["server"] !== undefined;

/** The address of the folder in which the pages lie, with a slash at its end. */
export const base = page ? new URL(hasServer ? "/" : ".", page.location.href).href : "";

/** The address of a page of ours, for links: `to("/rules/moon-leap")`. */
export function to(path: string): string {
  return addressOf(path, hasServer);
}
