import { describe, expect, test } from "vitest";
import { newRow, type Kept } from "../src/local/rows";
import { MemoryStore, Overtaken, SafeStore, type Store, type Trouble } from "../src/local/store";

const ROW = { game: "toy", rules: 1, components: "", options: {}, commitment: "", nonces: [], seats: [] };

function kept(version: number, more: Partial<Kept["row"]> = {}): Kept {
  return { row: { ...newRow(1), ...ROW, id: "local-a", version, ...more }, seed: "s", log: [] };
}

const broken = (name: string): Store => {
  const fail = () => Promise.reject(new DOMException("no", name));
  return { get: fail, rows: fail, put: fail, remove: fail };
};

describe("a store", () => {
  test("takes a version only over the one before it: a writer that knew an older one was overtaken", async () => {
    const store = new MemoryStore();
    await store.put(kept(1));
    await store.put(kept(2));
    await expect(store.put(kept(2))).rejects.toThrow(Overtaken);
    expect((await store.get("local-a"))!.row.version).toBe(2);
  });

  test("does not bring back what was removed", async () => {
    const store = new MemoryStore();
    await store.put(kept(1));
    await store.remove("local-a");
    await expect(store.put(kept(2))).rejects.toThrow(Overtaken);
  });

  test("lists what changed last first", async () => {
    const store = new MemoryStore();
    await store.put(kept(1, { id: "local-a", changed: 5 }));
    await store.put(kept(1, { id: "local-b", changed: 9 }));
    expect((await store.rows()).map((row) => row.id)).toEqual(["local-b", "local-a"]);
  });
});

describe("where nothing can be kept", () => {
  function safe(open: () => Promise<Store>): { store: SafeStore; troubles: Trouble[] } {
    const troubles: Trouble[] = [];
    return { store: new SafeStore(open, (trouble) => troubles.push(trouble)), troubles };
  }

  test("a blocked database is told, and matches live in memory", async () => {
    const { store, troubles } = safe(() => Promise.reject(new DOMException("no", "SecurityError")));
    await store.put(kept(1));
    await store.put(kept(2));
    expect((await store.get("local-a"))!.row.version).toBe(2);
    await expect(store.put(kept(2))).rejects.toThrow(Overtaken);
    expect(troubles).toEqual(["blocked"]);
  });

  test("a full one is told, and the match goes on from the version it would not take", async () => {
    const { store, troubles } = safe(() => Promise.resolve({ ...broken("QuotaExceededError"), get: () => Promise.resolve(null), rows: () => Promise.resolve([]) }));
    await store.put(kept(7));
    await store.put(kept(8));
    expect((await store.get("local-a"))!.row.version).toBe(8);
    expect((await store.rows()).length).toBe(1);
    expect(troubles).toEqual(["full"]);
  });

  test("being overtaken is not a problem of the store", async () => {
    const memory = new MemoryStore();
    const { store, troubles } = safe(() => Promise.resolve(memory));
    await store.put(kept(1));
    await expect(store.put(kept(1))).rejects.toThrow(Overtaken);
    expect(troubles).toEqual([]);
  });
});
