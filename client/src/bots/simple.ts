/** The bots that need no search, and slips: `uniform.py` and `greedy.py` in `plenilune/bots`. */
import type { Rules, State } from "../rules/rules";
import { below, whole } from "./chance";
import type { Thought } from "./thought";

const SLIP = 0x5119n; // added to a seed: whether it is a slip says nothing about which
const RESOLUTION = 1 << 20;

/** Whether a bot that slips so often does it this time. */
export function slips(share: number, seed: bigint): boolean {
  return share > 0 && below(whole(seed + SLIP), RESOLUTION) < share * RESOLUTION;
}

/** Any legal action, all equally likely. */
export function random(rules: Rules, seen: State, seed: bigint): Thought {
  const legal = rules.legal(seen);
  const seats = rules.seats(seen);
  return plain(legal[below(seed, legal.length)]!, new Array<number>(seats).fill(1 / seats));
}

/** The action after which the game's evaluation gives the seat the best chance to win. */
export class Greedy {
  private readonly states: number; // addresses of scratch
  private readonly actions: number;
  private readonly values: number;
  private readonly generator: number;

  constructor(private readonly rules: Rules) {
    const { module, manifest, count } = rules;
    this.states = module.allocate(2 * manifest.state.size);
    this.actions = module.allocate(4 * count);
    this.values = module.allocate(8 * Math.max(...manifest.seats));
    this.generator = module.allocate(8);
  }

  think(seen: State, seat: number, seed: bigint): Thought {
    const { module, manifest, count } = this.rules;
    const seats = this.rules.seats(seen);
    module.bytes.set(seen, this.states);
    module.data.setBigUint64(this.generator, seed, true);
    module.call("resample")(this.states, seat, this.generator, 1);
    const trial = this.states + manifest.state.size;
    const action = module.call("greedy_action")(this.states, trial, 1, this.actions, count, this.values, Math.max(...manifest.seats), this.generator, 1);
    const own = module.data.getFloat64(this.values + 8 * seat, true);
    return plain(
      action,
      Array.from({ length: seats }, (_, one) => (one === seat ? own : (1 - own) / (seats - 1))),
    );
  }
}

function plain(action: number, values: number[]): Thought {
  return { action, values, visits: new Map(), worth: new Map(), line: [], simulations: 0, solved: false };
}
