/**
 * The valley's ground as cut paper. Mist is one scalloped sheet, what is open is one green sheet below it, so that what is
 * joined looks joined and no roads are drawn. Everything is text for an SVG in the hexes' own units, drawn again only
 * when a tile is laid. Classes get their colours from nebula.css.
 */
import { around, chance, points, short, SIDE, SIX, type Grid, type Point, type Spot } from "./hexes";

export interface Ground extends Spot {
  ground: string;
  tile: boolean;
  open: boolean;
}

export function isMist(hex: Ground | undefined): boolean {
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
    const all = this.hexes.map((hex) => `<polygon points="${this.grid.hex(SIDE, this.grid.centre(hex))}"/>`).join("");
    return `<g class="board">${all}</g><g class="board-top">${all}</g>`;
  }

  /** Everything printed that is neither mist nor open; `high` stands above the mist. */
  printed(high: boolean): string {
    return this.hexes
      .filter((hex) => !hex.open && hex.ground !== "mist" && (hex.ground === "forest") === high)
      .map((hex) => this.at(hex, this.printedOn(hex)))
      .join("");
  }

  printedOn(hex: Ground): string {
    if (hex.ground === "forest") return forest(hex.id, this.grid);
    if (hex.ground === "ruin") return ruin(this.grid);
    if (hex.ground === "forbidden") return forbidden(this.grid, `${this.own}-hex`);
    return meadow(hex.id, this.grid);
  }

  /** Laid tiles and emptied meadows. */
  country(): string {
    const cells = this.hexes.filter((hex) => hex.open).map((hex) => ({ hex, ...this.cut(hex, (other) => other?.open === true, 9) }));
    const sheet = cells.map(({ v }) => `<polygon points="${points(v)}"/>`).join("");
    let [lit, seams, marks] = ["", "", ""];
    for (const { hex, v, joined } of cells) {
      for (const k of SIX) {
        const line = `M${points([v[(k + 5) % 6]!])}L${points([v[k]!])}`;
        if (!joined[k] && this.grid.way(k)[1] < 0.1) lit += line;
        if (joined[k] && hex.id < around(hex)[k]!) seams += line;
      }
      marks += this.at(hex, openMarks(hex, this.grid));
    }
    return (
      `<g class="bed">${sheet}</g><g class="tile-lo" transform="translate(0 5)">${sheet}</g><g class="tile">${sheet}</g>` +
      `${marks}<path class="tile-seam" d="${seams}"/><path class="tile-hi" d="${lit}"/>`
    );
  }

  /** The sheets of mist, without the curls that drift on it. */
  mist(): string {
    const cells = this.hexes.filter(isMist);
    const deep = cells.filter((hex) => this.mistAround(hex) >= 3);
    const sheet = (name: string, list: readonly Ground[], inset: number, rough: number) =>
      `<g class="${name}">${list.map((hex) => this.scalloped(hex, inset, rough)).join("")}</g>`;
    const seams = cells.map((hex) => `<polygon points="${this.grid.hex(SIDE - 1, this.grid.centre(hex))}"/>`).join("");
    return (
      `<clipPath id="${this.own}-mist">${this.mistClip()}</clipPath>` +
      sheet("m1", cells, 4, 20) + sheet("m2", cells, 19, 17) + sheet("m3", deep, 36, 15) +
      `<g clip-path="url(#${this.own}-mist)">${waves(this.grid.turned)}</g><g class="seam">${seams}</g>`
    );
  }

  private mistClip(): string {
    return this.hexes
      .filter(isMist)
      .map((hex) => `<polygon points="${this.grid.hex(SIDE - 2, this.grid.centre(hex))}"/>`)
      .join("");
  }

  /** Curls of paper on the mist. Their clip is their own, so that they can drift a little as one flat layer. */
  curls(): string {
    const all = this.hexes
      .filter((hex) => isMist(hex) && (chance(hex.id, 5) < 0.8 || this.mistAround(hex) < 3))
      .map((hex) => {
        const [x, y] = this.grid.centre(hex);
        const [dx, dy] = [(chance(hex.id, 8) - 0.5) * 24, (chance(hex.id, 9) - 0.5) * 18];
        const scale = 0.74 + 0.22 * chance(hex.id, 10);
        const mirror = chance(hex.id, 7) < 0.5 ? -1 : 1;
        const d = CURLS[Math.floor(chance(hex.id, 6) * CURLS.length)]!;
        const place = `translate(${short(x + dx)} ${short(y + dy)}) scale(${short(scale * mirror)} ${short(scale)})`;
        return `<g transform="${place}"><path class="curl-sh" d="${d}"/><path class="curl" d="${d}"/></g>`;
      })
      .join("");
    return `<clipPath id="${this.own}-curls">${this.mistClip()}</clipPath><g clip-path="url(#${this.own}-curls)">${all}</g>`;
  }

  defs(): string {
    return `<clipPath id="${this.own}-hex"><polygon points="${this.grid.hex(SIDE - 4)}"/></clipPath>`;
  }

  private at(hex: Spot, drawing: string): string {
    const [x, y] = this.grid.centre(hex);
    return `<g transform="translate(${short(x)} ${short(y)})">${drawing}</g>`;
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
    let out = `<polygon points="${points(v)}"/>`;
    for (const k of SIX) {
      if (joined[k]) continue;
      const [p, q] = [v[(k + 5) % 6]!, v[k]!];
      const [nx, ny] = this.grid.way(k);
      for (const i of [0, 1, 2]) {
        const t = (i + 0.5) / 3 + (chance(hex.id, k * 7 + i + inset) - 0.5) * 0.12;
        const r = rough * (0.8 + 0.45 * chance(hex.id, k * 13 + i + 99 + inset));
        const [x, y] = [p[0] + (q[0] - p[0]) * t - nx * r * 0.62, p[1] + (q[1] - p[1]) * t - ny * r * 0.62];
        out += `<circle cx="${short(x)}" cy="${short(y)}" r="${short(r)}"/>`;
      }
    }
    return out;
  }
}

/* The kinds of ground, each round its own middle */

const TREES = [
  "M-7 46-5 12-28-10-25-15-5-3-6-33-20-50-16-54-3-43 0-76 4-76 5-40 20-58 24-55 7-24 7-1 28-21 32-17 8 13 11 46z",
  "M-8 44-6 4-24-18-20-22-5-9-7-46-24-66-19-69-4-56 2-84 5-58 18-74 22-70 6-42 6-14 30-30 33-25 8 4 10 44z",
  "M-6 40-5 10-30-2-31-7-6-3-8-30-2-58 2-32 14-48 18-45 5-18 6 4 22-10 26-6 7 14 9 40z",
];

function forest(name: string, grid: Grid): string {
  const first = Math.floor(chance(name, 3) * 3);
  const tree = (k: number, x: number, y: number, s: number, look: string) =>
    `<path class="${look}" d="${TREES[(first + k) % 3]}" transform="translate(${x} ${y}) scale(${s * (k % 2 ? -1 : 1)} ${s})"/>`;
  const three = (front: string, back: string) =>
    tree(1, -42, 14, 0.68, back) + tree(2, 42, 20, 0.74, back) + tree(0, 0, 26, 1.02, front);
  return (
    `<polygon class="forest" points="${grid.hex(SIDE - 3)}"/><polygon class="forest-in" points="${grid.hex(SIDE - 15)}"/>` +
    `<g transform="scale(${chance(name, 4) < 0.5 ? -1 : 1} 1)"><g class="tree-sh" transform="translate(4 6)">${three("", "")}</g>${three("tree", "tree2")}</g>`
  );
}

function ruin(grid: Grid): string {
  return `<polygon class="ruin" points="${grid.hex(SIDE - 3)}"/><polygon class="ruin-in" points="${grid.hex(SIDE - 13)}"/>`;
}

function column(x: number, y: number, h: number, w = 12): string {
  const n = (value: number) => short(value);
  return (
    `<g transform="translate(${x} ${y})"><path class="col-sh" d="M${-w - 3} 6h${2 * w + 12}l7 5h${-2 * w - 16}z"/>` +
    `<path class="col" d="M${-w} 0V${-h}l${n(w * 0.45)}-8 ${n(w * 0.4)} 7 ${n(w * 0.45)}-12 ${n(w * 0.7)} 11V0z"/>` +
    `<path class="col2" d="M${n(-w * 0.3)} -1V${-h + 8}M${n(w * 0.4)} -1V${-h + 9}"/><path class="col" d="M${-w - 5}-2h${2 * w + 10}v9h${-2 * w - 10}z"/></g>`
  );
}

/** What is left of a town on a free place. */
export const COLUMNS_STANDING: string =
  column(-42, -14, 40) + column(40, -14, 34) + `<path class="col" d="M-60-57h30l8-9-3-7h-38z"/>` + column(0, -14, 20);
export const COLUMNS_FALLEN: string =
  column(-38, 52, 24) +
  `<g transform="translate(26 46) rotate(-13)"><path class="col-sh" d="M-30 12h62l4 6h-66z"/><rect class="col" x="-30" y="-13" width="58" height="25" rx="3"/>` +
  `<path class="col2" d="M-29-4H22M-29 4H22"/><ellipse class="col" cx="28" cy="-.5" rx="7" ry="12.5"/><ellipse class="col-in" cx="28" cy="-.5" rx="3" ry="6.5"/></g>`;

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

function meadow(name: string, grid: Grid): string {
  return `<polygon class="ground" points="${grid.hex(SIDE - 3)}"/><polygon class="ground-in" points="${grid.hex(SIDE - 16)}"/>${grass(name)}`;
}

function grass(name: string): string {
  const b = chance(name, 2) < 0.5 ? -1 : 1;
  return `<path class="grass" d="M${-50 * b} 46q3-12-2-20M${-42 * b} 48q0-14 4-22M${44 * b}-32q3-10-1-18M${51 * b}-30q0-10 4-16"/>`;
}

/** What open ground shows of what it was: a meadow's heart, a forest's stumps, thorns torn out. */
function openMarks(hex: Ground, grid: Grid): string {
  if (hex.ground === "meadow") return `<polygon class="was" points="${grid.hex(SIDE - 20)}"/>${grass(hex.id)}`;
  if (hex.ground === "forest")
    return `<path class="stump" d="M-44 42v-15l6-8 4 7 6-10 6 10v16zM24-18v-13l5-7 4 6 6-9 5 9v14zM30 50v-9l5-5 4 4 5-6 4 6v10z"/>`;
  if (hex.ground === "forbidden") return `<path class="torn" d="M-46 34l8-16 8 16zM34-26l7-15 8 15zM26 46l6-13 7 13zM-36-34l6-12 6 12z"/>`;
  return chance(hex.id, 21) < 0.5 ? `<g opacity=".7">${grass(hex.id)}</g>` : "";
}

/* Paper strips */

/** A strip of paper along p, thin at both ends. */
function ribbon(p: readonly Point[], w: number): string {
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
  return `M${[...left, ...right.reverse()].map((q) => `${Math.round(q[0])} ${Math.round(q[1])}`).join("L")}z`;
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

const strips = (...list: readonly (readonly [readonly Point[], number])[]): string => list.map(([p, w]) => ribbon(p, w)).join("");
const CURLS = [
  strips([curl(20, -6, 36, 1.35, 1.5, 92, -1), 15], [curl(-36, 36, 19, 1.1, 1.6, 46, -1), 10], [[[-16, 60], [4, 57], [28, 59], [58, 52]], 8]),
  strips([curl(-12, 2, 40, 1.4, 1.7, 54, -1), 16], [curl(46, -38, 17, 1.1, -1.6, 66, 1), 10], [[[4, 60], [28, 62], [50, 52], [70, 34]], 8]),
  strips([curl(-26, -18, 29, 1.3, 1.4, 46, -1), 13], [curl(30, 22, 27, 1.3, 1.6, 80, -1), 13], [[[-8, -58], [14, -64], [38, -56], [62, -40]], 8]),
  strips([curl(28, 10, 38, 1.4, -1.6, 92, 1), 15], [curl(-40, 32, 18, 1.1, 1.4, 36, -1), 10], [[[-60, -40], [-38, -50], [-10, -50], [14, -42]], 7]),
  strips([[[-68, -16], [-38, -32], [-6, -30], [20, -16], [48, -16], [74, -30]], 12], [curl(12, 26, 26, 1.25, 1.6, 76, -1), 13]),
];

/** Long sheets of paper behind the curls, right across the valley. */
function waves(turned: boolean): string {
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
