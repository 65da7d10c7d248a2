/** A websocket that comes back by itself: after a lost network, a server's restart, a sleeping tab. */

import type { ChannelEvents } from "../protocol/channel";
import { delay } from "./backoff";

/**
 * How often in a row it failed. A connection that is closed soon after it was opened has failed as well:
 * a server without room for it may accept it first.
 */
export function failures(before: number, openFor: number, busy: boolean): number {
  const failed = openFor < STEADY ? before : 0;
  return busy ? Math.max(failed, PATIENT) : failed;
}
const STEADY = 10_000;
const PATIENT = 3; // a busy server is left alone for some seconds

/** Whether the first words of a connection say that there is no room for it. */
export function turnedAway(message: unknown): boolean {
  const { kind, reason } = message as { kind?: string; reason?: string };
  return kind === "refused" && BUSY.has(reason ?? "");
}
const BUSY: ReadonlySet<string> = new Set(["unavailable", "too_many", "too_often"]);
const TRY_LATER = 1013; // a standard code of websockets
const FOR_GOOD = 4003; // one of the server's own: banned, or nothing to see

const QUIET = 45_000; // nothing heard for so long: the line is dead, whatever the browser believes
const PING = 20_000;

export class Socket {
  private socket: WebSocket | null = null;
  private tries = 0;
  private heard = 0;
  private opened = 0; // when; 0: it never was
  private busy = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly beat: ReturnType<typeof setInterval>;
  private closed = false;

  constructor(
    private readonly address: () => string,
    private readonly events: ChannelEvents,
  ) {
    this.beat = setInterval(() => this.check(), PING);
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.connect();
  }

  /** Whether it could be sent now. */
  send(message: object): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  reopen(): void {
    this.tries = 0;
    this.connect();
  }

  /** What came makes no sense: begin again, but not at once. */
  restart(): void {
    this.drop();
    this.again(false);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.beat);
    clearTimeout(this.retry);
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.drop();
  }

  private connect(): void {
    clearTimeout(this.retry);
    this.drop();
    this.events.link(this.tries === 0 ? "connecting" : this.busy ? "busy" : "lost");
    this.busy = false;
    const socket = new WebSocket(this.address());
    this.socket = socket;
    this.heard = Date.now();
    this.opened = 0;
    let first = true;
    socket.onopen = () => (this.opened = this.heard = Date.now());
    socket.onmessage = (event) => {
      this.heard = Date.now();
      const message: unknown = JSON.parse(event.data as string);
      if (first) this.greeted(message);
      first = false;
      this.events.message(message);
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      if (event.code === FOR_GOOD) this.close(); // the last message said why
      else this.again(event.code === TRY_LATER);
    };
  }

  /** It works once the server has said something: one that has no room may accept a connection only to say so. */
  private greeted(message: unknown): void {
    this.busy = turnedAway(message);
    if (!this.busy) this.events.link("open");
  }

  private again(later: boolean): void {
    this.socket = null;
    if (this.closed) return;
    this.busy ||= later;
    this.tries = failures(this.tries, this.opened ? Date.now() - this.opened : 0, this.busy);
    this.events.link(this.busy ? "busy" : "lost");
    this.retry = setTimeout(() => this.connect(), delay(this.tries++));
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private check(): void {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.heard > QUIET) {
      this.tries++;
      this.connect();
    } else this.send({ kind: "ping", id: "beat" });
  }

  private wake = (): void => {
    if (document.visibilityState === "hidden") return;
    if (!this.socket || Date.now() - this.heard > QUIET) this.connect();
    else this.send({ kind: "ping", id: "wake" });
  };
}

export function websocketUrl(path: string): string {
  const address = new URL(path, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}
