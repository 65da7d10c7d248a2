import { clock } from "./clock.svelte";
import { applyLobbyChanges } from "./lobby";
import { api, Refusal } from "./net/api";
import { explain } from "./net/explain";
import { hasServer } from "./server";
import { Socket, websocketUrl, type Link } from "./net/socket";
import type { GameInfo, Lobby as Listing, ServerMessage, TableRow } from "./net/protocol";

/** The tables there are, kept up to date while somebody looks. */
export class Lobby {
  private listing = $state.raw<Listing | null>(null);
  readonly open: readonly TableRow[] = $derived(this.listing?.open ?? []);
  readonly running: readonly TableRow[] = $derived(this.listing?.live ?? []);
  readonly mine: readonly TableRow[] = $derived(this.listing?.mine ?? []);
  link = $state<Link>("connecting");
  problem = $state<string | null>(null); // why it cannot be shown
  private readonly socket: Socket;

  constructor() {
    this.socket = new Socket(() => websocketUrl("/api/lobby/live"), {
      link: (link) => (this.link = link),
      message: (message) => this.receive(message as ServerMessage),
    });
  }

  close(): void {
    this.socket.close();
  }

  private receive(message: ServerMessage): void {
    if (message.kind === "refused") this.problem = explain(Refusal.of(message));
    if (message.kind === "lobby") this.take(message);
    if (message.kind === "lobby_changes") this.take(this.listing && applyLobbyChanges(this.listing, message));
  }

  private take(listing: Listing | null): void {
    if (!listing) return this.socket.restart(); // the whole lobby comes first on every connection
    clock.set(listing.now);
    this.listing = listing;
    this.problem = null;
  }
}

let asked: Promise<readonly GameInfo[]> | null = null;

/** The games there are: the server's; where none is, or none answers, those whose rules lie beside these pages. */
export function games(): Promise<readonly GameInfo[]> {
  asked ??= (hasServer ? api.games().catch(withoutServer) : fromIndex()).then(
    (found) => found.games,
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

async function fromIndex(): Promise<{ games: readonly GameInfo[] }> {
  return (await import("../rules/load")).moduleIndex();
}

async function withoutServer(error: unknown): Promise<{ games: readonly GameInfo[] }> {
  if (!(error instanceof Refusal) || error.reason !== "unreachable") throw error;
  return fromIndex().catch(() => Promise.reject(error));
}
