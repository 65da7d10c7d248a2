import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newRow, type Kept } from "../src/local/rows";
import { DatabaseStore, NotReadable, Overtaken, SafeStore, type Trouble } from "../src/local/store";
import { ToyDatabases } from "./toyDatabase";

const ROW = { game: "toy", rules: 1, components: "", options: {}, commitment: "", nonces: [], seats: [] };

function kept(version: number, more: Partial<Kept["row"]> = {}): Kept {
  return { row: { ...newRow(1), ...ROW, id: "local-a", version, ...more }, seed: "s", log: [] };
}

let databases: ToyDatabases;
beforeEach(() => void (databases = new ToyDatabases()));
afterEach(() => void vi.useRealTimers());

/** The version of the match that the database has. */
const inDatabase = () => (databases.kept.get("local-a") as Kept | undefined)?.row.version;

describe("a database", () => {
  const opened = () => DatabaseStore.open(databases.factory);

  test("takes a version only over the one before it: whoever knew an older one was overtaken", async () => {
    const store = await opened();
    await store.put(kept(1));
    await store.put(kept(2));
    await expect(store.put(kept(2))).rejects.toThrow(Overtaken);
    expect((await store.get("local-a"))!.row.version).toBe(2);
  });

  test("does not bring back what was removed", async () => {
    const store = await opened();
    await store.put(kept(1));
    await store.remove("local-a");
    await expect(store.put(kept(2))).rejects.toThrow(Overtaken);
  });

  test("lists what changed last first", async () => {
    const store = await opened();
    await store.put(kept(1, { id: "local-a", changed: 5 }));
    await store.put(kept(1, { id: "local-b", changed: 9 }));
    expect((await store.listing()).rows.map((row) => row.id)).toEqual(["local-b", "local-a"]);
  });

  test("whose connection was lost is opened once more, for reading and for writing", async () => {
    const store = await opened();
    await store.put(kept(1));
    databases.lose();
    await store.put(kept(2));
    databases.lose();
    expect((await store.get("local-a"))!.row.version).toBe(2);
    expect(databases.opened).toBe(3);
  });

  test("one damaged match hides no other, and can be removed", async () => {
    const store = await opened();
    await store.put(kept(1, { id: "local-b" }));
    databases.kept.set("local-c", { row: { id: "local-c", seats: null }, seed: "", log: [] });
    databases.kept.set("local-d", { ...kept(1, { id: "local-d" }), log: [{ ply: 0 }] });
    const { rows, damaged } = await store.listing();
    expect(rows.map(({ id }) => id)).toEqual(["local-b", "local-d"]);
    expect(damaged).toEqual(["local-c"]);
    for (const id of ["local-c", "local-d"]) await expect(store.get(id)).rejects.toMatchObject({ lack: "damaged" });
    await store.remove("local-c");
    expect((await store.listing()).damaged).toEqual([]);
  });
});

describe("what the database does not take", () => {
  function safe(open = () => DatabaseStore.open(databases.factory)): { store: SafeStore; troubles: (Trouble | null)[] } {
    const troubles: (Trouble | null)[] = [];
    return { store: new SafeStore(open, (trouble) => troubles.push(trouble)), troubles };
  }

  test("lives in memory where the database is blocked, which is told", async () => {
    const { store, troubles } = safe(() => Promise.reject(new DOMException("no", "SecurityError")));
    await store.put(kept(1));
    await store.put(kept(2));
    expect((await store.get("local-a"))!.row.version).toBe(2);
    expect((await store.listing()).rows.length).toBe(1);
    await expect(store.put(kept(2))).rejects.toThrow(Overtaken);
    expect(troubles).toEqual(["blocked"]);
  });

  test("is offered again with the next action: once there is room, nothing is lost by a reload", async () => {
    const { store, troubles } = safe();
    await store.put(kept(1));
    databases.fails = { put: "QuotaExceededError" };
    await store.put(kept(2));
    await store.put(kept(3));
    expect((await store.get("local-a"))!.row.version).toBe(3);
    expect([inDatabase(), troubles]).toEqual([1, ["full"]]);
    databases.fails = {};
    await store.put(kept(4));
    expect([inDatabase(), troubles]).toEqual([4, ["full", null]]);
    await store.put(kept(5));
    expect(inDatabase()).toBe(5);
  });

  test("is offered again when something was removed", async () => {
    const { store, troubles } = safe();
    await store.put(kept(1, { id: "local-old" }));
    databases.fails = { put: "QuotaExceededError" };
    await store.put(kept(1));
    databases.fails = {};
    await store.remove("local-old");
    expect([inDatabase(), troubles]).toEqual([1, ["full", null]]);
  });

  test("is not written over a match with which another tab has come as far", async () => {
    const { store } = safe();
    await store.put(kept(1));
    databases.fails = { put: "QuotaExceededError" };
    await store.put(kept(2));
    databases.fails = {};
    databases.kept.set("local-a", kept(4, { changed: 9 }));
    await expect(store.put(kept(3))).rejects.toThrow(Overtaken);
    expect((await store.get("local-a"))!.row).toMatchObject({ version: 4, changed: 9 });
  });

  test("is gone when the match was removed in another tab", async () => {
    const { store } = safe();
    await store.put(kept(1));
    databases.fails = { put: "QuotaExceededError" };
    await store.put(kept(2));
    databases.fails = {};
    databases.kept.clear();
    await expect(store.put(kept(3))).rejects.toThrow(Overtaken);
    expect(await store.get("local-a")).toBe(null);
  });

  test("being overtaken is no trouble of the store's", async () => {
    const { store, troubles } = safe();
    await store.put(kept(1));
    await expect(store.put(kept(1))).rejects.toThrow(Overtaken);
    expect(troubles).toEqual([]);
  });

  test("a match that is not there is not one that cannot be read", async () => {
    const { store } = safe();
    expect(await store.get("local-a")).toBe(null);
    databases.fails = { get: "DataError" };
    await expect(store.get("local-a")).rejects.toThrow(NotReadable);
    await expect(safe(() => Promise.reject(new Error())).store.get("local-a")).rejects.toMatchObject({ lack: "storage" });
  });

  test("a page of a newer version may have the database: what is played here is kept in memory, and told", async () => {
    const { store, troubles } = safe();
    await store.put(kept(1));
    databases.factory.open("plenilune", 2);
    await Promise.resolve();
    await store.put(kept(2));
    expect([inDatabase(), troubles]).toEqual([1, ["newer"]]);
    expect((await store.get("local-a"))!.row.version).toBe(2);
  });

  test("a database that never answers is not waited for; if it does later, it takes what was played", async () => {
    vi.useFakeTimers();
    databases.silent = true;
    const { store, troubles } = safe();
    const playing = store.put(kept(1)).then(() => store.put(kept(2)));
    await vi.advanceTimersByTimeAsync(3000);
    await playing;
    expect(troubles).toEqual(["blocked"]);
    databases.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect([inDatabase(), troubles]).toEqual([2, ["blocked", null]]);
    await store.put(kept(3));
    expect(inDatabase()).toBe(3);
  });
});
