import { describe, expect, test } from "vitest";
import { commitment, diceKey, order, pick } from "../src/dice/dice";

const [A, B, C] = ["000102030405060708090a0b0c0d0e0f", "ffeeddccbbaa99887766554433221100", "0123456789abcdef0123456789abcdef"] as const;

/**
 * Calculated by Python: `key = hmac.new(seed.encode(), ("nonces " + " ".join(nonces)).encode(), "sha256").hexdigest()`,
 * then of `int.from_bytes(hmac.digest(key.encode(), f"{ply}.0".encode(), "sha256"), "big")` the remainder by `n`,
 * for (ply, n) = (0, 6), (2, 6), (17, 68), (40, 11).
 */
const VECTORS: readonly (readonly [seed: string, nonces: readonly string[], key: string, picks: readonly number[]])[] = [
  ["apollo", [A], "f259118031ba6fb5dc9c621cca3c80c2d2079b4e25879fba088a9e420902be6a", [3, 2, 29, 3]],
  ["apollo", [A, B], "b9ae796e732b4be702eee716ce5b5933a687ee2870e4125c55bf5939df0ca4d4", [3, 0, 58, 10]],
  ["apollo", [B, A], "fb781a5509661ef8688d09007d3928d419cdd4e1a6741474a001a1459296d65f", [1, 3, 47, 3]],
  ["Лунный свет", [A, B, C], "c11ee3d5f7defc8c8aa4b4902dee8dee2c884fa64996b022b018481615a5646c", [2, 4, 21, 8]],
];
const ROLLS = [[0, 6], [2, 6], [17, 68], [40, 11]] as const;

describe("the dice, calculated again in the browser", () => {
  test("the fingerprint is the one the package publishes", () => {
    expect(commitment("7").slice(0, 16)).toBe("7902699be42c8a8e"); // as in plenilune/core/dice.py
  });

  test("without nonces the seed itself is the key: seed apollo rolls 4, then 3", () => {
    const faces = ["1", "2", "3", "4", "5", "*"];
    const key = diceKey("apollo", []);
    expect(key).toBe("apollo");
    expect(faces[pick(key, 0, 6).index]).toBe("4");
    expect(faces[pick(key, 2, 6).index]).toBe("3");
  });

  test.each(VECTORS)("with nonces, seed %s and %j roll what Python rolls", (seed, nonces, key, picks) => {
    expect(diceKey(seed, nonces)).toBe(key);
    expect(ROLLS.map(([ply, n]) => pick(key, ply, n).index)).toEqual(picks);
  });

  /** Calculated by Python: of `hmac.digest(key.encode(), f"seat {place}.0".encode(), "sha256")` the remainder by how many are left. */
  test.each([[[A], [2, 0, 1, 3]], [[A, B], [1, 0, 2, 3]], [[B, A], [0, 1, 2, 3]]])("seats are drawn as Python draws them", (nonces, drawn) => {
    expect(order(diceKey("apollo", nonces), 4)).toEqual(drawn);
  });
});
