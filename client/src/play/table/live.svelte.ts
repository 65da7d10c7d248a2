import type { GameModule, Hint, LogEntry, Pick, Position, SentenceContext } from "../board";
import { check, recall, shownBy, type Breach } from "../../dice/contributions";
import { see } from "../../dice/seen";
import { clock } from "../../net/clock.svelte";
import { speech } from "../../i18n/language.svelte";
import { myself } from "../../net/me.svelte";
import { api, Refusal } from "../../net/api";
import { explain } from "../../net/explain";
import { isLocal } from "../../net/here";
import { newId, Requests } from "../../net/requests";
import type { Asked, Channel, Connect } from "../../protocol/channel";
import type { Link } from "../../protocol/channel";
import { actionText } from "../../protocol/texts";
import { followed, type View } from "../patch";
import { preferences } from "../../browser/preferences.svelte";
import type { ChatLine, Clocks, Hinted, Played, Previewed, SeatInfo, ServerMessage, TableInfo, Update, Welcome } from "../../protocol/messages";
import type { Scene } from "../scene";
import { askRematch, takeMySeats } from "../../net/seating";
import { CHANCE, OVER, SPECTATOR, Turn } from "../turn.svelte";
import { saying, unreadIn, withLine } from "./chat";
import { along, comparison, hintFor, type Comparison, type Idea } from "./idea";
import { Notice } from "./notice.svelte";
import { Pace } from "./pace";
import { activeSeats } from "./seats";
import { entriesOf, hasFacts, sentenceContext, withFacts } from "./sentences";
import * as unfinished from "./unfinished";

/** What was last shown for certain, and by which name the server knows it. */
interface Known {
  ply: number;
  hash: string;
  viewer: number;
  view: View;
}

/** A table on the server or in this page: everything a page about it shows, kept true by what its channel says. */
export class LiveTable implements Scene {
  link = $state<Link>("connecting");
  info = $state.raw<TableInfo>() as TableInfo;
  viewer = $state(SPECTATOR);
  chat = $state.raw<readonly ChatLine[]>([]);
  log = $state.raw<readonly LogEntry[]>([]);
  clocks = $state.raw<Clocks | null>(null);
  private idea = $state.raw<Idea | null>(null); // the bot's
  private asked: readonly string[] = []; // the unfinished turn, when it was asked
  hinting = $state(false);
  drawer = $state(false);
  rule = $state<string | null>(null); // the paragraph at which the rules are opened
  hasPosition = $state(false); // a position has come
  /** The match went on while one was here: its end is news. */
  wasPlaying = false;
  unreadAtOpening = false;
  /** The server has changed what this match's dice are made of. */
  breach = $state<Breach | null>(null);
  /** The rematch that somebody has asked for. */
  next = $state.raw<TableInfo | null>(null);
  /** Something that the live region reads. */
  spoken = $state("");
  readonly turn: Turn;
  private readonly noticed = new Notice();
  private readonly pace: Pace<Update>;
  private readonly channel: Channel;
  private readonly requests: Requests;
  private known: Known | null = null; // the newest, shown or still to be shown
  private hash = ""; // of what is shown
  private resyncing = false;
  private hintId: string | null = null;
  private lastReadLine = $state<number | null>(null); // the last line's number; null before the first welcome
  private reported = $state.raw<ReadonlySet<number>>(new Set());
  private muted = $state.raw<ReadonlySet<string>>(new Set());

  constructor(
    readonly game: GameModule,
    welcome: TableInfo,
    connect: Connect,
  ) {
    this.info = welcome;
    this.clocks = welcome.clocks;
    this.requests = new Requests((message) => this.channel.send(message));
    this.pace = new Pace(
      (update) => this.show(update),
      () => document.hidden || preferences.get("pace") === "quick",
    );
    this.turn = new Turn(
      {
        preview: (ply, actions) => this.preview(ply, actions),
        play: (ply, actions) => this.play(ply, actions),
        ends: (action, before, after) => game.ends(action, before, after),
        confirm: () => preferences.get("confirm"),
        mine: () => this.active,
        remember: (ply, actions) => this.remember(ply, actions),
        refused: (reason) => this.say(reason),
        whyNot: (pick) => this.whyNot(pick),
      },
      { ply: 0, view: null, legal: [], to_play: CHANCE, scores: [], places: [] },
    );
    this.channel = connect(() => this.asks(), {
      link: (link) => this.linked(link),
      message: (message) => this.receive(message as ServerMessage),
    });
  }

  close(): void {
    this.channel.close();
    this.pace.stop();
    this.noticed.clear();
  }

  // What the scene is made of

  /** After the end nobody is missed. */
  readonly seats: readonly SeatInfo[] = $derived(
    this.info.status === "over" ? this.info.seats.map((seat) => ({ ...seat, connected: true, absent: false })) : this.info.seats,
  );
  readonly mine: readonly number[] = $derived(this.info.mine);
  readonly active: readonly number[] = $derived(activeSeats(this.info));
  readonly front: number = $derived.by(() => {
    if (this.viewer >= 0) return this.viewer;
    const mover = this.turn.committed.to_play;
    return this.mine.includes(mover) ? mover : (this.mine[0] ?? 0);
  });
  readonly context: SentenceContext<unknown> = $derived.by(() =>
    sentenceContext(this.game, this.info.seats, this.turn.view, this.mine),
  );
  /** As the match stands without the unfinished turn. */
  readonly committedContext: SentenceContext<unknown> = $derived.by(() =>
    sentenceContext(this.game, this.info.seats, this.turn.committed.view, this.mine),
  );
  readonly heard = $derived(this.chat.filter((line) => !this.muted.has(line.person)));
  readonly unread = $derived(this.drawer ? 0 : unreadIn(this.heard, this.lastReadLine ?? Infinity));
  readonly preparing = $derived(!this.info.bots_ready);
  readonly over = $derived(this.info.status === "over");
  /** Several people at one screen: the seat whose secrets wait behind the curtain. */
  readonly curtain: number | null = $derived.by(() => {
    const next = this.turn.committed.to_play;
    const hidden = this.hasPosition && !this.over && this.viewer === SPECTATOR && this.mine.length > 1;
    return hidden && this.active.includes(next) ? next : null;
  });

  /** The bot's next action, as long as the turn goes the way it thought. */
  readonly hint: Hint | null = $derived.by(() => {
    const { pending, shown } = this.turn;
    return this.idea && hintFor(this.idea, pending, shown.legal);
  });

  /** What the bot makes of the whole turn that it was asked about, as long as that waits to be confirmed. */
  readonly comparison: Comparison | null = $derived.by(() => this.idea && comparison(this.idea, this.turn.pending));

  get notice(): string | null {
    return this.noticed.text;
  }

  get citation(): string | null {
    return this.noticed.rule;
  }

  say(notice: string, rule: string | null = null): void {
    this.noticed.show(notice, rule);
    this.spoken = notice;
  }

  openRule(rule: string): void {
    this.rule = rule;
  }

  openLog(): void {
    this.unreadAtOpening = this.unread > 0;
    this.drawer = true;
    this.lastReadLine = this.chat.at(-1)?.number ?? 0;
  }

  closeLog(): void {
    this.drawer = false;
    this.lastReadLine = this.chat.at(-1)?.number ?? 0;
  }

  // What one does

  /** Identify again, after having sat down. */
  reconnect(): void {
    this.known = null;
    this.channel.reopen();
  }

  viewAs(seat: number): void {
    this.channel.send({ kind: "look", viewer: seat });
  }

  chatter(text: string, phrase: string | null = null): boolean {
    return this.channel.send({ kind: "say", text, phrase });
  }

  mute(person: string, quiet: boolean): void {
    const muted = new Set(this.muted);
    if (quiet) muted.add(person);
    else muted.delete(person);
    this.muted = muted;
  }

  isMuted(person: string): boolean {
    return this.muted.has(person);
  }

  /** Ask for a rematch, or accept the one that somebody has asked for; returns its id. */
  async rematch(): Promise<string> {
    const asked = this.info.rematch;
    if (!asked) return (await askRematch(this.info)).id;
    if (myself.me && this.mine.length > 0) await takeMySeats(await api.table(asked), myself.me.id);
    return asked;
  }

  /** Tell the operators about a line. */
  async report(line: number, note: string): Promise<void> {
    await myself.introduce();
    await api.report(this.info.id, line, note);
    this.reported = new Set([...this.reported, line]);
  }

  isReported(line: number): boolean {
    return this.reported.has(line);
  }

  /** Whether this browser added a number to the dice. */
  get contributes(): boolean {
    return recall(this.info.id) !== null;
  }

  askHint(): void {
    if (!this.turn.mayAct && !this.turn.mayConfirm) return this.say(speech.t("hint.notNow"));
    this.dropHint();
    this.hintId = newId();
    this.asked = this.turn.pending;
    this.hinting = this.channel.send({ kind: "hint", id: this.hintId, seconds: 4, actions: [...this.asked] });
  }

  /** Do what the bot would; it stops thinking, and its next action is there if it saw one. */
  followHint(): void {
    const action = this.hint?.action;
    this.stopHint();
    if (action) this.turn.choice.choose({ action });
  }

  /** Take the turn back and do what the bot would instead. */
  followInstead(): void {
    const action = this.comparison?.action;
    this.stopHint();
    if (!action) return;
    this.turn.reset();
    this.turn.choice.choose({ action });
  }

  dropHint(): void {
    this.stopHint();
    this.idea = null;
  }

  /** The unfinished turn has changed. A bot whose idea it leaves need not think on. */
  private remember(ply: number, actions: readonly string[]): void {
    unfinished.keep(this.info.id, ply, actions);
    if (!preferences.still) this.pace.hold();
    const follows = this.idea ? along(this.idea, actions) || comparison(this.idea, actions) !== null : actions.join() === this.asked.join();
    if (this.hinting && !follows) this.stopHint();
  }

  private stopHint(): void {
    if (this.hintId && this.hinting) this.channel.send({ kind: "stop_hint", id: this.hintId });
    this.hintId = null;
    this.hinting = false;
  }

  /** Fill the log with what each action did, from the positions on both sides of it. */
  async recall(): Promise<void> {
    if (!this.game.facts || this.log.every(hasFacts)) return;
    const history = await api.history(this.info.id).catch(() => null);
    if (!history) return;
    const told = new Map(entriesOf(this.game, history).map((entry) => [entry.ply, entry]));
    this.log = this.log.map((entry) => told.get(entry.ply) ?? entry);
  }

  /** Show at once what is still to be shown. */
  hurry(): void {
    this.pace.flush();
  }

  private async preview(ply: number, actions: readonly string[]): Promise<Position> {
    const seat = this.turn.committed.to_play;
    const told = await this.requests
      .ask<Previewed>({ kind: "preview", id: newId(), ply, actions: [...actions], seat })
      .catch(rethrow);
    // What a secret decides cannot be shown: it is as open as a roll of the dice.
    const open = told.stopped === "secret";
    return { ...told, view: told.view, to_play: open ? CHANCE : told.to_play, legal: open ? [] : told.legal };
  }

  private async play(ply: number, actions: readonly string[]): Promise<void> {
    const seat = this.turn.committed.to_play;
    const hash = this.known?.ply === ply ? this.known.hash : null;
    this.dropHint();
    await this.requests.ask<Played>({ kind: "play", id: newId(), ply, actions: [...actions], hash, seat }).catch(rethrow);
  }

  private whyNot(pick: Pick): void {
    const position = this.turn.shown;
    if (this.over || position.to_play === OVER) return this.say(speech.t("turn.over"));
    if (this.mine.length === 0) return this.say(speech.t("whynot.watching"));
    if (this.active.length === 0) return this.say(speech.t("refused.resigned"));
    if (!this.active.includes(position.to_play) || this.turn.ended) return this.say(speech.t("whynot.turn"));
    const reason = this.game.whyNot(pick, position, this.context);
    this.say(reason?.text ?? speech.t("whynot.now"), reason?.rule);
  }

  // What the server says

  private asks(): Asked {
    return { viewer: this.mine.length > 1 && this.viewer >= 0 ? this.viewer : null, ply: this.known?.ply ?? 0 };
  }

  private linked(link: Link): void {
    this.link = link;
    if (link === "lost" || link === "busy") {
      this.requests.lost();
      this.hinting = false;
    }
    if (link === "open") this.resyncing = false;
  }

  private receive(message: ServerMessage): void {
    switch (message.kind) {
      case "welcome":
        return this.welcome(message);
      case "table":
        return this.changed(message.table);
      case "update":
        return this.update(message);
      case "played":
      case "previewed":
        return this.requests.answer(message);
      case "hinted":
        if (message.id !== this.hintId || message.ply !== this.turn.committed.ply) return;
        this.idea = this.ideaOf(message);
        if (message.done) this.hinting = false;
        return;
      case "chat":
        return this.hear(message);
      case "refused":
        if (message.id === this.hintId) this.hinting = false;
        if (!this.requests.refuse(message)) this.say(explain(Refusal.of(message)));
        return;
      case "pong":
        return clock.set(message.now);
      case "lobby":
      case "lobby_changes":
        return;
    }
  }

  private ideaOf(said: Hinted): Idea {
    const worth = said.values[said.seat] ?? 0;
    const turn = said.turn ?? null;
    if (turn === null) return { ...said, worth, after: this.asked, turn: undefined };
    return { ...said, worth: said.actions[0]?.worth ?? worth, after: [], turn: { actions: this.asked, worth: turn } };
  }

  private welcome(message: Welcome): void {
    clock.set(message.now);
    this.chat = message.chat;
    this.lastReadLine ??= message.chat.at(-1)?.number ?? 0;
    this.changed(message.table);
    this.requests.back();
  }

  private changed(table: TableInfo): void {
    this.info = table;
    this.clocks = table.clocks;
    this.breach ??= check(table.id, shownBy(table.fairness), table.status !== "waiting");
    if (table.rematch && this.next?.id !== table.rematch) void this.fetchRematch(table.rematch);
  }

  private async fetchRematch(rematch: string): Promise<void> {
    this.next = await api.table(rematch).catch(() => null);
  }

  private update(update: Update): void {
    clock.set(update.now);
    const view = this.follow(update);
    if (!view) return this.resync();
    this.resyncing = false;
    this.known = { ply: update.ply, hash: update.hash, viewer: update.viewer, view };
    const watched = this.mine.length > 0 && this.info.status === "playing" && !isLocal(update.match);
    if (watched) see(update.match, update.log_from, update.log.map(actionText));
    const whole = { ...update, view } as Update;
    // What goes on is shown ply by ply; a first look and a jump are shown at once.
    if (update.base !== null && this.hasPosition) return this.pace.add(whole, update.log);
    this.pace.flush();
    this.show(whole);
  }

  /** The whole view, or null if this update does not go on from what is known. */
  private follow(update: Update): View | null {
    if (update.base === null) return update.view as View;
    const known = this.known;
    if (!known || known.ply !== update.base || known.hash !== update.base_hash || known.viewer !== update.viewer) return null;
    return followed(known.view, update);
  }

  private resync(): void {
    if (this.resyncing) return;
    this.resyncing = this.channel.send({ kind: "resync", ply: 0 });
  }

  private show(update: Update): void {
    const before = this.turn.committed;
    const entries = update.log.map((entry) => this.fuller(entry, update, before));
    this.log = [...this.log.filter((entry) => entry.ply < update.log_from), ...entries];
    this.clocks = update.clocks;
    if (this.idea && update.ply !== before.ply) this.dropHint();
    const same = this.hasPosition && update.ply === before.ply && update.viewer === this.viewer && update.hash === this.hash;
    this.viewer = update.viewer;
    this.hash = update.hash;
    if (!same) this.arrive(update);
    this.tellAloud(entries);
  }

  private arrive(update: Update): void {
    const first = !this.hasPosition;
    if (!first) this.wasPlaying = true;
    this.turn.arrive(update);
    this.hasPosition = true;
    if (first) void this.turn.resume(unfinished.recall(this.info.id, update.ply));
  }

  /** A single ply's entry can be told from the views on both sides of it. */
  private fuller(entry: LogEntry, update: Update, before: Position): LogEntry {
    const single = update.log.length === 1 && before.ply === entry.ply && this.hasPosition;
    return single ? withFacts(this.game, entry, before.view, update.view) : entry;
  }

  private tellAloud(entries: readonly LogEntry[]): void {
    const told = entries.slice(-6).map((entry) => this.game.log(entry, this.context));
    const { to_play } = this.turn.committed;
    if (to_play === OVER) told.push(speech.t("turn.over"));
    else if (this.active.includes(to_play)) told.push(speech.t("turn.yours"), this.game.asks(this.turn.committed, this.context));
    this.spoken = told.filter((line) => line).join(" ");
  }

  private hear(line: ChatLine): void {
    const known = this.chat.some((one) => one.number === line.number);
    this.chat = withLine(this.chat, line);
    if (known || line.deleted) return;
    if (this.drawer) this.lastReadLine = line.number;
    else if (!this.muted.has(line.person)) this.spoken = `${line.name}: ${saying(line, speech.lookUp(""))}`;
  }
}

/** A refusal in the reader's language. */
function rethrow(error: unknown): never {
  const lost = error instanceof Refusal && error.reason === "unreachable";
  throw new Error(lost ? speech.t("link.lost") : explain(error));
}
