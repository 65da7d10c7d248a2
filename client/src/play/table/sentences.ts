import type { GameModule, LogEntry, SeatInfo, SentenceContext } from "../board";
import { speech } from "../../i18n/language.svelte";
import { followed, type View } from "../patch";
import type { History } from "../../protocol/messages";

/** A seat's name as it is written everywhere; a bot is called after the sky, so that two of one level can be told apart. */
export function nameOf(seats: readonly SeatInfo[], seat: number): string {
  const info = seats[seat];
  if (!info) return "";
  return info.held_by === "bot" ? botName(seat) : info.name || speech.t("seat.open");
}

export function botName(seat: number): string {
  return speech.t(`bot.name.${(seat % 4) as 0 | 1 | 2 | 3}`);
}

export const LEVELS = ["beginner", "casual", "strong", "master"] as const;

/** How strong a bot is, in a word. */
export function levelOf(bot: string): string {
  const level = [...LEVELS, "greedy" as const, "random" as const].find((word) => word === bot);
  return level ? speech.t(`bot.${level}`) : bot.startsWith("mcts") ? speech.t("bot.thinker") : bot;
}

export function sentenceContext(game: GameModule, seats: readonly SeatInfo[], view: unknown, mine: readonly number[]): SentenceContext<unknown> {
  return { t: speech.of(game.name), lookUp: speech.lookUp(game.name), name: (seat) => nameOf(seats, seat), view, mine };
}

/** Whether it is known what the action did. Servers send empty facts, for old pages. */
export function hasFacts({ facts }: LogEntry): boolean {
  return facts !== undefined && Object.keys(facts).length > 0;
}

/** The entry with what it did, if that can be told from the two views. */
export function withFacts(game: GameModule, entry: LogEntry, before: unknown, after: unknown): LogEntry {
  if (!game.facts || hasFacts(entry)) return entry;
  return { ...entry, facts: game.facts(entry, before, after) };
}

/** The view at every ply of a history: each frame holds what changed since the one before. */
export function viewsOf(history: History): View[] {
  let view: View = {};
  return history.frames.map((frame) => (view = followed(view, frame)));
}

/** The log of a history, with what each action did. */
export function entriesOf(game: GameModule, history: History): LogEntry[] {
  const views = viewsOf(history);
  return history.frames.flatMap(({ entry }, i) => (entry ? [i > 0 ? withFacts(game, entry, views[i - 1], views[i]) : entry] : []));
}
