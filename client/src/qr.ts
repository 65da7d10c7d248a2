/**
 * QR codes (ISO/IEC 18004) of a text: bytes, error correction M, versions 1 to 10, the best of the eight masks.
 * Enough for an address, and small.
 */

/** For version 1 to 10 at level M: check bytes a block; then blocks and data bytes of each, one or two kinds. */
const BLOCKS: readonly (readonly [number, ...(readonly [number, number])[]])[] = [
  [10, [1, 16]],
  [16, [1, 28]],
  [26, [1, 44]],
  [18, [2, 32]],
  [24, [2, 43]],
  [16, [4, 27]],
  [18, [4, 31]],
  [22, [2, 38], [2, 39]],
  [22, [3, 36], [2, 37]],
  [26, [4, 43], [1, 44]],
];
/** Where the small squares are, by version. */
const ALIGN = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

export type Modules = readonly (readonly boolean[])[];

export function qr(text: string): Modules {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex((_, i) => bytes.length + header(i + 1) <= capacity(i + 1)) + 1;
  if (version === 0) throw new RangeError(`too long for a QR code: ${bytes.length} bytes`);
  const codewords = interleave(version, data(version, bytes));
  const candidates = MASKS.map((_, mask) => draw(version, codewords, mask));
  return candidates.reduce((best, other) => (penalty(other) < penalty(best) ? other : best));
}

// Bytes

function capacity(version: number): number {
  const [, ...kinds] = BLOCKS[version - 1]!;
  return kinds.reduce((sum, [blocks, size]) => sum + blocks * size, 0);
}

/** Mode and length, rounded up to whole bytes. */
function header(version: number): number {
  return version < 10 ? 2 : 3;
}

function data(version: number, bytes: readonly number[]): number[] {
  const bits: number[] = [];
  const put = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, capacity(version) * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const out: number[] = [];
  for (let i = 0; i < bits.length; i += 8) out.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let pad = 0xec; out.length < capacity(version); pad ^= 0xec ^ 0x11) out.push(pad);
  return out;
}

function interleave(version: number, bytes: readonly number[]): number[] {
  const [checks, ...kinds] = BLOCKS[version - 1]!;
  let from = 0;
  const blocks = kinds.flatMap(([count, size]) => Array.from({ length: count }, () => bytes.slice(from, (from += size))));
  const longest = Math.max(...blocks.map((block) => block.length));
  const columns = (rows: number[][], width: number) =>
    Array.from({ length: width }, (_, i) => rows.map((row) => row[i])).flat().filter((byte) => byte !== undefined);
  return [...columns(blocks, longest), ...columns(blocks.map((block) => remainder(block, checks)), checks)];
}

// Reed and Solomon's check bytes, in the field of 256 elements

const EXP: number[] = [];
const LOG: number[] = [];
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = x;
  LOG[x] = i;
  x = x & 0x80 ? (x << 1) ^ 0x11d : x << 1;
}
const times = (a: number, b: number) => (a && b ? EXP[(LOG[a]! + LOG[b]!) % 255]! : 0);

function remainder(bytes: readonly number[], checks: number): number[] {
  let generator = [1];
  for (let i = 0; i < checks; i++) {
    const next = [...generator, 0];
    generator.forEach((value, j) => (next[j + 1]! ^= times(value, EXP[i]!)));
    generator = next;
  }
  const rest = [...bytes, ...Array<number>(checks).fill(0)];
  bytes.forEach((_, i) => {
    const factor = rest[i]!;
    generator.forEach((value, j) => (rest[i + j]! ^= times(value, factor)));
  });
  return rest.slice(bytes.length);
}

// Modules

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function draw(version: number, codewords: readonly number[], mask: number): boolean[][] {
  const size = 17 + 4 * version;
  const grid = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const set = (x: number, y: number, dark: boolean) => {
    if (x >= 0 && y >= 0 && x < size && y < size) grid[y]![x] = dark;
  };
  const square = (cx: number, cy: number, rings: number, dark: (ring: number) => boolean) => {
    for (let dy = -rings; dy <= rings; dy++)
      for (let dx = -rings; dx <= rings; dx++) set(cx + dx, cy + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let i = 8; i < size - 8; i++) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const align = ALIGN[version - 1]!;
  for (const x of align)
    for (const y of align) if (!corner(x, y, size)) square(x, y, 2, (ring) => ring !== 1);
  format(set, size, mask);
  if (version >= 7) versionBits(set, size, version);
  fill(grid, codewords, mask);
  return grid as boolean[][];
}

function corner(x: number, y: number, size: number): boolean {
  return (x < 9 && y < 9) || (x > size - 10 && y < 9) || (x < 9 && y > size - 10);
}

function format(set: (x: number, y: number, dark: boolean) => void, size: number, mask: number): void {
  const bits = ((mask << 10) | check(mask, 10, 0x537)) ^ 0x5412; // level M is 00
  const bit = (i: number) => ((bits >> i) & 1) === 1;
  for (let i = 0; i < 15; i++) {
    const first: readonly [number, number] = i < 6 ? [8, i] : i < 8 ? [8, i + 1] : i === 8 ? [7, 8] : [14 - i, 8];
    set(...first, bit(i));
    if (i < 8) set(size - 1 - i, 8, bit(i));
    else set(8, size - 15 + i, bit(i));
  }
  set(8, size - 8, true);
}

function versionBits(set: (x: number, y: number, dark: boolean) => void, size: number, version: number): void {
  const bits = (version << 12) | check(version, 12, 0x1f25);
  for (let i = 0; i < 18; i++) {
    const dark = ((bits >> i) & 1) === 1;
    const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
    set(a, b, dark);
    set(b, a, dark);
  }
}

/** The remainder that protects format and version. */
function check(value: number, length: number, polynomial: number): number {
  let rest = value;
  for (let i = 0; i < length; i++) rest = (rest << 1) ^ ((rest >> (length - 1)) & 1 ? polynomial : 0);
  return rest & ((1 << length) - 1);
}

/** From the lower right corner, in columns of two, up and down. */
function fill(grid: (boolean | null)[][], codewords: readonly number[], mask: number): void {
  const size = grid.length;
  let bit = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const upward = ((right + 1) & 2) === 0;
      const y = upward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y]![x] !== null) continue;
        const dark = ((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        grid[y]![x] = (dark === 1) !== MASKS[mask]!(x, y);
        bit++;
      }
    }
  }
}

/** How hard a pattern is to read: long runs, blocks, false finders, too dark or too light. */
function penalty(grid: Modules): number {
  const size = grid.length;
  const rows = grid.map((row) => row.map((dark) => (dark ? "1" : "0")).join(""));
  const columns = rows.map((_, x) => rows.map((row) => row[x]).join(""));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (let i = 0; i + 11 <= size; i++) if (FALSE_FINDERS.includes(line.slice(i, i + 11))) sum += 40;
  }
  for (let y = 0; y + 1 < size; y++)
    for (let x = 0; x + 1 < size; x++) {
      const four = rows[y]!.slice(x, x + 2) + rows[y + 1]!.slice(x, x + 2);
      if (four === "0000" || four === "1111") sum += 3;
    }
  const dark = rows.join("").replaceAll("0", "").length / size ** 2;
  return sum + Math.floor(Math.abs(dark * 100 - 50) / 5) * 10;
}
const FALSE_FINDERS = ["10111010000", "00001011101"];

/** The dark modules as one path, with the quiet zone of four around them. */
export function path(modules: Modules): { d: string; size: number } {
  const runs = modules.flatMap((row, y) => [...row.map((dark) => (dark ? "1" : "0")).join("").matchAll(/1+/g)].map((run) => `M${run.index + 4} ${y + 4}h${run[0].length}v1h-${run[0].length}z`));
  return { d: runs.join(""), size: modules.length + 8 };
}
