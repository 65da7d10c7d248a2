import type { GameModule, Hint, LogEntry, Position, SeatInfo, SentenceContext } from "../board";
import type { Clocks } from "../../protocol/messages";
import type { Scene } from "../scene";
import { Turn, type TurnSource } from "../turn.svelte";
import { Notice } from "./notice.svelte";
import { sentenceContext } from "./sentences";

/** A match whose positions are all known: a replay, a lesson. */
export class RecordedMatch implements Scene {
  at = $state(0);
  log = $state.raw<readonly LogEntry[]>([]);
  hint = $state.raw<Hint | null>(null);
  drawer = $state(false);
  readonly clocks: Clocks | null = null;
  readonly unread = 0;
  readonly turn: Turn;
  private readonly noticed = new Notice();

  constructor(
    readonly game: GameModule,
    readonly seats: readonly SeatInfo[],
    readonly front: number,
    readonly mine: readonly number[],
    protected readonly positions: readonly Position[],
    protected readonly entries: readonly LogEntry[],
    source: Partial<TurnSource<unknown>> = {},
  ) {
    const never = () => Promise.reject(new Error());
    this.turn = new Turn(
      {
        preview: never,
        play: never,
        ends: () => true,
        confirm: () => "never",
        mine: () => this.mine,
        refused: (reason) => this.say(reason),
        whyNot: () => undefined,
        ...source,
      },
      positions[0]!,
    );
  }

  readonly context: SentenceContext<unknown> = $derived.by(() => sentenceContext(this.game, this.seats, this.turn.view, this.mine));

  /** As it was before the last action: what else could have been done is told from there. */
  readonly contextBefore: SentenceContext<unknown> = $derived.by(() =>
    sentenceContext(this.game, this.seats, this.positions[Math.max(0, this.at - 1)]!.view, this.mine),
  );

  get last(): number {
    return this.positions.length - 1;
  }

  get notice(): string | null {
    return this.noticed.text;
  }

  go(at: number): void {
    this.at = Math.max(0, Math.min(this.last, at));
    const position = this.positions[this.at]!;
    this.log = this.entries.filter((entry) => entry.ply < position.ply);
    this.turn.arrive(this.offered(position));
  }

  entryBefore(at: number): LogEntry | null {
    const ply = this.positions[at]!.ply;
    return this.entries.find((entry) => entry.ply === ply - 1) ?? null;
  }

  say(notice: string): void {
    this.noticed.show(notice);
  }

  openLog(): void {
    this.drawer = true;
  }

  /** What may be done there. */
  protected offered(position: Position): Position {
    return position;
  }
}
