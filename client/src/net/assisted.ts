/** A channel to a server's table that lets the page itself answer what it can. What does so is loaded with the first question. */
import type { Assistant, Heard } from "../assist/assistant";
import type { Channel, ChannelEvents, Connect } from "../protocol/channel";
import type { ClientMessage, ServerMessage, TableInfo, Update } from "../protocol/messages";
import { actionText } from "../protocol/texts";

export function assisted(connect: Connect): Connect {
  return (asked, events) => new AssistedChannel((heard) => connect(asked, { ...events, message: heard }), events);
}

class AssistedChannel implements Channel {
  private readonly channel: Channel;
  private readonly heard = new Ear();
  private assistant: Promise<Assistant | null> | null = null;
  private ready: Assistant | null = null;

  constructor(
    connect: (message: (message: unknown) => void) => Channel,
    private readonly events: ChannelEvents,
  ) {
    this.channel = connect((message) => {
      this.heard.hear(message as ServerMessage);
      events.message(message);
    });
  }

  send(message: ClientMessage): boolean {
    const { said } = this.heard;
    if (said && this.ready?.takes(message, said)) return true;
    if (said && (message.kind === "preview" || message.kind === "hint")) this.assistant ??= this.load(said.table);
    return this.channel.send(message);
  }

  reopen(): void {
    this.channel.reopen();
  }

  restart(): void {
    this.channel.restart();
  }

  close(): void {
    this.channel.close();
    this.assistant?.then((assistant) => assistant?.close()).catch(() => undefined);
  }

  private async load(table: TableInfo): Promise<Assistant | null> {
    const { assistantFor } = await import("../assist");
    const around = { tell: (message: ServerMessage) => this.events.message(message), askServer: (message: ClientMessage) => this.channel.send(message) };
    return (this.ready = await assistantFor(table, around));
  }
}

/** Remembers what the server has said about the table. */
class Ear {
  private table: TableInfo | null = null;
  private log: string[] | null = null; // null: some of it is missing
  private hash = "";

  hear(message: ServerMessage): void {
    if (message.kind === "welcome" || message.kind === "table") this.table = message.table;
    else if (message.kind === "update") this.update(message);
  }

  get said(): Heard | null {
    const { table, log, hash } = this;
    return table && log && { table: { ...table, to_play: this.toPlay }, log, hash };
  }

  private toPlay = 0;

  private update(update: Update): void {
    const known = update.log_from === 0 ? [] : this.log;
    this.log = known && known.length >= update.log_from ? [...known.slice(0, update.log_from), ...update.log.map(actionText)] : null;
    this.hash = update.hash;
    this.toPlay = update.to_play;
  }
}
