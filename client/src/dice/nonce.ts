/** Random numbers that this browser adds to the dice. */

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** 128 random bits, for one match. */
export function newNonce(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}
