/** A finished match, played again from its record: what could have been rolled each time, by the rules alone. */
import type { Roll, TableInfo } from "../protocol/messages";
import { Refusal } from "../protocol/refusal";
import { rulesPlayed } from "./load";
import { Position, rollsOf } from "./position";
import { BadMatch, Replay } from "./replay";

export interface Replayed {
  actions: readonly string[];
  rolls: readonly Roll[];
  /** It says of itself what it must. */
  same: boolean;
}

/** What a record must be of. */
type Match = Pick<TableInfo, "game" | "rules" | "components" | "options" | "seats">;
interface Seed {
  seed: string;
  nonces: readonly string[];
}

/** Throws `BadMatch` for a record that the rules do not allow, and `NoRules` without rules. */
export async function replayed(match: Match, dice: Seed, record: string): Promise<Replayed> {
  const beginning = Position.begin(await rulesPlayed(match), match.seats.length, match.options);
  const { headers, actions } = Replay.parse(record);
  const said = { game: match.game, rules: String(match.rules), seats: String(match.seats.length), seed: dice.seed, nonces: dice.nonces.join(" ") };
  const same = Object.entries(said).every(([key, value]) => (headers.get(key) ?? "") === value);
  try {
    return { actions, rolls: rollsOf(beginning, actions), same };
  } catch (error) {
    throw error instanceof Refusal ? new BadMatch(error.message) : error;
  }
}

export function isBad(error: unknown): boolean {
  return error instanceof BadMatch;
}
