/** What a table on the server says over a websocket, said by a local table. */
import type { ClientMessage, Hint, Play, ServerMessage } from "../protocol/messages";
import { Refusal, refused } from "../protocol/refusal";
import type { Asked, Channel, ChannelEvents } from "../protocol/channel";
import type { LocalTable, Watcher } from "./table";

const SECONDS = 2; // of thought for a hint

export class LocalConnection implements Channel {
  private readonly watcher: Watcher;
  private thinking: AbortController | null = null; // about a hint
  private closed = false;

  constructor(
    private readonly table: LocalTable,
    private readonly asked: () => Asked,
    private readonly events: ChannelEvents,
  ) {
    this.watcher = { looking: -1, sent: null, tell: (message) => this.tell(message) };
    queueMicrotask(() => this.reopen()); // the caller must have the connection first
  }

  send(message: ClientMessage): boolean {
    try {
      this.answer(message);
    } catch (error) {
      this.refuse(error, message);
    }
    return true;
  }

  reopen(): void {
    if (this.closed) return;
    this.events.link("open");
    const { viewer, ply } = this.asked();
    this.table.enter(this.watcher, viewer, ply);
  }

  restart(): void {
    this.reopen();
  }

  close(): void {
    this.closed = true;
    this.stopHint();
    this.table.leave(this.watcher);
  }

  private tell(message: ServerMessage): void {
    if (!this.closed) this.events.message(message);
  }

  private answer(message: ClientMessage): void {
    switch (message.kind) {
      case "play":
        return void this.play(message);
      case "preview":
        return this.tell(this.table.preview(message));
      case "look":
        return this.table.look(this.watcher, message.viewer);
      case "hint":
        return void this.hint(message);
      case "stop_hint":
        return this.stopHint();
      case "resync":
        return this.table.tellWhole(this.watcher, message.ply ?? 0);
      case "ping":
        return this.tell({ kind: "pong", id: message.id, now: Date.now() });
      case "say":
        throw new Refusal("forbidden", "there is no chat at this table");
    }
  }

  private async play(message: Play): Promise<void> {
    const { id } = message;
    const acknowledge = (ply: number, hash: string) => this.tell({ kind: "played", id, ply, hash });
    await this.table.play(message, acknowledge).catch((error: unknown) => this.refuse(error, message));
  }

  private async hint(message: Hint): Promise<void> {
    this.stopHint();
    const stop = (this.thinking = new AbortController());
    try {
      const { seen, turn } = this.table.hint(message.actions ?? []);
      const { row } = this.table.match;
      for await (const idea of this.table.bots.hints(seen, row.to_play, message.seconds ?? SECONDS, stop.signal, turn)) {
        this.tell({ kind: "hinted", id: message.id, ply: row.ply, turn: null, ...idea });
      }
    } catch (error) {
      if (!stop.signal.aborted) this.refuse(error, message);
    }
  }

  private stopHint(): void {
    this.thinking?.abort();
    this.thinking = null;
  }

  private refuse(error: unknown, message: ClientMessage): void {
    this.tell(refused(error, "id" in message ? message.id : null, this.table.match.row.ply));
  }
}
