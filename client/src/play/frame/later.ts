/** What a table begins without: sheets, the menu, the rules. */
import { speech } from "../../i18n/language.svelte";

const waiting = new Set<() => Promise<unknown>>();

/** Fetches a part of the page, and what it says; `<Later>` shows it. At rest a table has all of them fetched, so that they open at once, and without a line. */
export function later<Part>(fetch: () => Promise<Part>): () => Promise<Part> {
  const load = () => Promise.all([fetch(), speech.learnAll()]).then(([part]) => part);
  waiting.add(load);
  return load;
}

const REST = 3000; // milliseconds

/** Fetch all of it in a moment, and then what `more` fetches; returns what calls that off. */
export function fetchSoon(more: () => Promise<unknown> = () => Promise.resolve()): () => void {
  const timer = setTimeout(() => void fetchAll().then(more).catch(() => null), REST);
  return () => clearTimeout(timer);
}

/** One after another: the match needs the bandwidth too. What cannot be loaded now is requested again when it is opened. */
async function fetchAll(): Promise<void> {
  for (const load of waiting) await load().then(() => waiting.delete(load), () => null);
}
