/** Fetches compiled rules, once for a page. */
import { base } from "../browser/server";
import { FORMAT, type IndexedGame, type ModuleIndex } from "./manifest";
import { Module } from "./module";
import { unpacked, type Packed } from "./packed";
import { Rules } from "./rules";

/** Why there are no rules in this page. */
export type Lack = "webassembly" | "game" | "version" | "outdated" | "unreachable";

export class NoRules extends Error {
  constructor(
    readonly lack: Lack,
    message: string,
  ) {
    super(message);
  }
}

const FOLDER = "modules/";
const loading = new Map<string, Promise<unknown>>(); // by file

/** Behind a server it is as new as the server, and so are its modules: the page may be older. */
export function moduleIndex(): Promise<ModuleIndex> {
  return once("index.json", async () => {
    const index = (await (await fetched("index.json")).json()) as ModuleIndex;
    if (index.format === FORMAT) return index;
    throw new NoRules("outdated", `the modules have format ${index.format}, and this page reads format ${FORMAT}`);
  });
}

/** What is known of a game without its module. */
export async function gameInfo(game: string): Promise<IndexedGame> {
  const found = (await moduleIndex()).games.find(({ name }) => name === game);
  if (!found) throw new NoRules("game", `this page has no rules of ${game}`);
  return found;
}

/** The game's rules: the present ones, or those of an earlier version. */
export async function loadRules(game: string, version?: number): Promise<Rules> {
  const { modules, rules } = await gameInfo(game);
  const file = modules[String(version ?? rules)];
  if (!file) throw new NoRules("version", `this page has no version ${version} of ${game}'s rules; known: ${Object.keys(modules).join(", ")}`);
  return once(file, () => fetchRules(file));
}

/** The rules that a match was played by. */
export async function rulesPlayed({ game, rules: version, components }: { game: string; rules: number; components: string }): Promise<Rules> {
  const rules = await loadRules(game, version);
  if (rules.manifest.components === components) return rules;
  throw new NoRules("version", `${game} was played with other components`);
}

async function fetchRules(file: string): Promise<Rules> {
  if (typeof WebAssembly === "undefined") throw new NoRules("webassembly", "this browser does not run WebAssembly");
  const [manifest, bytes] = await Promise.all([
    fetched(`${file}.json`).then(async (response) => unpacked((await response.json()) as Packed)),
    fetched(`${file}.wasm`).then((response) => response.arrayBuffer()),
  ]);
  return new Rules(new Module(await compiled(bytes), manifest));
}

/** Not while it streams: that needs a host that knows the type of these files. */
async function compiled(bytes: ArrayBuffer): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new NoRules("webassembly", `this browser refuses compiled rules: ${String(error)}`);
  }
}

async function fetched(file: string): Promise<Response> {
  const response = await fetch(base + FOLDER + file).catch(() => null);
  if (!response?.ok) throw new NoRules("unreachable", `${file} could not be fetched`);
  return response;
}

/** What fails is tried again by the next call. */
function once<T>(file: string, load: () => Promise<T>): Promise<T> {
  const known = loading.get(file) as Promise<T> | undefined;
  if (known) return known;
  const begun = load();
  loading.set(file, begun);
  begun.catch(() => loading.delete(file));
  return begun;
}
