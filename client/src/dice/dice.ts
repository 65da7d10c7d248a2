/** The dice, calculated again: every outcome follows from the seed and the players' nonces by HMAC-SHA-256. */
// Not WebCrypto: browsers keep it from pages of plain http, such as one in the home network.
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

function hmacHex(key: string, message: string): string {
  return bytesToHex(hmac(sha256, utf8ToBytes(key), utf8ToBytes(message)));
}

/** What the server must have shown before anybody sat down. */
export function commitment(seed: string): string {
  return bytesToHex(sha256(utf8ToBytes(seed)));
}

/** What the rolls follow from: the seed alone, or the seed and every player's nonce. */
export function diceKey(seed: string, nonces: readonly string[]): string {
  return nonces.length > 0 ? hmacHex(seed, `nonces ${nonces.join(" ")}`) : seed;
}

export interface Pick {
  /** Which of the outcomes. */
  index: number;
  /** The number it follows from, in hexadecimal. */
  number: string;
}

/** Which of so many equally likely outcomes the key gives at a ply. */
export function pick(key: string, ply: number, outcomes: number): Pick {
  return below(key, outcomes, String(ply));
}

/** So many numbers from 0 on, as the key shuffles them: each place draws one of those that are left. */
export function order(key: string, count: number): number[] {
  const left = Array.from({ length: count }, (_, number) => number);
  return Array.from({ length: count }, (_, place) => left.splice(below(key, left.length, `seat ${place}`).index, 1)[0]!);
}

/** A number below `count`, the same one whenever the same is asked. */
function below(key: string, count: number, asked: string): Pick {
  const n = BigInt(count);
  const limit = 2n ** 256n - (2n ** 256n % n); // numbers at or above it would favour the first outcomes
  for (let attempt = 0; ; attempt++) {
    const number = hmacHex(key, `${asked}.${attempt}`);
    const value = BigInt(`0x${number}`);
    if (value < limit) return { index: Number(value % n), number };
  }
}
