/** The dice, calculated again: every outcome follows from the seed and the players' nonces by HMAC-SHA-256. */
import { hex } from "./nonce";

const text = new TextEncoder();

export async function sha256(data: Uint8Array): Promise<Uint8Array> {
  // Browsers keep WebCrypto from pages of plain http, such as one in the home network.
  if (!globalThis.crypto?.subtle) return plainSha256(data);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data as BufferSource));
}

export async function hmac(key: string, message: string): Promise<Uint8Array> {
  if (!globalThis.crypto?.subtle) return plainHmac(text.encode(key), text.encode(message));
  const imported = await crypto.subtle.importKey("raw", text.encode(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, text.encode(message)));
}

/** What the server must have shown before anybody sat down. */
export async function commitment(seed: string): Promise<string> {
  return hex(await sha256(text.encode(seed)));
}

/** What the rolls follow from: the seed alone, or the seed and every player's nonce. */
export async function diceKey(seed: string, nonces: readonly string[]): Promise<string> {
  return nonces.length > 0 ? hex(await hmac(seed, `nonces ${nonces.join(" ")}`)) : seed;
}

export interface Pick {
  /** Which of the outcomes. */
  index: number;
  /** The number it follows from, in hexadecimal. */
  number: string;
}

/** Which of so many equally likely outcomes the key gives at a ply. */
export async function pick(key: string, ply: number, outcomes: number): Promise<Pick> {
  const n = BigInt(outcomes);
  const limit = 2n ** 256n - (2n ** 256n % n); // numbers at or above it would favour the first outcomes
  for (let attempt = 0; ; attempt++) {
    const number = hex(await hmac(key, `${ply}.${attempt}`));
    const value = BigInt(`0x${number}`);
    if (value < limit) return { index: Number(value % n), number };
  }
}

// Where the browser does not do it

const PRIMES = Array.from({ length: 312 }, (_, i) => i).filter((n) => n > 1 && ![2, 3, 5, 7, 11, 13, 17].some((p) => p < n && n % p === 0));
const fraction = (root: number) => Math.floor((root % 1) * 2 ** 32);
const START = PRIMES.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
const ROUND = PRIMES.slice(0, 64).map((p) => fraction(Math.cbrt(p)));

export function plainSha256(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((data.length + 8) >> 6 << 6) + 64);
  padded.set(data);
  padded[data.length] = 0x80;
  const bytes = new DataView(padded.buffer);
  bytes.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29));
  bytes.setUint32(padded.length - 4, (data.length << 3) >>> 0);
  const state = [...START];
  const w = new Array<number>(64);
  const turn = (x: number, n: number) => (x >>> n) | (x << (32 - n));
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = bytes.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [a, b] = [w[i - 15]!, w[i - 2]!];
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i]! + w[i]!) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] = (state[i]! + value) | 0));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((value, i) => out.setInt32(4 * i, value));
  return new Uint8Array(out.buffer);
}

export function plainHmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? plainSha256(key) : key);
  const inner = plainSha256(new Uint8Array([...block.map((byte) => byte ^ 0x36), ...message]));
  return plainSha256(new Uint8Array([...block.map((byte) => byte ^ 0x5c), ...inner]));
}
