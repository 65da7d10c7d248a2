/**
 * Where local matches are kept: in the browser's database, or in memory while that is blocked, full or broken.
 * A match is written as a whole, and only over the version that the writer knew.
 */
import { isKept, isRow, type Kept, type MatchRow } from "./rows";

/** Another tab has changed the match. */
export class Overtaken extends Error {}

/** Why a match cannot be shown: storage cannot be read at present, or what it has is not a match any more. */
export class NotReadable extends Error {
  constructor(readonly lack: "storage" | "damaged", cause?: unknown) {
    super(`a match cannot be read: ${lack}`, { cause });
  }
}

/** Why matches are not kept. `newer`: a page of a newer version has changed the database. */
export type Trouble = "blocked" | "full" | "newer";

export interface Listing {
  rows: readonly MatchRow[]; // newest first
  damaged: readonly string[]; // ids of what cannot be read
}

export interface Store {
  /** Null where there is no such match; throws where that cannot be found out. */
  get(id: string): Promise<Kept | null>;
  listing(): Promise<Listing>;
  /** Writes a match over the version that is there, 0 for none: usually the one before it. */
  put(kept: Kept, over?: number): Promise<void>;
  remove(id: string): Promise<void>;
}

function newestFirst(rows: readonly MatchRow[]): MatchRow[] {
  return [...rows].sort((a, b) => b.changed - a.changed);
}

const DATABASE = "plenilune";
const MATCHES = "matches";
const VERSION = 1;
const LOST = ["InvalidStateError", "UnknownError"]; // iOS ends connections by itself

export class DatabaseStore implements Store {
  private connection: Promise<IDBDatabase> | null = null;

  private constructor(private readonly factory: IDBFactory) {}

  static async open(factory: IDBFactory): Promise<DatabaseStore> {
    const store = new DatabaseStore(factory);
    await store.connected();
    return store;
  }

  async get(id: string): Promise<Kept | null> {
    const found = await this.ask<unknown>("readonly", (matches) => matches.get(id));
    if (found === undefined) return null;
    if (isKept(found)) return found;
    throw new NotReadable("damaged");
  }

  async listing(): Promise<Listing> {
    const found = await this.ask<{ row: { id: unknown } }[]>("readonly", (matches) => matches.getAll());
    const rows = found.map(({ row }) => row);
    return { rows: newestFirst(rows.filter(isRow)), damaged: rows.filter((row) => !isRow(row)).map(({ id }) => String(id)) };
  }

  /** Compares and writes in one transaction, so that no other tab can come between. */
  put(kept: Kept, over = kept.row.version - 1): Promise<void> {
    return this.insist((database) => new Promise((resolve, reject) => {
      const transaction = database.transaction(MATCHES, "readwrite", { durability: "strict" });
      const matches = transaction.objectStore(MATCHES);
      let refused: unknown = null;
      const before = matches.get(kept.row.id) as IDBRequest<Kept | undefined>;
      before.onsuccess = () => {
        try {
          // A removed match is not written again: this tab has been overtaken.
          if ((before.result?.row.version ?? 0) !== over) throw new Overtaken();
          matches.put(kept);
        } catch (error) {
          refused = error;
          transaction.abort();
        }
      };
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(refused ?? transaction.error ?? new Error("the database refused a match"));
    }));
  }

  async remove(id: string): Promise<void> {
    await this.ask("readwrite", (matches) => matches.delete(id));
  }

  private ask<T>(mode: IDBTransactionMode, what: (matches: IDBObjectStore) => IDBRequest): Promise<T> {
    return this.insist((database) => new Promise((resolve, reject) => {
      const transaction = database.transaction(MATCHES, mode);
      const asked = what(transaction.objectStore(MATCHES));
      transaction.oncomplete = () => resolve(asked.result as T);
      transaction.onabort = () => reject(transaction.error ?? new Error("the database does not answer"));
    }));
  }

  /** Once more over a new connection, if the one there was is lost. */
  private async insist<T>(work: (database: IDBDatabase) => Promise<T>): Promise<T> {
    try {
      return await work(await this.connected());
    } catch (error) {
      if (!LOST.includes(nameOf(error))) throw error;
      this.connection = null;
      return work(await this.connected());
    }
  }

  private connected(): Promise<IDBDatabase> {
    const lost = () => (this.connection = null);
    if (!this.connection) {
      this.connection = connect(this.factory, lost);
      this.connection.catch(lost);
    }
    return this.connection;
  }
}

function connect(factory: IDBFactory, lost: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = factory.open(DATABASE, VERSION);
    asked.onupgradeneeded = () => asked.result.createObjectStore(MATCHES, { keyPath: "row.id" });
    asked.onsuccess = () => {
      const database = asked.result;
      database.onclose = lost;
      database.onversionchange = () => {
        database.close(); // a page of a newer version needs it
        lost();
      };
      resolve(database);
    };
    asked.onerror = () => reject(asked.error ?? new Error("the database cannot be opened"));
    asked.onblocked = () => reject(new Error("the database is blocked"));
  });
}

function nameOf(error: unknown): string {
  return (error as { name?: string } | null)?.name ?? "";
}

const PATIENCE = 3000; // milliseconds; some browsers never answer whether the database can be opened

/**
 * The database, and memory for what it does not take: that lasts as long as the page, and is offered to the database
 * again whenever something is written or removed.
 */
export class SafeStore implements Store {
  private readonly here = new Map<string, Kept>(); // what the database has not taken
  private readonly taken = new Map<string, number>(); // the version of it that the database has
  private database: Promise<Store | null>;
  private opening = false;
  private trouble: Trouble | null = null;

  constructor(
    private readonly open: () => Promise<Store>,
    private readonly tell: (trouble: Trouble | null) => void,
  ) {
    this.database = this.opened();
  }

  async get(id: string): Promise<Kept | null> {
    const here = this.here.get(id);
    if (here) return here;
    const database = await this.database;
    if (!database) throw new NotReadable("storage");
    return database.get(id).catch((error: unknown) => {
      throw error instanceof NotReadable ? error : new NotReadable("storage", error);
    });
  }

  async listing(): Promise<Listing> {
    const { rows, damaged } = await this.stored();
    const others = rows.filter((row) => !this.here.has(row.id));
    return { rows: newestFirst([...[...this.here.values()].map(({ row }) => row), ...others]), damaged };
  }

  async put(kept: Kept): Promise<void> {
    const { id, version } = kept.row;
    const before = this.here.get(id);
    if (before && before.row.version + 1 !== version) throw new Overtaken();
    if (await this.offer(kept)) return this.offerAll();
    if (!this.taken.has(id)) this.taken.set(id, version - 1);
    this.here.set(id, structuredClone(kept));
  }

  async remove(id: string): Promise<void> {
    this.forget(id);
    await (await this.database)?.remove(id);
    await this.offerAll(); // there may be room now
  }

  private async stored(): Promise<Listing> {
    const nothing: Listing = { rows: [], damaged: [] };
    const database = await this.database;
    return database ? database.listing().catch((error: unknown) => (this.fail(error), nothing)) : nothing;
  }

  /** Whether the database has taken it. Throws if another tab has gone on with the match. */
  private async offer(kept: Kept): Promise<boolean> {
    const { id, version } = kept.row;
    const database = (await this.database) ?? (await this.again());
    if (!database) return false;
    try {
      await this.write(database, kept);
    } catch (error) {
      if (error instanceof Overtaken) throw error;
      this.fail(error);
      return false;
    }
    const newer = this.here.get(id); // played meanwhile, and not taken
    if (newer && newer.row.version > version) this.taken.set(id, version);
    else this.forget(id);
    if (!this.here.size) this.say(null);
    return true;
  }

  /** Over the version that the database has. Of two tabs that went on from there, the one that came further is kept. */
  private async write(database: Store, kept: Kept): Promise<void> {
    const { id, version } = kept.row;
    const taken = this.taken.get(id);
    try {
      await database.put(kept, taken ?? version - 1);
    } catch (error) {
      if (!(error instanceof Overtaken) || taken === undefined) throw error;
      const there = await database.get(id);
      if (there && there.row.version < version) return database.put(kept, there.row.version);
      this.forget(id);
      throw error;
    }
  }

  private async offerAll(): Promise<void> {
    for (const kept of [...this.here.values()]) await this.offer(kept).catch(() => false); // overtaken: it is forgotten
  }

  private forget(id: string): void {
    this.here.delete(id);
    this.taken.delete(id);
  }

  /** Null where it cannot be opened, or does not answer in time; if it answers later, it is used from then on. */
  private opened(): Promise<Store | null> {
    this.opening = true;
    return new Promise((resolve) => {
      const patience = setTimeout(() => {
        this.fail(null);
        resolve(null);
      }, PATIENCE);
      const done = (store: Store | null): void => {
        clearTimeout(patience);
        this.opening = false;
        resolve(store);
        if (!store) return;
        this.database = Promise.resolve(store);
        void this.offerAll();
      };
      void Promise.resolve()
        .then(this.open)
        .then(done, (error: unknown) => {
          this.fail(error);
          done(null);
        });
    });
  }

  private again(): Promise<Store | null> {
    return this.opening ? this.database : (this.database = this.opened());
  }

  private fail(error: unknown): void {
    this.say(TROUBLES[nameOf(error)] ?? "blocked");
  }

  private say(trouble: Trouble | null): void {
    if (trouble !== this.trouble) this.tell((this.trouble = trouble));
  }
}

const TROUBLES: Readonly<Record<string, Trouble>> = { QuotaExceededError: "full", VersionError: "newer" };
