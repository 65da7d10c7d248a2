/**
 * One open local table: the shell around `decide`. Decide, write, acknowledge, tell; again if another tab was faster.
 * It says what a server would say over its websocket (`protocol/messages.ts`).
 */
import type { Play, Preview, Previewed, ServerMessage, TableInfo, Update } from "../protocol/messages";
import { Refusal } from "../protocol/refusal";
import type { Question } from "../bots/question";
import { Bots } from "../bots/bots";
import type { Position } from "../rules/position";
import { previewed } from "../rules/previewed";
import { Dice } from "./chance";
import * as decide from "./decide";
import type { Draft, Settled, TableState } from "./decide";
import { Driver } from "./driver";
import type { Kept } from "./rows";
import * as shown from "./shown";
import { NotReadable, Overtaken, type Store } from "./store";

const TRIES = 5; // when another tab is faster

/** Somebody who looks at the table. */
export interface Watcher {
  looking: number; // as which seat
  sent: { viewer: number; ply: number; hash: string } | null; // the last update
  tell(message: ServerMessage): void;
}

export interface Surroundings {
  store: Store;
  /** Tells the other tabs that the match has changed. */
  announce(id: string): void;
}

export class LocalTable {
  private state!: TableState;
  private readonly watchers = new Set<Watcher>();
  private readonly driver: Driver;
  private minds: Bots | null = null;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(
    private kept: Kept,
    readonly beginning: Position,
    private readonly around: Surroundings,
  ) {
    this.take(kept);
    this.driver = new Driver(this);
  }

  get id(): string {
    return this.kept.row.id;
  }

  get now(): TableState {
    return this.state;
  }

  private get weakest(): string {
    return Object.keys(this.beginning.rules.manifest.levels)[0] ?? "random";
  }

  private take(kept: Kept): void {
    let position = this.beginning;
    for (const { text } of kept.log) position = position.played(text);
    this.kept = kept;
    this.state = { row: kept.row, position };
  }

  // What another tab writes

  /** Catch up with it. Where it cannot be read, the table goes on with what it knows. */
  async refresh(): Promise<void> {
    await this.alone(async () => {
      const { version } = this.kept.row;
      await this.reload().catch((error: unknown) => {
        if (!(error instanceof NotReadable)) throw error;
      });
      if (this.kept.row.version !== version) this.publish();
    });
  }

  private async reload(): Promise<void> {
    const kept = await this.around.store.get(this.id);
    if (!kept) this.dismiss();
    else if (kept.row.version !== this.kept.row.version) this.take(kept);
  }

  private dismiss(): never {
    const gone = new Refusal("not_found", "this match was deleted");
    for (const { tell } of this.watchers) tell({ kind: "refused", reason: "not_found", message: gone.message, id: null, ply: null, detail: "table_gone", args: {} });
    this.watchers.clear();
    this.attend();
    throw gone;
  }

  // The one way in which anything changes

  private alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.writing.then(work);
    this.writing = done.catch(() => undefined);
    return done;
  }

  private change(make: (state: TableState) => Draft | null, acknowledge: () => void = () => undefined): Promise<void> {
    return this.alone(async () => {
      for (let tries = 0; tries < TRIES; tries++) {
        const draft = make(this.state);
        if (!draft) return acknowledge();
        const settled = decide.settle(draft, new Dice(this.kept.seed, this.kept.row.nonces), Date.now());
        try {
          await this.write(settled);
        } catch (error) {
          if (!(error instanceof Overtaken)) throw error;
          await this.reload();
          continue;
        }
        acknowledge();
        this.publish();
        return;
      }
      throw new Refusal("unavailable", "too much happens at this table at once; nothing has changed");
    });
  }

  private async write({ row, entries, position }: Settled): Promise<void> {
    const kept: Kept = { ...this.kept, row: { ...row, version: row.version + 1 }, log: [...this.kept.log, ...entries] };
    await this.around.store.put(kept);
    this.kept = kept;
    this.state = { ...this.state, row: kept.row, position: position ?? this.state.position };
    this.around.announce(this.id);
  }

  // What is done

  /** Writes a match that is new here; chance plays first, if it is to. */
  begin(): Promise<void> {
    return this.change(({ row, position }) => ({ row: decide.givenUp(row, position), position, steps: [], by: "chance", request: null }));
  }

  async play(asked: Play, acknowledge: (ply: number, hash: string) => void): Promise<void> {
    const before = () => this.kept.log.find(({ request }) => request === asked.id);
    await this.change(
      (state) => (before() ? null : decide.play(state, asked)),
      () => acknowledge(before()!.last, before()!.hash),
    );
  }

  playForBot(seat: number, ply: number, action: string): Promise<void> {
    return this.change((state) => decide.playForBot(state, seat, ply, action));
  }

  async resign(seat: number | null): Promise<TableInfo> {
    await this.change((state) => decide.resign(state, seat));
    return this.info();
  }

  follow(rematch: string): Promise<void> {
    return this.change((state) => decide.follow(state, rematch));
  }

  // What is shown

  info(): TableInfo {
    const seed = this.kept.row.status === "over" ? this.kept.seed : null;
    return shown.info(this.state, this.kept.row.commitment ? seed : null, this.weakest);
  }

  /** The match as it is kept. */
  get match(): Kept {
    return this.kept;
  }

  bot(seat: number): string {
    return decide.botOf(this.state.row, seat, this.weakest);
  }

  // Who looks

  enter(watcher: Watcher, wanted: number | null, logFrom: number): void {
    watcher.looking = shown.following(this.state, shown.viewer(this.state, wanted));
    this.watchers.add(watcher);
    const { looking, tell } = watcher;
    const curtain = shown.curtain(this.state, looking);
    tell({ kind: "welcome", me: null, table: this.info(), viewer: looking, curtain, chat: [], now: Date.now() });
    this.tellWhole(watcher, logFrom);
    this.attend();
  }

  leave(watcher: Watcher): void {
    this.watchers.delete(watcher);
    this.attend();
  }

  /** Bots play, and think for hints, while somebody looks. */
  attend(): void {
    this.driver.consider();
    if (this.watched) return this.bots.start();
    this.minds?.close();
    this.minds = null;
  }

  get bots(): Bots {
    return (this.minds ??= new Bots(this.beginning.rules));
  }

  get watched(): boolean {
    return this.watchers.size > 0;
  }

  look(watcher: Watcher, wanted: number): void {
    watcher.looking = shown.viewer(this.state, wanted);
    this.tellTable(watcher);
    this.tellWhole(watcher, 0);
  }

  tellWhole(watcher: Watcher, logFrom: number): void {
    this.tellUpdate(watcher, shown.update(this.state, this.kept.log, watcher.looking, logFrom, Date.now()));
  }

  private tellTable({ looking, tell }: Watcher): void {
    tell({ kind: "table", table: this.info(), viewer: looking, curtain: shown.curtain(this.state, looking) });
  }

  private publish(): void {
    for (const watcher of this.watchers) this.tellWhatChanged(watcher);
    this.driver.moved();
  }

  /** Continues from what was sent last, so that it is shown ply by ply; a new seat gets the whole position. */
  private tellWhatChanged(watcher: Watcher): void {
    const { sent } = watcher;
    watcher.looking = shown.following(this.state, watcher.looking);
    this.tellTable(watcher);
    const on = sent !== null && sent.viewer === watcher.looking && sent.ply <= this.kept.row.ply;
    if (on && sent.ply === this.kept.row.ply) return;
    const logFrom = sent && (on || !this.state.position.secrets) ? sent.ply : 0;
    const update = shown.update(this.state, this.kept.log, watcher.looking, logFrom, Date.now());
    this.tellUpdate(watcher, on ? { ...update, base: sent.ply, base_hash: sent.hash } : update);
  }
  private tellUpdate(watcher: Watcher, update: Update): void {
    watcher.sent = { viewer: update.viewer, ply: update.ply, hash: update.hash };
    watcher.tell(update);
  }

  // What is asked, which changes nothing

  preview(asked: Preview): Previewed {
    const { ply, to_play } = this.kept.row;
    return previewed(this.beginning.rules, asked.id, ply, to_play, decide.preview(this.state, asked));
  }

  /** What the seat to play would see after these actions. */
  hint(actions: readonly string[]): Question {
    return decide.hint(this.state, actions);
  }
}
