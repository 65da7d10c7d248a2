/** Local matches as files, which `Match.load` in Python reads too (`plenilune/match.py`). */
import { commitment } from "../dice/dice";
import { Match, standardHeaders } from "../rules/match";
import { Replay } from "../rules/replay";
import type { Rules } from "../rules/rules";
import { newDice } from "./chance";
import { newRow, type Entry, type Kept, type MatchRow, type SeatRow } from "./rows";

const PERSON_WORD = "person"; // stands for a person in the header that says who plays; a bot goes by its name

/** Without the seed where rolls do not follow from it: those before the match was opened from a file without one. It
 * takes no rules: a match that cannot be continued here can be saved, and continued elsewhere. */
export function text({ row, seed, log }: Kept): string {
  const dice = row.commitment ? { seed, nonces: row.nonces } : null;
  const scores = row.result && !row.result.resigned ? row.result.scores : null;
  const saved = new Replay();
  saved.say(standardHeaders(row, row.seats.length, row.options, dice, scores));
  saved.say({
    resigned: row.seats.flatMap((seat, number) => (seat.resigned ? [number + 1] : [])).join(" "),
    players: row.seats.map((seat) => (seat.person ? PERSON_WORD : seat.bot)).join(" "),
  });
  saved.actions.push(...log.map((entry) => entry.text));
  return saved.text();
}

/**
 * A new match of this browser, from a file; chance plays on when it is opened. Rolls after the end of the file come
 * from its seed; without one they come from a seed that is told nobody, since it does not explain the earlier rolls.
 */
export async function read(file: string, me: string): Promise<Kept> {
  const match = await Match.load(file);
  const { headers } = Replay.parse(file);
  const { rules, options, seed, position } = match;
  const { game, rules: version, components } = rules.manifest;
  const at = Date.now();
  const row: MatchRow = {
    ...newRow(at),
    game,
    rules: version,
    components,
    options,
    commitment: seed ? commitment(seed.seed) : "",
    nonces: seed?.nonces ?? [],
    ply: position.ply,
    to_play: position.toPlay,
    turn: position.ply,
    seats: seatsOf(match, headers, me),
  };
  return { row, seed: seed?.seed ?? newDice().seed, log: logOf(match, row.seats, at) };
}

function seatsOf({ rules, seats, position }: Match, headers: ReadonlyMap<string, string>, me: string): SeatRow[] {
  const resigned = new Set((headers.get("resigned") ?? "").split(" "));
  const players = playersOf(headers.get("players"), rules, seats) ?? usualPlayers(rules, seats, Math.max(0, position.toPlay));
  return players.map((word, number) => ({
    person: word === PERSON_WORD,
    name: word === PERSON_WORD ? me : "",
    bot: word === PERSON_WORD ? null : word,
    resigned: resigned.has(String(number + 1)),
  }));
}

/** Who plays, if the file says so and it can be. */
function playersOf(header: string | undefined, { manifest }: Rules, seats: number): string[] | null {
  const words = header?.split(" ") ?? [];
  const known = (word: string) => word === PERSON_WORD || word === "greedy" || word === "random" || Object.hasOwn(manifest.levels, word);
  return words.length === seats && words.every(known) && words.includes(PERSON_WORD) ? words : null;
}

/** I at one seat, and bots that a newcomer meets. */
function usualPlayers({ manifest }: Rules, seats: number, mine: number): string[] {
  const levels = Object.keys(manifest.levels);
  return Array.from({ length: seats }, (_, seat) => (seat === mine ? PERSON_WORD : (levels[1] ?? levels[0] ?? "greedy")));
}

function logOf({ positions, history }: Match, seats: readonly SeatRow[], at: number): Entry[] {
  return history.map((text, ply) => {
    const step = positions[ply]!.step(text);
    const by = step.actor < 0 ? "chance" : seats[step.actor]!.person ? "person" : "bot";
    return { ...step, ply, by, at, request: null, last: ply + 1, hash: "" };
  });
}
