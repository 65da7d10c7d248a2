import { clock } from "./frame/clock.svelte";
import { applyLobbyChanges } from "./lobby";
import { api } from "./net/api";
import { live, Socket, type Link } from "./net/socket";
import type { GameInfo, Lobby as Listing, ServerMessage, TableRow } from "./protocol";

/** The tables there are, kept up to date while somebody looks. */
export class Lobby {
  private listing = $state.raw<Listing | null>(null);
  readonly open: readonly TableRow[] = $derived(this.listing?.open ?? []);
  readonly live: readonly TableRow[] = $derived(this.listing?.live ?? []);
  readonly mine: readonly TableRow[] = $derived(this.listing?.mine ?? []);
  link = $state<Link>("connecting");
  private readonly socket: Socket;

  constructor() {
    this.socket = new Socket(() => live("/api/lobby/live"), {
      link: (link) => (this.link = link),
      message: (message) => this.receive(message as ServerMessage),
    });
  }

  close(): void {
    this.socket.close();
  }

  private receive(message: ServerMessage): void {
    if (message.kind === "lobby") this.take(message);
    if (message.kind === "lobby_changes") this.take(this.listing && applyLobbyChanges(this.listing, message));
  }

  private take(listing: Listing | null): void {
    if (!listing) return this.socket.restart(); // the whole lobby comes first on every connection
    clock.set(listing.now);
    this.listing = listing;
  }
}

let asked: Promise<readonly GameInfo[]> | null = null;

/** The games the server has. */
export function games(): Promise<readonly GameInfo[]> {
  asked ??= api.games().then(
    (found) => found.games,
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}
