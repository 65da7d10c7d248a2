/** The matches of a browser with several tabs, in storage that may be damaged or refuse to be read. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ServerMessage } from "../src/protocol/messages";
import { ToyDatabases } from "./toyDatabase";
import { toyRules } from "./toyRules";

type Tab = typeof import("../src/local");

vi.mock("../src/browser/preferences.svelte", () => ({ preferences: { get: () => "quick" } }));
vi.mock("../src/rules/load", async (original) => {
  const { NoRules, ...load } = await original<typeof import("../src/rules/load")>();
  const rules = () => Object.defineProperty(toyRules(false), "module", { value: { compiled: null } });
  const rulesPlayed = ({ components }: { components: string }) =>
    components === "c0" ? Promise.resolve(rules()) : Promise.reject(new NoRules("version", "other components"));
  const gameInfo = () => Promise.resolve({ name: "toy", settings: [{ seats: 1, options: { deck: "small" } }] });
  return { ...load, NoRules, rulesPlayed, gameInfo, loadRules: () => Promise.resolve(rules()) };
});

const ALONE = { game: "toy", seats: [{ kind: "me" as const }], seating: "as_listed" as const };
const WATCHING = { viewer: null, ply: 0 };

let databases: ToyDatabases;
let asked: string[]; // of the browser

beforeEach(() => {
  databases = new ToyDatabases();
  asked = [];
  vi.stubGlobal("indexedDB", databases.factory);
  const place = { documentElement: { dataset: {} }, location: { href: "https://host.example/" } };
  vi.stubGlobal("document", { ...place, hidden: false, addEventListener: () => undefined, removeEventListener: () => undefined });
  vi.stubGlobal("BroadcastChannel", ToyChannel);
  vi.stubGlobal("Worker", class { postMessage() {} terminate() {} });
  const storage = { persisted: () => Promise.resolve(false), persist: () => Promise.resolve(asked.push("persist") > 0) };
  vi.stubGlobal("navigator", { hardwareConcurrency: 2, storage });
});
afterEach(() => vi.unstubAllGlobals());

class ToyChannel extends EventTarget {
  postMessage(): void {}
}

/** The matches as a tab of its own knows them. */
async function tab(): Promise<Tab> {
  vi.resetModules();
  return import("../src/local");
}

/** A match alone, given up, so that it is over. */
async function overIn(one: Tab): Promise<string> {
  const { id } = await one.make(ALONE, "Lena");
  await one.resign(id);
  return id;
}

test("of two tabs that ask for a rematch at once, both get the same one, and nothing is left over", async () => {
  const [one, other] = [await tab(), await tab()];
  const id = await overIn(one);
  await other.table(id);
  const [first, second] = await Promise.all([one.rematch(id), other.rematch(id)]);
  expect(first.id).toBe(second.id);
  expect((await one.listing()).rows.map((row) => row.id).sort()).toEqual([id, first.id].sort());
});

test("a table that is open goes on when storage cannot be read; it is not called deleted", async () => {
  const one = await tab();
  const { id } = await one.make(ALONE, "Lena");
  const said: ServerMessage[] = [];
  const connect = await one.connector(id);
  connect(() => WATCHING, { link: () => undefined, message: (message) => said.push(message as ServerMessage) });
  await Promise.resolve();
  databases.fails = { get: "DataError" };
  expect((await one.table(id)).id).toBe(id);
  expect(said.filter(({ kind }) => kind === "refused")).toEqual([]);
  await expect((await tab()).table(id)).rejects.toMatchObject({ lack: "storage" });
});

test("one damaged match hides no other, and can be deleted", async () => {
  const one = await tab();
  const { id } = await one.make(ALONE, "Lena");
  databases.kept.set("local-bad", { row: { id: "local-bad" } });
  expect(await one.listing()).toMatchObject({ rows: [{ id }], damaged: ["local-bad"] });
  expect(await one.bests([])).toEqual([]);
  await one.remove("local-bad");
  expect((await one.listing()).damaged).toEqual([]);
});

test.each([
  ["other components", (kept: any) => (kept.row.components = "others")],
  ["a log that these rules do not allow", (kept: any) => (kept.log[0].text = "hold")],
])("a match with %s is not opened, but saved as it is", async (_, change) => {
  const one = await tab();
  const { id } = await one.make(ALONE, "Lena");
  const { text: whole } = await one.saveMatch(id);
  const kept: any = databases.kept.get(id);
  change(kept);
  const other = await tab();
  await expect(other.table(id)).rejects.toMatchObject({ lack: "version" });
  const { name, text } = await other.saveMatch(id);
  expect(name).toMatch(/^toy-.*\.match$/);
  expect(text).toContain(`components: ${kept.row.components}`);
  expect(text.split("\n\n")[1]!.trim()).toBe(kept.log.map((entry: { text: string }) => entry.text).join("\n"));
  expect(text.split("\n").length).toBe(whole.split("\n").length);
});

test("the browser is asked once not to clear what it keeps, when there is something to keep", async () => {
  const one = await tab();
  await one.listing();
  expect(asked).toEqual([]);
  await one.make(ALONE, "Lena");
  await one.make(ALONE, "Lena");
  await new Promise((done) => setTimeout(done));
  expect(asked).toEqual(["persist"]);
});

test("a browser that lets no page speak to its other tabs plays all the same", async () => {
  vi.stubGlobal("BroadcastChannel", class { constructor() { throw new DOMException("The operation is insecure.", "SecurityError"); } });
  const one = await tab();
  const { id } = await one.make(ALONE, "Lena");
  expect((await one.listing()).rows.map((row) => row.id)).toEqual([id]);
  one.watch(() => undefined)();
});
