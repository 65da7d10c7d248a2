/**
 * Answers previews and hints of a server's table in the page: at once, and without the server's computing time. Only
 * where no secret is needed: the state follows from the log, and is the server's if it has the same hash. Whatever
 * cannot be answered for certain is left to the server.
 */
import type { ClientMessage, Hint, Preview, ServerMessage, TableInfo } from "../protocol/messages";
import { Refusal, refused } from "../protocol/refusal";
import type { Bots } from "../bots/bots";
import { questionOf, type Question } from "../bots/question";
import { Match } from "../rules/match";
import type { Position } from "../rules/position";
import { previewed } from "../rules/previewed";
import { SPECTATOR, type Rules } from "../rules/rules";

/** What a server has said about a table. */
export interface Heard {
  readonly table: TableInfo;
  readonly log: readonly string[]; // every action's text
  readonly hash: string; // of what is seen after the last of them
}

export interface Surroundings {
  tell(message: ServerMessage): void; // as if the server had said it
  askServer(message: ClientMessage): boolean;
  hireBots(rules: Rules): Promise<Bots>;
}

const SECONDS = 2; // of thought for a hint, as on a server

export class Assistant {
  private match: Match | null = null; // as far as it was replayed
  private thinking: { id: string; stop: AbortController } | null = null; // about a hint
  private bots: Promise<Bots> | null = null;

  /** The rules are those by which the table is played, of a game without secrets. */
  constructor(
    private readonly rules: Rules,
    private readonly around: Surroundings,
  ) {}

  close(): void {
    this.thinking?.stop.abort();
    this.bots?.then((bots) => bots.close()).catch(() => undefined);
  }

  /** Whether it answers this; otherwise the server is to be asked. */
  takes(message: ClientMessage, heard: Heard): boolean {
    if (message.kind === "stop_hint") return this.stopHint(message.id);
    if (message.kind !== "preview" && message.kind !== "hint") return false;
    const position = mayAsk(message, heard) ? this.positionOf(heard) : null;
    if (!position) return false;
    queueMicrotask(() => this.answer(message, position, heard)); // the caller has to know first that it was asked
    return true;
  }

  /** The position after the whole log, or null if it is not the server's. */
  private positionOf({ table, log, hash }: Heard): Position | null {
    try {
      const match = (this.match ??= new Match(this.rules, table.seats.length, table.options));
      for (const text of log.slice(match.position.ply)) match.play(text);
      return match.position.ply === log.length && match.position.digest(SPECTATOR) === hash ? match.position : null;
    } catch (error) {
      if (error instanceof Refusal) return null; // these rules do not allow what was played
      throw error;
    }
  }

  private answer(message: Preview | Hint, position: Position, { table }: Heard): void {
    const { ply } = position;
    try {
      const seat = table.to_play;
      const actions = message.actions ?? [];
      if (message.kind === "preview") this.around.tell(previewed(this.rules, message.id, ply, seat, position.ahead(seat, actions)));
      else void this.hint(message, ply, seat, questionOf(this.rules, position.seen(seat), seat, actions));
    } catch (error) {
      this.refuse(message.id, ply, error);
    }
  }

  private async hint(message: Hint, ply: number, seat: number, { seen, turn }: Question): Promise<void> {
    const { id, seconds = SECONDS } = message;
    this.thinking?.stop.abort();
    const stop = new AbortController();
    this.thinking = { id, stop };
    try {
      const bots = await (this.bots ??= this.around.hireBots(this.rules));
      for await (const answer of bots.hints(seen, seat, seconds, stop.signal, turn)) this.around.tell({ kind: "hinted", id, ply, turn: null, ...answer });
    } catch {
      if (!stop.signal.aborted) this.giveUp(message);
    }
  }

  /** A page that cannot think asks the server. */
  private giveUp(message: Hint): void {
    this.bots = null;
    this.thinking = null;
    if (!this.around.askServer(message)) this.refuse(message.id, null, new Refusal("unavailable", "nobody can think about that now"));
  }

  private stopHint(id: string): boolean {
    if (this.thinking?.id !== id) return false;
    this.thinking.stop.abort();
    this.thinking = null;
    return true;
  }

  private refuse(id: string, ply: number | null, error: unknown): void {
    this.around.tell(refused(error, id, ply));
  }
}

/** Whether the server would answer: what it refuses, it refuses itself. */
function mayAsk(message: Preview | Hint, { table, log }: Heard): boolean {
  const { mine, seats, status, to_play } = table;
  const mayPlay = status === "playing" && mine.includes(to_play) && !seats[to_play]?.resigned;
  if (message.kind === "hint") return mayPlay && table.hints;
  return mayPlay && message.ply === log.length && (message.seat ?? to_play) === to_play;
}
