/** The best score of every game and choice of options that was played alone to the end. */
import type { Best } from "../protocol/messages";
import type { MatchRow } from "./rows";

/** Those of a server and those of this browser together. */
export function merged(others: readonly Best[], rows: readonly MatchRow[]): readonly Best[] {
  const best = new Map<string, Best>();
  for (const one of [...others, ...rows.flatMap(bestOf)]) {
    const key = JSON.stringify([one.game, Object.entries(one.options).sort()]);
    const known = best.get(key);
    const played = one.played + (known?.played ?? 0);
    best.set(key, known && !isBetter(one, known) ? { ...known, played } : { ...one, played });
  }
  return [...best.values()];
}

/** Of equal ones the earlier. */
function isBetter(one: Best, other: Best): boolean {
  return one.score > other.score || (one.score === other.score && one.at < other.at);
}

function bestOf({ id, game, options, seats, result, changed }: MatchRow): Best[] {
  const alone = seats.length === 1 && seats[0]!.person && result && !result.resigned;
  return alone ? [{ game, options, score: result.scores[0]!, match: id, at: changed, played: 1 }] : [];
}
