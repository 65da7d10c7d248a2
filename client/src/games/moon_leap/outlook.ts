/** What an action did or would do, read from the views before and after it. */
import { OVER } from "../../play/board";
import type { MoonLeapView } from "./view";

export interface Leap {
  id: string; // the astronaut's
  seat: number;
  number: number;
  from: number; // 0: it waited
  to: number;
  over: number; // how many it leapt over
}

export interface Outlook {
  action: string;
  leaps: readonly Leap[]; // in the order of the action's words
  gain: number; // of the seat's points
  extra: boolean; // the same seat has another turn
  run: readonly [number, number] | null; // first and last crater of what earned it
  opens: boolean; // the post is passed
  ends: boolean; // the match is over
  view: MoonLeapView;
}

export function outlook(action: string, before: MoonLeapView, after: MoonLeapView): Outlook {
  const seat = before.mover;
  const leaps = leapsBetween(action, before, after);
  const ends = after.to_play === OVER;
  const extra = leaps.length > 0 && !ends && after.mover === seat;
  return {
    action,
    leaps,
    gain: after.scores[seat]! - before.scores[seat]!,
    extra,
    run: extra ? runWith(after, seat, leaps) : null,
    opens: after.post.passed && !before.post.passed,
    ends,
    view: after,
  };
}

function leapsBetween(action: string, before: MoonLeapView, after: MoonLeapView): Leap[] {
  const order = action.split(" ").slice(1);
  return before.pawns
    .flatMap((pawn, i) => {
      const to = after.pawns[i]!.space;
      if (to === pawn.space) return [];
      return { id: pawn.id, seat: pawn.seat, number: pawn.number, from: pawn.space, to, over: to - pawn.space - 1 };
    })
    .sort((a, b) => order.indexOf(String(a.number)) - order.indexOf(String(b.number)));
}

/** The longest stretch of the seat's astronauts, side by side, that one of the leaps has landed in. */
function runWith(view: MoonLeapView, seat: number, leaps: readonly Leap[]): readonly [number, number] | null {
  const own = new Set(view.pawns.filter((pawn) => pawn.seat === seat && pawn.space > 0).map((pawn) => pawn.space));
  const stretches = leaps.map(({ to }) => {
    let [first, last] = [to, to];
    while (own.has(first - 1)) first--;
    while (own.has(last + 1)) last++;
    return [first, last] as const;
  });
  return stretches.sort((a, b) => b[1] - b[0] - (a[1] - a[0]))[0] ?? null;
}

/** What an astronaut counts where it stands: its number times the crater's value, minus five times for one that waits. */
export function worth(view: MoonLeapView, seat: number, number: number): number {
  const pawn = view.pawns.find((one) => one.seat === seat && one.number === number)!;
  return number * factor(view, pawn.space);
}

const WAITING = -5;

export function factor(view: MoonLeapView, space: number): number {
  return space === 0 ? WAITING : (view.spaces[space - 1]!.value ?? 0);
}

/** With a true minus sign, as all figures here are written. */
export function figure(value: number): string {
  return value < 0 ? `−${-value}` : String(value);
}

export function change(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "±0";
}

/** Where the choices would land, and who; null where they disagree about that. */
export function landings(options: readonly Outlook[]): Map<number, number | null> {
  const found = new Map<number, number | null>();
  for (const { to, number } of options.flatMap((one) => one.leaps)) found.set(to, !found.has(to) || found.get(to) === number ? number : null);
  return found;
}
