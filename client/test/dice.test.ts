import { describe, expect, test } from "vitest";
import { commitment, diceKey, hmac, pick, plainHmac, plainSha256, sha256 } from "../src/dice";
import { hex } from "../src/nonce";

const bytes = (text: string) => new TextEncoder().encode(text);
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
  test("the fingerprint is the one the package publishes", async () => {
    expect((await commitment("7")).slice(0, 16)).toBe("7902699be42c8a8e"); // as in plenilune/dice.py
  });

  test("our own SHA-256 and HMAC say what WebCrypto says, at every length round a block", async () => {
    for (const length of [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 200]) {
      const text = "moon".repeat(60).slice(0, length);
      expect(hex(plainSha256(bytes(text)))).toBe(hex(await sha256(bytes(text))));
      expect(hex(plainHmac(bytes(text || "k"), bytes("12.0")))).toBe(hex(await hmac(text || "k", "12.0")));
    }
  });

  test("without nonces the seed itself is the key: seed apollo of Moon Leap rolls 4, then 3", async () => {
    const faces = ["1", "2", "3", "4", "5", "*"];
    const key = await diceKey("apollo", []);
    expect(key).toBe("apollo");
    expect(faces[(await pick(key, 0, 6)).index]).toBe("4");
    expect(faces[(await pick(key, 2, 6)).index]).toBe("3");
  });

  test.each(VECTORS)("with nonces, seed %s and %j roll what Python rolls", async (seed, nonces, key, picks) => {
    expect(await diceKey(seed, nonces)).toBe(key);
    expect(await Promise.all(ROLLS.map(async ([ply, n]) => (await pick(key, ply, n)).index))).toEqual(picks);
  });
});
