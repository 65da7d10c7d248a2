/** The dice of local tables: the same scheme as the server's (`plenilune/core/dice.py`). */
import { commitment, diceKey, order, pick } from "../dice/dice";
import { newNonce } from "../dice/nonce";

export class Dice {
  private readonly key: string;

  constructor(seed: string, nonces: readonly string[]) {
    this.key = diceKey(seed, nonces);
  }

  /** One of the outcomes, all equally likely, the same one whenever the same ply asks. */
  pick<T>(ply: number, outcomes: readonly T[]): T {
    return outcomes[pick(this.key, ply, outcomes.length).index]!;
  }

  /** So many seats, shuffled. */
  order(count: number): number[] {
    return order(this.key, count);
  }
}

/** A seed that nobody has chosen, its commitment, and this browser's own number. */
export function newDice(): { seed: string; commitment: string; nonces: string[] } {
  const seed = newNonce();
  return { seed, commitment: commitment(seed), nonces: [newNonce()] };
}
