/** Random numbers that are the same on every machine: a searcher's own generator (`below` in `plenilune/core/engine.py`), and seeds. */
import type { State } from "../rules/rules";

const LOW = 0xffffffffn;
const POLYNOMIAL = 0xedb88320; // of CRC-32, its bits reversed

/** A number below n that follows from the seed (splitmix64). */
export function below(seed: bigint, n: number): number {
  let x = whole(seed + 0x9e3779b97f4a7c15n);
  x = whole((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n);
  x = whole((x ^ (x >> 27n)) * 0x94d049bb133111ebn);
  x ^= x >> 31n;
  return Number(((x >> 32n) * BigInt(n)) >> 32n);
}

/** Modulo 2⁶⁴. */
export function whole(number: bigint): bigint {
  return BigInt.asUintN(64, number);
}

/** A default seed, the same for all states that look the same to the seat: their CRC-32. */
export function seedOf(seen: State): bigint {
  const crc = seen.reduce((rest, byte) => (rest >>> 8) ^ TABLE[(rest ^ byte) & 0xff]!, -1);
  return BigInt(~crc) & LOW;
}

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});
