/** As much of IndexedDB as a store uses, with all that may go wrong in a browser. Several connections share what is in it. */

interface Asked {
  result?: unknown;
  error?: DOMException | null;
  onsuccess?: (() => void) | null;
  onerror?: (() => void) | null;
  onupgradeneeded?: (() => void) | null;
}

type Kind = "get" | "getAll" | "put" | "delete";

export class ToyDatabases {
  readonly kept = new Map<string, unknown>();
  version = 0;
  opened = 0; // how often
  /** The name of the error with which such a request fails. */
  fails: Partial<Record<Kind, string>> = {};
  /** It never answers whether it can be opened. */
  silent = false;
  private waiting: (() => void)[] = [];
  private readonly connections: ToyConnection[] = [];

  get factory(): IDBFactory {
    return { open: (_: string, version: number) => this.open(version) } as unknown as IDBFactory;
  }

  answer(): void {
    this.silent = false;
    this.waiting.splice(0).forEach((answer) => answer());
  }

  /** As iOS does while a page is in the background. */
  lose(): void {
    for (const connection of this.connections) connection.closed = true;
  }

  private open(version: number): Asked {
    const asked: Asked = {};
    this.opened++;
    const answer = () => queueMicrotask(() => this.connect(asked, version));
    if (this.silent) this.waiting.push(answer);
    else answer();
    return asked;
  }

  private connect(asked: Asked, version: number): void {
    if (version < this.version) {
      asked.error = new DOMException("newer", "VersionError");
      return asked.onerror?.();
    }
    if (version > this.version) for (const connection of this.connections) if (!connection.closed) connection.onversionchange?.();
    const connection = new ToyConnection(this);
    this.connections.push(connection);
    asked.result = connection;
    if (version > this.version) asked.onupgradeneeded?.();
    this.version = version;
    asked.onsuccess?.();
  }
}

class ToyConnection {
  closed = false;
  onclose: (() => void) | null = null;
  onversionchange: (() => void) | null = null;

  constructor(private readonly databases: ToyDatabases) {}

  createObjectStore(): void {}

  close(): void {
    this.closed = true;
  }

  transaction(): ToyTransaction {
    if (this.closed) throw new DOMException("The database connection is closing.", "InvalidStateError");
    return new ToyTransaction(this.databases);
  }
}

/** What it writes is there once it is complete. */
class ToyTransaction {
  error: DOMException | null = null;
  oncomplete: (() => void) | null = null;
  onabort: (() => void) | null = null;
  private readonly todo: (() => void)[] = [];
  private kept = new Map<string, unknown>();
  private aborted = false;

  constructor(private readonly databases: ToyDatabases) {
    queueMicrotask(() => this.run());
  }

  objectStore() {
    return {
      get: (id: string) => this.ask("get", () => this.kept.get(id)),
      getAll: () => this.ask("getAll", () => [...this.kept.values()]),
      put: (value: { row: { id: string } }) => this.ask("put", () => void this.kept.set(value.row.id, structuredClone(value))),
      delete: (id: string) => this.ask("delete", () => void this.kept.delete(id)),
    };
  }

  abort(): void {
    this.aborted = true;
  }

  private ask(kind: Kind, work: () => unknown): Asked {
    const asked: Asked = {};
    this.todo.push(() => {
      const fails = this.databases.fails[kind];
      if (fails) {
        this.error = new DOMException(kind, fails);
        return this.abort();
      }
      asked.result = structuredClone(work());
      asked.onsuccess?.();
    });
    return asked;
  }

  /** All at once, so that no other transaction comes between. */
  private run(): void {
    this.kept = new Map(this.databases.kept);
    while (this.todo.length && !this.aborted) this.todo.shift()!();
    if (this.aborted) return this.onabort?.();
    this.databases.kept.clear();
    for (const [id, value] of this.kept) this.databases.kept.set(id, value);
    this.oncomplete?.();
  }
}
