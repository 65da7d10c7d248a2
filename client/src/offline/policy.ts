/** What the service worker answers by itself. Decided here without any effect, so that it can be tested. */

/** What the build wrote into the worker: a digest of all files, and of each file that is not named by its contents. */
export interface Pages {
  version: string;
  files: Readonly<Record<string, string>>; // relative to the scope; "" for a file whose name changes with its contents
}

/**
 * - `page`: the page itself, which makes all others
 * - `stored`: as it was stored, otherwise from the network, and stored then
 * - `fresh`: from the network, or as it was stored if that fails
 * - `network`: none of the worker's business
 */
type Way = "page" | "stored" | "fresh" | "network";

export interface Asked {
  method: string;
  mode: string;
  url: string;
  headers: { has(name: string): boolean };
}

export const INDEX = ""; // the page, as the host sends it for its folder
export const MODULES = "modules/index.json"; // which modules there are: a server may have some of its own

/** Its path relative to the scope, or null if it lies elsewhere. */
export function pathIn(scope: string, url: string): string | null {
  const [address = ""] = url.split(/[?#]/);
  return address.startsWith(scope) ? address.slice(scope.length) : null;
}

/**
 * On a static host everything comes from one version, until the next one is started. A server's pages must be as new
 * as the server: there the page and whatever is not named by its contents come from the network.
 */
export function wayOf(asked: Asked, scope: string, pages: Pages, hasServer: boolean): Way {
  const path = pathIn(scope, asked.url);
  if (path === null || asked.method !== "GET" || asked.headers.has("range")) return "network";
  if (hasServer && path.startsWith("api/")) return "network";
  if (asked.mode === "navigate") return isPage(path, hasServer) ? "page" : "network";
  if (path === MODULES) return hasServer ? "fresh" : "stored";
  if (Object.hasOwn(pages.files, path)) return hasServer && pages.files[path] !== "" ? "fresh" : "stored";
  return path.startsWith("modules/") ? "stored" : "network";
}

/** A server sends the page for every address without a file. */
function isPage(path: string, hasServer: boolean): boolean {
  return path === INDEX || path === "index.html" || (hasServer && !path.split("/").at(-1)!.includes("."));
}

/** The files of the modules that are listed. */
export function modulesIn(listing: { games: readonly { modules: Readonly<Record<string, string>> }[] }): string[] {
  const names = listing.games.flatMap((game) => Object.values(game.modules));
  return names.flatMap((name) => [`modules/${name}.wasm`, `modules/${name}.json`]);
}

/** What each version of the pages is stored under. Other pages of the same origin have scopes, and stores, of their own. */
export function storeName(scope: string, version: string): string {
  return `plenilune ${scope} ${version}`;
}

/** The stores of earlier versions. */
export function outdated(names: readonly string[], scope: string, version: string): string[] {
  return names.filter((name) => name.startsWith(storeName(scope, "")) && name !== storeName(scope, version));
}
