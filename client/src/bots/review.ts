/** A search's remarks on every action of a match, as in `plenilune/bots/review.py`. */
import type { ReviewRemark } from "../protocol/messages";
import type { Match } from "../rules/match";
import type { Rules, State } from "../rules/rules";
import type { Judgement } from "./judge";

const LOSSES: readonly (readonly [mark: "??" | "?" | "?!", loss: number])[] = [
  ["??", 0.2],
  ["?", 0.1],
  ["?!", 0.05],
]; // of the chance to win, that earn an action its mark

interface Decision {
  ply: number;
  seat: number;
  seen: State; // by the seat, before it played
  action: number;
}

/** What the seats decided; chance decides nothing. */
export function decisions({ rules, positions, history }: Match): Decision[] {
  return history.flatMap((text, ply) => {
    const position = positions[ply]!;
    const seat = position.toPlay;
    return seat < 0 ? [] : [{ ply, seat, seen: position.seen(seat), action: rules.actions.parse(text) }];
  });
}

export function remark(rules: Rules, { ply, seat, action }: Decision, found: Judgement, done: number, total: number): ReviewRemark {
  const { before, after, better, forced } = found;
  const mark = markOf(better === action, forced, before[seat]! - after[seat]!);
  return { kind: "remark", ply, seat, action: rules.text(action), better: rules.text(better), before, after, mark, forced, done, total };
}

function markOf(isBest: boolean, forced: boolean, lost: number): ReviewRemark["mark"] {
  if (isBest) return forced ? "" : "best";
  return LOSSES.find(([, loss]) => lost >= loss)?.[0] ?? "";
}
