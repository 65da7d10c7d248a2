/** What a live table is heard and told through: the server's websocket, or a local table. */
import { assisted } from "./assisted";
import { here, isLocal } from "./here";
import { Socket, websocketUrl, type SocketEvents } from "./socket";
import type { ClientMessage } from "./protocol";

export interface Channel {
  /** Whether it could be sent now. */
  send(message: ClientMessage): boolean;
  /** Begin again, at once. */
  reopen(): void;
  /** What came makes no sense: begin again, but not at once. */
  restart(): void;
  close(): void;
}

export type ChannelEvents = SocketEvents;

/** What is known already when one connects: through whose eyes one looks, and up to which ply the log is here. */
export interface Asked {
  viewer: number | null;
  ply: number;
}

export type Connect = (asked: () => Asked, events: ChannelEvents) => Channel;

/** How one connects to a table. */
export async function connector(id: string): Promise<Connect> {
  if (isLocal(id)) return (await here()).connector(id);
  return assisted((asked, events) => new Socket(() => websocketUrl(`/api/tables/${id}/live?${query(asked())}`), events));
}

function query({ viewer, ply }: Asked): URLSearchParams {
  const asked = new URLSearchParams();
  if (ply > 0) asked.set("ply", String(ply));
  if (viewer !== null) asked.set("viewer", String(viewer));
  return asked;
}
