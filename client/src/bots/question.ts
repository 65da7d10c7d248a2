/** What a hint is for: `HintRequest` in `plenilune/server/tables/decide/`. */
import { Refusal } from "../protocol/refusal";
import { STOPS, type Rules, type State } from "../rules/rules";

/** A whole turn, by its last action. */
export interface WholeTurn {
  seen: State; // before it
  action: number;
}

export interface Question {
  seen: State; // where the bot would play
  turn: WholeTurn | null; // whose worth is asked for too
}

/** For what comes after the actions, or, if nothing can, for all of them. */
export function questionOf(rules: Rules, seen: State, seat: number, actions: readonly string[]): Question {
  const ahead = rules.ahead(seen, seat, actions);
  if (!ahead.stopped) return { seen: ahead.seen, turn: null };
  const before = rules.ahead(seen, seat, actions.slice(0, -1));
  if (before.stopped) throw new Refusal("illegal_action", `there is no hint for what follows '${actions[before.done]}': ${STOPS[before.stopped]}`);
  return { seen, turn: { seen: before.seen, action: rules.actions.parse(actions.at(-1)!) } };
}
