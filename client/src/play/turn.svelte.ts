import type { Confirm } from "../browser/preferences.svelte";
import { Choice } from "./choice.svelte";
import type { Pick } from "./choosing";
import { share } from "./share";

export const CHANCE = -1;
export const OVER = -2;
export const SPECTATOR = -1;

/** A place in a match, as one viewer sees it. */
export interface Position<V = unknown> {
  ply: number;
  view: V;
  legal: readonly string[];
  to_play: number; // a seat, CHANCE or OVER
  scores: readonly number[];
  places: readonly number[];
}

/** What an action would lead to, up to the next roll or draw. */
export interface Ghost<V = unknown> {
  action: string;
  position: Position<V>;
}

/** Where positions come from and actions go to: the server, a recording, the workshop. */
export interface TurnSource<V> {
  preview(ply: number, actions: readonly string[]): Promise<Position<V>>;
  play(ply: number, actions: readonly string[]): Promise<void>;
  ends(action: string, before: Position<V>, after: Position<V>): boolean;
  confirm(): Confirm;
  mine(): readonly number[];
  /** Keep the unfinished turn, so that a page that is loaded again can go on with it. */
  remember?(ply: number, actions: readonly string[]): void;
  refused(reason: string): void;
  whyNot(pick: Pick, element: Element | null): void;
}

/** The unfinished turn: actions that are chosen but not sent, each of which can be taken back. */
export class Turn<V = unknown> {
  committed = $state.raw<Position<V>>() as Position<V>;
  pending = $state.raw<readonly string[]>([]);
  ghost = $state.raw<Ghost<V> | null>(null);
  sending = $state(false);
  /** How many chosen actions wait for the position they lead to. */
  private asked = $state(0);
  private after = $state.raw<readonly Position<V>[]>([]);
  private undone = $state.raw<readonly string[]>([]);
  private previews = new Map<string, Promise<Position<V>>>();

  readonly choice = new Choice({
    earlier: () => [...[this.committed, ...this.after].slice(0, -1)].reverse().map((position) => position.legal),
    goBack: (plies) => this.keep(this.pending.length - plies),
    act: (action) => void this.act(action),
    refuse: (pick, element) => this.source.whyNot(pick, element),
  });

  readonly shown = $derived(this.after.at(-1) ?? this.committed);
  readonly view = $derived(this.shown.view);
  readonly ended = $derived(this.pending.length > 0 && this.hasEnded());
  readonly mayAct = $derived(this.isMine(this.shown) && !this.ended && !this.sending);
  readonly mayConfirm = $derived(this.pending.length > 0 && this.ended && !this.sending);
  /** What is shown will change by itself: an action was chosen, or the turn sent. */
  readonly busy = $derived(this.asked > 0 || this.sending);
  readonly mayUndo = $derived((this.pending.length > 0 || !this.choice.empty) && !this.sending);
  readonly mayRedo = $derived(this.undone.length > 0 && !this.sending);

  constructor(
    private readonly source: TurnSource<V>,
    first: Position<V>,
  ) {
    this.arrive(first);
  }

  /** The match has gone on, or is resumed: what was unfinished belongs to an older ply. */
  arrive(position: Position<V>): void {
    // What was previewed and now is so need not be drawn again: mostly nothing, while a piece is still gliding.
    const view = share(this.shown?.view, position.view);
    this.committed = { ...position, view, legal: share(this.shown?.legal, position.legal) };
    this.sending = false;
    this.previews.clear();
    this.pending = [];
    this.after = [];
    this.undone = [];
    this.ghost = null;
    this.offer();
  }

  async act(action: string): Promise<void> {
    const again = this.undone.at(-1) === action ? this.undone.slice(0, -1) : [];
    if (await this.push(action)) this.undone = again;
    if (this.pending.at(-1) === action && this.ended && !this.wantsConfirm(action)) await this.confirm();
  }

  undo(): void {
    if (!this.choice.empty) return this.choice.clear();
    const last = this.pending.at(-1);
    if (last === undefined) return;
    const undone = [...this.undone, last];
    this.keep(this.pending.length - 1);
    this.undone = undone;
  }

  async redo(): Promise<void> {
    const action = this.undone.at(-1);
    if (action === undefined) return;
    const left = this.undone.slice(0, -1);
    if (await this.push(action)) this.undone = left;
  }

  reset(): void {
    this.choice.clear();
    const undone = [...this.undone, ...[...this.pending].reverse()];
    this.keep(0);
    this.undone = undone;
  }

  async confirm(): Promise<void> {
    if (!this.pending.length || this.sending) return;
    this.sending = true;
    try {
      await this.source.play(this.committed.ply, this.pending);
      // It stays as it is until the position that follows from it arrives.
    } catch (error) {
      this.sending = false;
      this.keep(0);
      this.source.refused(message(error));
    }
  }

  /** Go on with an unfinished turn. */
  async resume(actions: readonly string[]): Promise<void> {
    for (const action of actions) if (!(await this.push(action))) return;
  }

  /** Show where what is aimed at would lead. */
  async updateGhost(): Promise<void> {
    const action = this.choice.aimed;
    if (!action || !this.mayAct) {
      this.ghost = null;
      return;
    }
    const position = await this.preview([...this.pending, action]).catch(() => null);
    if (this.choice.aimed === action && position) this.ghost = { action, position };
  }

  private async push(action: string): Promise<boolean> {
    const actions = [...this.pending, action];
    const ply = this.committed.ply;
    this.asked += 1;
    try {
      const previewed = await this.preview(actions);
      if (this.committed.ply !== ply || this.pending.length !== actions.length - 1) return false;
      const position = { ...previewed, view: share(this.shown.view, previewed.view) };
      this.ghost = null;
      this.pending = actions;
      this.after = [...this.after, position];
      this.source.remember?.(ply, actions);
      this.offer();
      return true;
    } catch (error) {
      this.source.refused(message(error));
      return false;
    } finally {
      this.asked -= 1;
    }
  }

  private keep(plies: number): void {
    this.pending = this.pending.slice(0, plies);
    this.after = this.after.slice(0, plies);
    this.undone = [];
    this.source.remember?.(this.committed.ply, this.pending);
    this.offer();
  }

  private offer(): void {
    this.choice.clear();
    this.choice.legal = this.isMine(this.shown) && !this.hasEnded() ? this.shown.legal : [];
  }

  private hasEnded(): boolean {
    const action = this.pending.at(-1);
    if (action === undefined) return false;
    const before = this.after.at(-2) ?? this.committed;
    return before.to_play !== this.shown.to_play || this.source.ends(action, before, this.shown);
  }

  private wantsConfirm(action: string): boolean {
    const wish = this.source.confirm();
    if (wish !== "turn") return wish === "always";
    const before = this.after.at(-2) ?? this.committed;
    return this.shown.to_play !== CHANCE || this.source.ends(action, before, this.shown);
  }

  private isMine(position: Position<V>): boolean {
    return this.source.mine().includes(position.to_play);
  }

  private preview(actions: readonly string[]): Promise<Position<V>> {
    const key = actions.join("\n");
    const known = this.previews.get(key);
    if (known) return known;
    const asked = this.source.preview(this.committed.ply, actions);
    this.previews.set(key, asked);
    asked.catch(() => this.previews.delete(key));
    return asked;
  }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
