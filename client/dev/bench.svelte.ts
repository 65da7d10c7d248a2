import type { GameModule, Hint, LogEntry, Pick, Position, SeatInfo, SentenceContext } from "../src/play/board";
import { speech } from "../src/i18n/language.svelte";
import { preferences } from "../src/browser/preferences.svelte";
import type { Clocks } from "../src/protocol/messages";
import type { Scene } from "../src/play/scene";
import { Turn } from "../src/play/turn.svelte";

export interface Settings {
  game: string;
  seats: number;
  seed: string;
  options: Record<string, string>;
  ply: number;
  me: number; // -1: a spectator
  bot: string;
}

interface Told extends Position {
  log: LogEntry[];
  actions: string[];
  refused?: string;
}

const NAMES = ["Lena", "Mira", "Tycho", "Luz"];

/** A table in the workshop: real rules, one person, bots that answer at once. */
export class Bench implements Scene {
  readonly game: GameModule;
  readonly turn: Turn;
  readonly clocks: Clocks | null = null;
  readonly unread = 0;
  log = $state.raw<readonly LogEntry[]>([]);
  hint = $state.raw<Hint | null>(null);
  notice = $state<string | null>(null);
  drawer = $state(false);
  private actions: string[];
  private forget: ReturnType<typeof setTimeout> | undefined;

  static async open(game: GameModule, settings: Settings): Promise<Bench> {
    const until = settings.me >= 0 ? settings.me : undefined;
    const first = await ask({ ...settings, seat: settings.me, until });
    return new Bench(game, settings, first);
  }

  constructor(
    game: GameModule,
    readonly settings: Settings,
    first: Told,
  ) {
    this.game = game;
    this.actions = first.actions;
    this.log = first.log;
    this.turn = new Turn(
      {
        preview: (_, actions) => this.ask({ preview: actions, ply: 0 }),
        play: (_, actions) => this.play(actions),
        ends: (action, before, after) => game.ends(action, before, after),
        confirm: () => preferences.get("confirm"),
        mine: () => this.mine,
        refused: (reason) => this.say(reason),
        whyNot: (pick) => this.whyNot(pick),
      },
      first,
    );
  }

  get mine(): readonly number[] {
    return this.settings.me >= 0 ? [this.settings.me] : [];
  }

  get front(): number {
    return Math.max(0, this.settings.me);
  }

  readonly seats: readonly SeatInfo[] = $derived.by(() =>
    Array.from({ length: this.settings.seats }, (_, seat) => ({
      seat,
      held_by: seat === this.settings.me ? ("person" as const) : ("bot" as const),
      name: NAMES[seat]!,
      person: null,
      bot: seat === this.settings.me ? null : "greedy",
      connected: true,
      absent: false,
      resigned: false,
      reserved: null,
    })),
  );

  readonly context: SentenceContext<unknown> = $derived.by(() => ({
    t: speech.of(this.game.name),
    lookUp: speech.lookUp(this.game.name),
    name: (seat: number) => NAMES[seat] ?? "",
    view: this.turn.shown.view,
    mine: this.mine,
  }));

  say(notice: string): void {
    this.notice = notice;
    clearTimeout(this.forget);
    this.forget = setTimeout(() => (this.notice = null), 4000);
  }

  openLog(): void {
    this.drawer = true;
  }

  /** What the bot would do. */
  async suggest(): Promise<void> {
    const told = await this.ask({ ply: this.turn.committed.ply + 1, bot: "greedy" });
    const action = told.actions[this.actions.length];
    if (action) this.hint = { action, worth: 0.5, line: [action], done: true };
  }

  private whyNot(pick: Pick): void {
    const t = speech.t;
    if (!this.mine.includes(this.turn.shown.to_play)) return this.say(t("whynot.turn"));
    this.say(this.game.whyNot(pick, this.turn.shown, this.context)?.text ?? t("whynot.now"));
  }

  private async play(actions: readonly string[]): Promise<void> {
    const told = await this.ask({ actions: [...this.actions, ...actions], ply: 0, until: this.settings.me });
    this.actions = told.actions;
    this.log = told.log;
    this.hint = null;
    this.turn.arrive(told);
  }

  private ask(more: object): Promise<Told> {
    return ask({ ...this.settings, seat: this.settings.me, actions: this.actions, ...more });
  }
}

async function ask(question: object): Promise<Told> {
  const response = await fetch("/dev/ask", { method: "POST", body: JSON.stringify(question) });
  const told = (await response.json()) as Told;
  if (told.refused) throw new Error(told.refused);
  return told;
}
