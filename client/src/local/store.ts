/**
 * Where local matches are kept: in the browser's database, or in memory where that is blocked, full or broken.
 * A match is written as a whole, and only over the version that the writer knew.
 */
import type { Kept, MatchRow } from "./rows";

/** Another tab has changed the match. */
export class Overtaken extends Error {}

export type Trouble = "blocked" | "full";

export interface Store {
  get(id: string): Promise<Kept | null>;
  /** All matches' rows, newest first. */
  rows(): Promise<readonly MatchRow[]>;
  /** Writes a match of version `kept.row.version`, which must be the next after the one that is there. */
  put(kept: Kept): Promise<void>;
  remove(id: string): Promise<void>;
}

export class MemoryStore implements Store {
  constructor(private readonly all = new Map<string, Kept>()) {}

  get(id: string): Promise<Kept | null> {
    return Promise.resolve(this.all.get(id) ?? null);
  }

  rows(): Promise<readonly MatchRow[]> {
    return Promise.resolve(newestFirst([...this.all.values()]));
  }

  async put(kept: Kept): Promise<void> {
    checkNext(kept, this.all.get(kept.row.id));
    this.all.set(kept.row.id, structuredClone(kept));
  }

  async remove(id: string): Promise<void> {
    this.all.delete(id);
  }
}

/** A removed match is not written again: a tab that still plays it has been overtaken. */
function checkNext(kept: Kept, before: Kept | undefined): void {
  if ((before?.row.version ?? 0) + 1 !== kept.row.version) throw new Overtaken();
}

function newestFirst(all: readonly Kept[]): MatchRow[] {
  return all.map(({ row }) => row).sort((a, b) => b.changed - a.changed);
}

const DATABASE = "plenilune";
const MATCHES = "matches";

export class DatabaseStore implements Store {
  private constructor(private readonly database: IDBDatabase) {
    database.onversionchange = () => database.close(); // a newer page needs it
  }

  static open(factory: IDBFactory): Promise<DatabaseStore> {
    return new Promise((resolve, reject) => {
      const asked = factory.open(DATABASE, 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore(MATCHES, { keyPath: "row.id" });
      asked.onsuccess = () => resolve(new DatabaseStore(asked.result));
      asked.onerror = () => reject(asked.error ?? new Error("the database cannot be opened"));
      asked.onblocked = () => reject(new Error("the database is blocked"));
    });
  }

  async get(id: string): Promise<Kept | null> {
    return (await this.ask<Kept | undefined>("readonly", (matches) => matches.get(id))) ?? null;
  }

  async rows(): Promise<readonly MatchRow[]> {
    return newestFirst(await this.ask<Kept[]>("readonly", (matches) => matches.getAll()));
  }

  /** Compares and writes in one transaction, so that no other tab can come between. */
  put(kept: Kept): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(MATCHES, "readwrite", { durability: "strict" });
      const matches = transaction.objectStore(MATCHES);
      let refused: unknown = null;
      const before = matches.get(kept.row.id) as IDBRequest<Kept | undefined>;
      before.onsuccess = () => {
        try {
          checkNext(kept, before.result);
          matches.put(kept);
        } catch (error) {
          refused = error;
          transaction.abort();
        }
      };
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(refused ?? transaction.error ?? new Error("the database refused a match"));
    });
  }

  async remove(id: string): Promise<void> {
    await this.ask("readwrite", (matches) => matches.delete(id));
  }

  private ask<T>(mode: IDBTransactionMode, what: (matches: IDBObjectStore) => IDBRequest): Promise<T> {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(MATCHES, mode);
      const asked = what(transaction.objectStore(MATCHES));
      transaction.oncomplete = () => resolve(asked.result as T);
      transaction.onabort = () => reject(transaction.error ?? new Error("the database does not answer"));
    });
  }
}

/** The database, and memory from the first time it fails: what is played then lasts as long as the page. */
export class SafeStore implements Store {
  private readonly here = new Map<string, Kept>(); // what the database would not take
  private readonly memory = new MemoryStore(this.here);
  private readonly database: Promise<Store | null>;

  constructor(
    open: () => Promise<Store>,
    private readonly failed: (trouble: Trouble) => void,
  ) {
    this.database = Promise.resolve()
      .then(open)
      .catch((error: unknown) => this.fail(error));
  }

  async get(id: string): Promise<Kept | null> {
    return (await this.memory.get(id)) ?? this.attempt((database) => database.get(id), null);
  }

  async rows(): Promise<readonly MatchRow[]> {
    const [here, stored] = await Promise.all([this.memory.rows(), this.attempt((database) => database.rows(), [])]);
    const newer = new Set(here.map((row) => row.id));
    return [...here, ...stored.filter((row) => !newer.has(row.id))].sort((a, b) => b.changed - a.changed);
  }

  async put(kept: Kept): Promise<void> {
    const database = await this.database;
    if (!database || this.here.has(kept.row.id)) return this.memory.put(kept);
    try {
      await database.put(kept);
    } catch (error) {
      if (error instanceof Overtaken) throw error;
      this.fail(error);
      this.here.set(kept.row.id, kept); // from here on this page alone knows how the match goes on
    }
  }

  async remove(id: string): Promise<void> {
    await this.memory.remove(id);
    await this.attempt((database) => database.remove(id), undefined);
  }

  private async attempt<T>(work: (database: Store) => Promise<T>, otherwise: T): Promise<T> {
    const database = await this.database;
    if (!database) return otherwise;
    return work(database).catch((error: unknown) => {
      this.fail(error);
      return otherwise;
    });
  }

  private fail(error: unknown): null {
    this.failed((error as { name?: string } | null)?.name === "QuotaExceededError" ? "full" : "blocked");
    return null;
  }
}
