import { clock } from "../net/clock.svelte";
import { applyLobbyChanges } from "./lobby";
import { Refusal } from "../protocol/refusal";
import { explain } from "../net/explain";
import { Socket, websocketUrl } from "../net/socket";
import type { Link } from "../protocol/channel";
import type { Lobby as Listing, ServerMessage, TableRow } from "../protocol/messages";

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
