import { clock } from "./frame/clock.svelte";
import { api } from "./net/api";
import { live, Socket, type Link } from "./net/socket";
import type { GameInfo, Lobby as Listing, ServerMessage, TableRow } from "./protocol";

/** The tables there are, kept up to date while somebody looks. */
export class Lobby {
  open = $state.raw<readonly TableRow[]>([]);
  live = $state.raw<readonly TableRow[]>([]);
  mine = $state.raw<readonly TableRow[]>([]);
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
  }

  private take(listing: Listing): void {
    clock.set(listing.now);
    [this.open, this.live, this.mine] = [listing.open, listing.live, listing.mine];
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
