/** A websocket that comes back by itself: after a lost network, a server's restart, a sleeping tab. */

export type Link = "connecting" | "open" | "lost";

export interface SocketEvents {
  message(message: unknown): void;
  link(link: Link): void;
}

/** How long to wait before the next try: longer and longer, and never the same for everybody. */
export function delay(tries: number, random = Math.random()): number {
  return Math.min(15_000, 400 * 2 ** tries) * (0.6 + 0.8 * random);
}

const QUIET = 45_000; // nothing heard for so long: the line is dead, whatever the browser believes
const PING = 20_000;

export class Socket {
  private socket: WebSocket | null = null;
  private tries = 0;
  private heard = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly beat: ReturnType<typeof setInterval>;
  private closed = false;

  constructor(
    private readonly address: () => string,
    private readonly events: SocketEvents,
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
    this.events.link(this.tries === 0 ? "connecting" : "lost");
    const socket = new WebSocket(this.address());
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => {
      this.tries = 0;
      this.heard = Date.now();
      this.events.link("open");
    };
    socket.onmessage = (event) => {
      this.heard = Date.now();
      this.events.message(JSON.parse(event.data as string));
    };
    socket.onclose = () => {
      if (this.socket === socket) this.again();
    };
  }

  private again(): void {
    this.socket = null;
    if (this.closed) return;
    this.events.link("lost");
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

export function live(path: string): string {
  const address = new URL(path, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}
