/** A small game for the tests of local tables: a card is dealt to the seat to play, which alone sees it, and plays or holds. */
import { Actions } from "../src/rules/actions";
import { CHANCE, OVER, Rules, type State } from "../src/rules/rules";

const ROUNDS = 4;
const CARDS = ["a", "b", "c"];
const ACTIONS = { deal: [CARDS], play: [], hold: [] };
const UNKNOWN = 9;
// A state: seats, who is to play, the seat whose turn it is, rounds played, its card, and a score for each seat.
const [SEATS, TO_PLAY, TURN, ROUND, CARD, SCORES] = [0, 1, 2, 3, 4, 5];

const signed = (byte: number) => (byte << 24) >> 24;

/** The part of `Rules` that tables use. */
export function toyRules(secrets: boolean): Rules {
  const actions = new Actions(ACTIONS);
  const changed = (state: State, change: (fresh: State) => void) => {
    const fresh = state.slice();
    change(fresh);
    return fresh;
  };
  const toPlay = (state: State) => signed(state[TO_PLAY]!);
  const toy = Object.create(Rules.prototype) as Rules;
  const parts = {
    manifest: { game: "toy", rules: 1, components: "c0", secrets, options: { deck: ["small", "large"] }, levels: { casual: {}, strong: {} } },
    actions,
    begin: (seats: number) => Uint8Array.from([seats, CHANCE, 0, 0, UNKNOWN, ...new Array<number>(seats).fill(0)]),
    chosen: (options: Record<string, string>) => ({ deck: options["deck"] ?? "small" }),
    seats: (state: State) => state[SEATS]!,
    toPlay,
    legal: (state: State) => (toPlay(state) === OVER ? [] : toPlay(state) === CHANCE ? [0, 1, 2] : [3, 4]),
    apply: (state: State, action: number) =>
      changed(state, (fresh) => {
        if (toPlay(state) === CHANCE) {
          fresh[CARD] = action;
          fresh[TO_PLAY] = state[TURN]!;
          return;
        }
        if (action === 3) fresh[SCORES + state[TURN]!]! += (state[CARD]! % UNKNOWN) + 1;
        fresh[TURN] = (state[TURN]! + 1) % state[SEATS]!;
        fresh[ROUND]!++;
        fresh[CARD] = UNKNOWN;
        fresh[TO_PLAY] = fresh[ROUND] === ROUNDS ? OVER : CHANCE;
      }),
    standing: (state: State) => {
      const scores = [...state.slice(SCORES)];
      return { scores, places: scores.map((score) => 1 + scores.filter((other) => other > score).length) };
    },
    seen: (state: State, viewer: number) =>
      changed(state, (fresh) => {
        if (secrets && viewer !== state[TURN] && toPlay(state) !== OVER) fresh[CARD] = UNKNOWN;
      }),
    words: (state: State, action: number, viewer: number) => (secrets && action < 3 ? (viewer === state[TURN] ? 1 : 0) : secrets ? 0 : null),
    view: (seen: State) => ({ card: CARDS[seen[CARD]!] ?? null, round: seen[ROUND] }),
    certain: (seen: State, _: number, action: number) => toy.apply(seen, action),
  };
  for (const [name, value] of Object.entries(parts)) Object.defineProperty(toy, name, { value });
  return toy;
}
