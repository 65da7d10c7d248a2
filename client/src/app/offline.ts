/** Has this browser keep the pages, so that they open without a network: see `src/offline`. */
import { base, hasServer } from "../browser/server";

const CALM = 2000; // milliseconds without anything new: the page has what it needs

/** Once a page is ready and loads nothing more. Where it cannot be done, such as without https, everything else works. */
export async function keepPages(): Promise<void> {
  if (!import.meta.env.PROD || !navigator.serviceWorker) return;
  await calm();
  await navigator.serviceWorker.register(`${base}sw.js${hasServer ? "?server" : ""}`, { scope: base, updateViaCache: "none" }).catch(() => null);
}

async function calm(): Promise<void> {
  for (let before = -1; before !== loaded() || !document.querySelector("[data-ready]"); ) {
    before = loaded();
    await new Promise((done) => setTimeout(done, CALM));
  }
}

function loaded(): number {
  return performance.getEntriesByType("resource").length;
}
