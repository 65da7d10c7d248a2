/**
 * The valley's ground as cut paper. Mist is one scalloped sheet, what is open is one green sheet below it, so that what is
 * joined looks joined and no roads are drawn. Everything is text for an SVG in the hexes' own units, drawn again only
 * when a tile is laid. Classes get their colours from board.css.
 *
 * A sheet is one path, and what lies on a hex is written where it lies: to a browser every `transform` and every
 * `opacity` inside an SVG is a layer to sort, and a valley has a thousand trees and curls.
 */
import { around, chance, points, short, SIDE, SIX, type Grid, type Point, type Spot } from "./hexes";

export interface Ground extends Spot {
  ground: string;
  tile: boolean;
  open: boolean;
}

function isMist(hex: Ground | undefined): boolean {
  return hex !== undefined && hex.ground === "mist" && !hex.tile;
}

export class Valley<H extends Ground> {
  readonly byName: ReadonlyMap<string, H>;

  constructor(
    readonly hexes: readonly H[],
    readonly grid: Grid,
    /** Makes the ids of this drawing its own, as several can be on a page. */
    private readonly own: string,
  ) {
    this.byName = new Map(hexes.map((hex) => [hex.id, hex]));
  }

  /** The board all of it lies on. */
  board(): string {
    const d = this.sheet(this.hexes, SIDE);
    return `<path class="board" d="${d}"/><path class="board-top" d="${d}"/>`;
  }

  /** Everything printed that is neither mist nor open; `high` stands above the mist. */
  printed(high: boolean): string {
    return this.hexes
      .filter((hex) => !hex.open && hex.ground !== "mist" && (hex.ground === "forest") === high)
      .map((hex) => this.printedOn(hex))
      .join("");
  }

  private printedOn(hex: Ground): string {
    const at = this.grid.centre(hex);
    if (hex.ground === "forest") return once(`forest ${this.grid.turned} ${hex.id}`, () => forest(hex.id, this.grid, at));
    if (hex.ground === "ruin") return this.card("ruin", at, 13);
    if (hex.ground === "forbidden") return `<g transform="translate(${points([at])})">${forbidden(this.grid, `${this.own}-hex`)}</g>`;
    return this.card("ground", at, 16) + grass(hex.id, at);
  }

  /** A hex with a smaller one on it. */
  private card(style: string, at: Point, inset: number): string {
    return `<polygon class="${style}" points="${this.grid.hex(SIDE - 3, at)}"/><polygon class="${style}-in" points="${this.grid.hex(SIDE - inset, at)}"/>`;
  }

  /** Laid tiles and emptied meadows. */
  country(): string {
    const cells = this.hexes.filter((hex) => hex.open).map((hex) => ({ hex, ...this.cut(hex, (other) => other?.open === true, 9) }));
    const sheet = cells.map(({ v }) => outline(v)).join("");
    const low = cells.map(({ v }) => outline(v.map(([x, y]): Point => [x, y + 5]))).join("");
    let [lit, seams, marks] = ["", "", ""];
    for (const { hex, v, joined } of cells) {
      for (const k of SIX) {
        const line = `M${points([v[(k + 5) % 6]!])}L${points([v[k]!])}`;
        if (!joined[k] && this.grid.way(k)[1] < 0.1) lit += line;
        if (joined[k] && hex.id < around(hex)[k]!) seams += line;
      }
      marks += openMarks(hex, this.grid);
    }
    return (
      `<path class="bed" d="${sheet}"/><path class="tile-lo" d="${low}"/><path class="tile" d="${sheet}"/>` +
      `${marks}<path class="tile-seam" d="${seams}"/><path class="tile-hi" d="${lit}"/>`
    );
  }

  /** The sheets of mist, without the curls that drift on it. */
  mist(): string {
    const cells = this.hexes.filter(isMist);
    const deep = cells.filter((hex) => this.mistAround(hex) >= 3);
    const sheet = (name: string, list: readonly Ground[], inset: number, rough: number) =>
      `<path class="${name}" d="${list.map((hex) => this.scalloped(hex, inset, rough)).join("")}"/>`;
    return (
      `<clipPath id="${this.own}-mist"><path d="${this.sheet(cells, SIDE - 2)}"/></clipPath>` +
      sheet("m1", cells, 4, 20) + sheet("m2", cells, 19, 17) + sheet("m3", deep, 36, 15) +
      `<g clip-path="url(#${this.own}-mist)">${waves(this.grid.turned)}</g><path class="seam" d="${this.sheet(cells, SIDE - 1)}"/>`
    );
  }

  /** Curls of paper on the mist. Their clip is their own, so that they can drift a little as one flat layer. */
  curls(): string {
    const all = this.hexes
      .filter((hex) => isMist(hex) && (chance(hex.id, 5) < 0.8 || this.mistAround(hex) < 3))
      .map((hex) => once(`curl ${this.grid.turned} ${hex.id}`, () => {
        const [x, y] = this.grid.centre(hex);
        const [dx, dy] = [(chance(hex.id, 8) - 0.5) * 24, (chance(hex.id, 9) - 0.5) * 18];
        const scale = 0.74 + 0.22 * chance(hex.id, 10);
        const mirror = chance(hex.id, 7) < 0.5 ? -1 : 1;
        const strips = placed(CURLS[Math.floor(chance(hex.id, 6) * CURLS.length)]!, [x + dx, y + dy], scale * mirror, scale);
        return { light: drawn(strips), shade: drawn(strips.map((strip) => strip.map(([a, b]): Point => [a + 1, b + 5]))) };
      }));
    const clip = this.sheet(this.hexes.filter(isMist), SIDE - 2);
    return (
      `<clipPath id="${this.own}-curls"><path d="${clip}"/></clipPath>` +
      `<g clip-path="url(#${this.own}-curls)"><path class="curl-sh" d="${all.map(({ shade }) => shade).join("")}"/>` +
      `<path class="curl" d="${all.map(({ light }) => light).join("")}"/></g>`
    );
  }

  defs(): string {
    return `<clipPath id="${this.own}-hex"><polygon points="${this.grid.hex(SIDE - 4)}"/></clipPath>`;
  }

  private sheet(hexes: readonly Spot[], side: number): string {
    return hexes.map((hex) => `M${this.grid.hex(side, this.grid.centre(hex))}z`).join("");
  }

  private mistAround(hex: Spot): number {
    return around(hex).filter((name) => isMist(this.byName.get(name))).length;
  }

  private cut(hex: Spot, same: (other: H | undefined) => boolean, inset: number): { v: Point[]; joined: boolean[] } {
    const joined = around(hex).map((name) => same(this.byName.get(name)));
    return { v: this.grid.piece(hex, joined, inset), joined };
  }

  private scalloped(hex: Ground, inset: number, rough: number): string {
    const { v, joined } = this.cut(hex, isMist, inset);
    let out = outline(v);
    for (const k of SIX) {
      if (joined[k]) continue;
      const [p, q] = [v[(k + 5) % 6]!, v[k]!];
      const [nx, ny] = this.grid.way(k);
      for (const i of [0, 1, 2]) {
        const t = (i + 0.5) / 3 + (chance(hex.id, k * 7 + i + inset) - 0.5) * 0.12;
        const r = rough * (0.8 + 0.45 * chance(hex.id, k * 13 + i + 99 + inset));
        out += disc([p[0] + (q[0] - p[0]) * t - nx * r * 0.62, p[1] + (q[1] - p[1]) * t - ny * r * 0.62], r);
      }
    }
    return out;
  }
}

/* What looks the same at every table is written once. */

const written = new Map<string, unknown>();
function once<T>(what: string, write: () => T): T {
  if (!written.has(what)) written.set(what, write());
  return written.get(what) as T;
}

/* Parts of paths */

const outline = (list: readonly Point[]): string => `M${points(list)}z`;
const drawn = (strips: readonly (readonly Point[])[]): string => strips.map(outline).join("");
/** Clockwise, as hexes are: what goes the other way round cuts a hole into what it lies on. */
const disc = ([x, y]: Point, r: number): string => {
  const [a, b] = [short(r), short(2 * r)];
  return `M${short(x - r)} ${short(y)}a${a} ${a} 0 1 1 ${b} 0a${a} ${a} 0 1 1-${b} 0z`;
};
/** A path whose only absolute commands are `M`, moved. */
const moved = (d: string, [x, y]: Point): string =>
  d.replace(/M(-?[\d.]+) ?(-?[\d.]+)/g, (_, a: string, b: string) => `M${short(x + +a)} ${short(y + +b)}`);

type Strips = readonly (readonly Point[])[];
const placed = (strips: Strips, [x, y]: Point, sx: number, sy: number): Point[][] =>
  strips.map((strip) => strip.map(([a, b]): Point => [x + a * sx, y + b * sy]));

/* The kinds of ground, each where its hex is */

/** Bare trees, as corners. */
const TREES: readonly (readonly Point[])[] = [
  "-7 46 -5 12 -28 -10 -25 -15 -5 -3 -6 -33 -20 -50 -16 -54 -3 -43 0 -76 4 -76 5 -40 20 -58 24 -55 7 -24 7 -1 28 -21 32 -17 8 13 11 46",
  "-8 44 -6 4 -24 -18 -20 -22 -5 -9 -7 -46 -24 -66 -19 -69 -4 -56 2 -84 5 -58 18 -74 22 -70 6 -42 6 -14 30 -30 33 -25 8 4 10 44",
  "-6 40 -5 10 -30 -2 -31 -7 -6 -3 -8 -30 -2 -58 2 -32 14 -48 18 -45 5 -18 6 4 22 -10 26 -6 7 14 9 40",
].map(corners);

function corners(text: string): Point[] {
  const n = text.split(" ").map(Number);
  return Array.from({ length: n.length / 2 }, (_, i): Point => [n[2 * i]!, n[2 * i + 1]!]);
}

function forest(name: string, grid: Grid, at: Point): string {
  const first = Math.floor(chance(name, 3) * 3);
  const mirror = chance(name, 4) < 0.5 ? -1 : 1;
  const tree = (k: number, x: number, y: number, s: number, [dx, dy]: Point) =>
    outline(placed([TREES[(first + k) % 3]!], [at[0] + mirror * (x + dx), at[1] + y + dy], mirror * s * (k % 2 ? -1 : 1), s)[0]!);
  const back = (by: Point) => tree(1, -42, 14, 0.68, by) + tree(2, 42, 20, 0.74, by);
  const front = (by: Point) => tree(0, 0, 26, 1.02, by);
  return (
    `<polygon class="forest" points="${grid.hex(SIDE - 3, at)}"/><polygon class="forest-in" points="${grid.hex(SIDE - 15, at)}"/>` +
    `<path class="tree-sh" d="${back([4, 6])}"/><path class="tree-sh" d="${front([4, 6])}"/><path class="tree2" d="${back([0, 0])}"/><path class="tree" d="${front([0, 0])}"/>`
  );
}

/** What is left of a town on the free places of a ruin: columns that stand, on the upper one, and that fell. */
export function columns(standing: boolean, at: Point): string {
  return once(`columns ${standing} ${points([at])}`, () => putUp(standing, at));
}

function putUp(standing: boolean, [x, y]: Point): string {
  const k = 1.08;
  const all = standing ? STANDING : FALLEN;
  const path = (style: "col-sh" | "col" | "col2" | "col-in", closed: string) =>
    all[style] && `<path class="${style}" d="${all[style].map((strip) => `M${points(placed([strip], [x, y + (standing ? 3 : -3)], k, k)[0]!)}${closed}`).join("")}"/>`;
  return path("col-sh", "z") + path("col", "z") + path("col2", "") + path("col-in", "z");
}

interface Stones {
  "col-sh": Strips;
  col: Strips;
  col2: Strips;
  "col-in": Strips;
}

function column(x: number, y: number, h: number, w = 12): Stones {
  const part = (...list: readonly Point[]): Point[] => list.map(([a, b]) => [x + a, y + b]);
  return {
    "col-sh": [part([-w - 3, 6], [w + 9, 6], [w + 16, 11], [-w, 11])],
    col: [
      part([-w, 0], [-w, -h], [-w * 0.55, -h - 8], [-w * 0.15, -h - 1], [w * 0.3, -h - 13], [w, -h - 2], [w, 0]),
      part([-w - 5, -2], [w + 5, -2], [w + 5, 7], [-w - 5, 7]),
    ],
    col2: [part([-w * 0.3, -3], [-w * 0.3, -h + 8]), part([w * 0.4, -3], [w * 0.4, -h + 9])],
    "col-in": [],
  };
}

/** A column that lies on the ground: its drum, its flutes, its end. */
function fallen(): Stones {
  const a = (-13 * Math.PI) / 180;
  const lay = (...list: readonly Point[]): Point[] =>
    list.map(([x, y]) => [26 + x * Math.cos(a) - y * Math.sin(a), 46 + x * Math.sin(a) + y * Math.cos(a)]);
  const oval = (x: number, rx: number, ry: number) =>
    lay(...Array.from({ length: 16 }, (_, i): Point => [x + rx * Math.cos((i * Math.PI) / 8), ry * Math.sin((i * Math.PI) / 8) - 0.5]));
  return {
    "col-sh": [lay([-30, 12], [32, 12], [36, 18], [-30, 18])],
    col: [lay([-30, -10], [-27, -13], [28, -13], [28, 12], [-27, 12], [-30, 9]), oval(28, 7, 12.5)],
    col2: [lay([-29, -4], [20, -4]), lay([-29, 4], [20, 4])],
    "col-in": [oval(28, 3, 6.5)],
  };
}

const together = (...all: readonly Stones[]): Stones => ({
  "col-sh": all.flatMap((one) => one["col-sh"]),
  col: all.flatMap((one) => one.col),
  col2: all.flatMap((one) => one.col2),
  "col-in": all.flatMap((one) => one["col-in"]),
});
const LINTEL: Stones = { "col-sh": [], col: [[[-63, -73], [-25, -73], [-22, -66], [-30, -57], [-60, -57]]], col2: [], "col-in": [] };
const STANDING = together(column(-42, -14, 40), column(40, -14, 34), LINTEL, column(0, -14, 20));
const FALLEN = together(column(-38, 52, 24), fallen());

function forbidden(grid: Grid, clip: string): string {
  let thorns = "";
  for (let k = 0; k < 18; k++) {
    const at = (degrees: number, r: number): Point => {
      const a = (degrees * Math.PI) / 180;
      return [r * Math.cos(a), r * Math.sin(a)];
    };
    const a = 20 * k + 6;
    const tip = [40, 56, 62][k % 3]!;
    thorns += `<polygon class="${k % 2 ? "thorn" : "thorn2"}" points="${points([at(a - 9, 84), at(a + (k % 2 ? 9 : -9), tip), at(a + 9, 84)])}"/>`;
  }
  return (
    `<polygon class="pit" points="${grid.hex(SIDE - 3)}"/><g clip-path="url(#${clip})">${thorns}<polygon class="brim" points="${grid.hex(SIDE - 8)}"/></g>` +
    `<path class="eye" d="M-38 0Q0-38 38 0 0 38-38 0z"/><circle class="pit" r="14.5"/><path class="eye" d="M0-11Q6 0 0 11-6 0 0-11z"/>`
  );
}

function grass(name: string, at: Point, style = "grass"): string {
  const b = chance(name, 2) < 0.5 ? -1 : 1;
  const d = `M${-50 * b} 46q3-12-2-20M${-42 * b} 48q0-14 4-22M${44 * b} -32q3-10-1-18M${51 * b} -30q0-10 4-16`;
  return `<path class="${style}" d="${moved(d, at)}"/>`;
}

/** What open ground shows of what it was: a meadow's heart, a forest's stumps, thorns torn out. */
function openMarks(hex: Ground, grid: Grid): string {
  const at = grid.centre(hex);
  const path = (style: string, d: string) => `<path class="${style}" d="${moved(d, at)}"/>`;
  if (hex.ground === "meadow") return `<polygon class="was" points="${grid.hex(SIDE - 20, at)}"/>${grass(hex.id, at)}`;
  if (hex.ground === "forest") return path("stump", "M-44 42v-15l6-8 4 7 6-10 6 10v16zM24 -18v-13l5-7 4 6 6-9 5 9v14zM30 50v-9l5-5 4 4 5-6 4 6v10z");
  if (hex.ground === "forbidden") return path("torn", "M-46 34l8-16 8 16zM34 -26l7-15 8 15zM26 46l6-13 7 13zM-36 -34l6-12 6 12z");
  return chance(hex.id, 21) < 0.5 ? grass(hex.id, at, "grass thin") : "";
}

/* Paper strips */

/** A strip of paper along p, thin at both ends. */
function ribbon(p: readonly Point[], w: number): Point[] {
  const [left, right]: [Point[], Point[]] = [[], []];
  const last = p.length - 1;
  p.forEach(([x, y], i) => {
    const [a, b] = [p[Math.max(0, i - 1)]!, p[Math.min(last, i + 1)]!];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const d = Math.hypot(dx, dy) || 1;
    const h = (w / 2) * Math.sin(Math.PI * Math.min(1, 0.03 + (i / last) * 0.93)) ** 0.7;
    left.push([x - (dy / d) * h, y + (dx / d) * h]);
    right.push([x + (dy / d) * h, y - (dx / d) * h]);
  });
  return [...left, ...right.reverse()];
}

/** A tail that rolls itself up. */
function curl(cx: number, cy: number, r0: number, turns: number, a0: number, tail: number, way: number): Point[] {
  const p: Point[] = [];
  const start: Point = [cx + r0 * Math.cos(a0), cy + r0 * Math.sin(a0)];
  const along: Point = [way * Math.sin(a0), -way * Math.cos(a0)];
  for (let i = 0; i < 9; i++) {
    const u = 1 - i / 9;
    p.push([start[0] + along[0] * tail * u, start[1] + along[1] * tail * u + way * 10 * Math.sin(u * Math.PI) + u * u * 7]);
  }
  for (let i = 0; i <= 26; i++) {
    const u = i / 26;
    const a = a0 + way * u * turns * 2 * Math.PI;
    const r = r0 * (1 - 0.86 * u ** 0.8);
    p.push([cx + r * Math.cos(a), cy + r * Math.sin(a)]);
  }
  return p;
}

const strips = (...list: readonly (readonly [readonly Point[], number])[]): Strips => list.map(([p, w]) => ribbon(p, w));
const CURLS: readonly Strips[] = [
  strips([curl(20, -6, 36, 1.35, 1.5, 92, -1), 15], [curl(-36, 36, 19, 1.1, 1.6, 46, -1), 10], [[[-16, 60], [4, 57], [28, 59], [58, 52]], 8]),
  strips([curl(-12, 2, 40, 1.4, 1.7, 54, -1), 16], [curl(46, -38, 17, 1.1, -1.6, 66, 1), 10], [[[4, 60], [28, 62], [50, 52], [70, 34]], 8]),
  strips([curl(-26, -18, 29, 1.3, 1.4, 46, -1), 13], [curl(30, 22, 27, 1.3, 1.6, 80, -1), 13], [[[-8, -58], [14, -64], [38, -56], [62, -40]], 8]),
  strips([curl(28, 10, 38, 1.4, -1.6, 92, 1), 15], [curl(-40, 32, 18, 1.1, 1.4, 36, -1), 10], [[[-60, -40], [-38, -50], [-10, -50], [14, -42]], 7]),
  strips([[[-68, -16], [-38, -32], [-6, -30], [20, -16], [48, -16], [74, -30]], 12], [curl(12, 26, 26, 1.25, 1.6, 76, -1), 13]),
];

/** Long sheets of paper behind the curls, right across the valley. */
function waves(turned: boolean): string {
  return once(`waves ${turned}`, () => rolled(turned));
}

function rolled(turned: boolean): string {
  const [wide, tall] = turned ? [1500, 2300] : [2300, 1500];
  let out = "";
  for (let i = 0, y = -130; y < tall; i++, y += 62) {
    const phase = chance(`w${i}`, 1) * 6.28;
    const length = 250 + 130 * chance(`w${i}`, 2);
    const rise = 13 + 9 * chance(`w${i}`, 3);
    const crest = (h: number, q: number): string[] => {
      const v: string[] = [];
      for (let x = -160; x <= wide; x += 22)
        v.push(`${x} ${short(y + h + rise * Math.sin((x / length) * 6.28 + q) + rise * 0.5 * Math.sin((x / length) * 13.1 + q * 2))}`);
      return v;
    };
    const top = crest(0, phase);
    const foot = crest(104, phase + 2).reverse();
    out += `<path class="wave-sh" d="M${top.join("L")}"/><path class="wave${i % 3}" d="M${top.join("L")}L${foot.join("L")}z"/>`;
  }
  return out;
}
