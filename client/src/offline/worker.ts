/**
 * The service worker: the pages, once visited, open without a network. A new version is installed beside the one in
 * use and takes over when no page of the old one is open any more, as browsers do by themselves; so nothing changes
 * during a match. Whatever goes wrong, requests go to the network as if there were no worker.
 */
import { INDEX, MODULES, modulesIn, outdated, pathIn, storeName, wayOf, type Pages } from "./policy";

declare const PAGES: Pages; // the build writes it into the first line

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Lasting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Worker {
  registration: ServiceWorkerRegistration;
  clients: { claim(): Promise<void> };
  addEventListener(kind: "install" | "activate", listener: (event: Lasting) => void): void;
  addEventListener(kind: "fetch", listener: (event: Fetching) => void): void;
}

const worker = self as unknown as Worker;
const scope = worker.registration.scope;
const hasServer = new URLSearchParams(location.search).has("server"); // said by the page that registered it
const PATIENCE = 4000; // milliseconds for which a page waits for a server that does not answer

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const way = wayOf(event.request, scope, PAGES, hasServer);
  if (way === "page") event.respondWith(hasServer ? fresh(event.request, INDEX) : stored(event.request, INDEX));
  if (way === "stored") event.respondWith(stored(event.request, pathIn(scope, event.request.url)!));
  if (way === "fresh") event.respondWith(fresh(event.request, pathIn(scope, event.request.url)!));
});

const store = () => caches.open(storeName(scope, PAGES.version));
const address = (path: string) => new URL(path, scope).href;

/** Everything, or the version is not installed. One file after another: a match that is being played needs the bandwidth too. */
async function install(): Promise<void> {
  const pages = await store();
  for (const [path, digest] of Object.entries(PAGES.files)) await keep(pages, path, digest !== "");
  const listing = await pages.match(address(MODULES));
  for (const path of listing ? modulesIn(await listing.json()) : []) await keep(pages, path, false);
}

/** A file named by its contents may come from any cache, ours of an earlier version too. */
async function keep(pages: Cache, path: string, changes: boolean): Promise<void> {
  const known = changes ? undefined : await caches.match(address(path));
  const answer = known ?? (await fetch(address(path), { cache: changes ? "no-cache" : "default" }));
  if (!isWhole(answer)) throw new Error(`${path}: ${answer.status}`);
  await pages.put(address(path), answer);
}

/** Not an error, a part, or somewhere else's answer. */
function isWhole(answer: Response): boolean {
  return answer.status === 200 && answer.type === "basic" && !answer.redirected;
}

async function activate(): Promise<void> {
  const old = outdated(await caches.keys(), scope, PAGES.version);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim(); // after the first visit the page that installed it is served too
}

async function stored(request: Request, path: string): Promise<Response> {
  const pages = await store();
  const found = await pages.match(address(path));
  if (found) return found;
  const answer = await fetch(request);
  if (isWhole(answer)) await pages.put(address(path), answer.clone());
  return answer;
}

/** As new as the server; as it was stored if no server answers, or only what stands before it. */
async function fresh(request: Request, path: string): Promise<Response> {
  const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  if (answer && answer.status < 500) return answer;
  return (await (await store()).match(address(path))) ?? answer ?? Response.error();
}
