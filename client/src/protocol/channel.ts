/** What a live table is heard and told through: the server's websocket, or a local table. */
import type { ClientMessage } from "./messages";

export interface Channel {
  /** Whether it could be sent now. */
  send(message: ClientMessage): boolean;
  /** Begin again, at once. */
  reopen(): void;
  /** What came makes no sense: begin again, but not at once. */
  restart(): void;
  close(): void;
}

export interface ChannelEvents {
  message(message: unknown): void;
  link(link: Link): void;
}

/** `busy`: the server was reached, and had no room. */
export type Link = "connecting" | "open" | "lost" | "busy";

/** What is known already when one connects: through whose eyes one looks, and up to which ply the log is here. */
export interface Asked {
  viewer: number | null;
  ply: number;
}

export type Connect = (asked: () => Asked, events: ChannelEvents) => Channel;
