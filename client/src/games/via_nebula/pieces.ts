/** Where each piece is. It knows no rule: it is made from a view, and from which piece is which (follow.ts). */
import type { Piece } from "../../play/frame";
import type { ViaNebulaCard, ViaNebulaGuild, ViaNebulaHex, ViaNebulaToken, ViaNebulaView } from "./view";
import { middle, type Box } from "./boxes";
import { follow, type Counts, type Trace } from "./follow";
import { storeSlots } from "./guilds";
import { halfOf, hexOf, SIDE, type Half, type Point } from "./hexes";
import { RESOURCES, type Resource } from "./kinds";
import type { Layout, MapPlace } from "./layout";

const HAND = 2; // a hand never grows: a card that draws one has left it

export type Kind = "craftsman" | "site" | "building" | "tile" | "token" | "card" | Resource;

export interface NebulaPiece extends Piece {
  kind: Kind;
  seat: number | null;
  spot: string;
  /** Where it lies it is drawn by what is below it: it shows itself only on its way. */
  tucked: boolean;
  half: Half;
  token: ViaNebulaToken | null;
  card: ViaNebulaCard | null;
  box: Box | null; // a card's
}

/** How many of each kind lie where: what the pieces are followed by. */
function counts(view: ViaNebulaView): Counts {
  const all = new Map<string, Map<string, number>>();
  const put = (kind: string, spot: string, n: number) => {
    if (!all.has(kind)) all.set(kind, new Map());
    if (n > 0) all.get(kind)!.set(spot, n);
  };
  for (const kind of [...RESOURCES, "tile"]) put(kind, "", 0);
  for (const guild of view.guilds) {
    put(`craftsman${guild.seat}`, `home${guild.seat}`, guild.craftsmen);
    put(`site${guild.seat}`, `home${guild.seat}`, guild.sites);
    put(`building${guild.seat}`, `home${guild.seat}`, guild.buildings);
    for (const kind of RESOURCES) put(kind, `storage${guild.seat}`, guild.storage[kind] ?? 0);
  }
  for (const hex of view.hexes) {
    if (hex.tile) put("tile", hex.id, 1);
    if (hex.exploitation) {
      if (hex.exploitation.seat !== null) put(`craftsman${hex.exploitation.seat}`, hex.id, 1);
      for (const kind of RESOURCES) put(kind, hex.id, hex.exploitation.resources[kind] ?? 0);
    }
    for (const place of hex.places) {
      if (place.seat === null) continue;
      put(`${place.holds}${place.seat}`, place.id, 1);
      for (const kind of RESOURCES) put(kind, place.id, place.resources[kind] ?? 0);
    }
  }
  if (view.asks === "lay") put("tile", "lifted", 1);
  return all;
}

export function trace(before: Trace, view: ViaNebulaView): Trace {
  return follow(before, counts(view));
}

export function pieces(view: ViaNebulaView, where: Trace, place: Layout, front: number): NebulaPiece[] {
  return [...new Draft(view, place).all(where), ...tokens(view, place), ...cards(view, place, front)];
}

/** The middle of a hex on the board's area. */
function hexAt(map: MapPlace, hex: { id: string; column: number; row: number }, [dx, dy]: Point = [0, 0]): { x: number; y: number } {
  const [x, y] = map.grid.centre(hex);
  return { x: map.box.x + (x + dx - map.view.x) * map.scale, y: map.box.y + (y + dy - map.view.y) * map.scale };
}

class Draft {
  private readonly hexes: ReadonlyMap<string, ViaNebulaHex>;
  private readonly supply: { x: number; y: number };

  constructor(
    private readonly view: ViaNebulaView,
    private readonly place: Layout,
  ) {
    this.hexes = new Map(view.hexes.map((hex) => [hex.id, hex]));
    this.supply = middle(place.supply);
  }

  all(where: Trace): NebulaPiece[] {
    const made: NebulaPiece[] = [];
    for (const [kind, spots] of where.at) {
      const seat = Number(/\d$/.exec(kind)?.[0] ?? -1);
      if (kind === "tile") for (const [spot, ids] of spots) for (const id of ids) made.push(this.tile(id, spot));
      else if (seat >= 0) for (const [spot, ids] of spots) ids.forEach((id, i) => made.push(this.own(id, kind.slice(0, -1) as Kind, seat, spot, i)));
    }
    return [...made, ...this.resources(where)];
  }

  private tile(id: string, spot: string): NebulaPiece {
    const lifted = spot === "lifted";
    const hex = this.hexes.get(lifted ? (this.view.pending.hex ?? "") : spot)!;
    const pile = this.pile(this.view.mover);
    const at = hexAt(this.place.map, hex, lifted ? [10, -26] : [0, 0]);
    return { ...plain(id, "tile", spot), ...at, size: 2 * SIDE * this.place.map.scale, tucked: !lifted, z: lifted ? 60 : 1, from: pile, to: pile };
  }

  /** Where the seat's next tile lies. */
  private pile(seat: number): { x: number; y: number; size: number } {
    const guild = this.view.guilds[seat];
    if (!guild) return { ...this.supply, size: 20 };
    const piles = this.place.guilds[seat]!.piles;
    const box = piles[Math.max(0, guild.piles.findIndex((n) => n > 0))]!;
    return { ...middle(box), size: Math.min(box.w, box.h) };
  }

  private own(id: string, kind: Kind, seat: number, spot: string, i: number): NebulaPiece {
    const piece = { ...plain(id, kind, spot), seat };
    if (spot.startsWith("home")) {
      const guild = this.place.guilds[seat]!;
      const wells = { craftsman: guild.craftsmen, site: guild.sites, building: guild.buildings }[kind as "site"];
      const box = wells[Math.min(i, wells.length - 1)]!;
      const tucked = wells.length === 1;
      return { ...piece, ...middle(box), size: tucked ? 16 : Math.min(box.w, box.h) * 0.84, tucked, z: 2 };
    }
    const { scale, grid } = this.place.map;
    const hex = this.hexes.get(hexOf(spot))!;
    if (kind === "craftsman") return { ...piece, ...hexAt(this.place.map, hex, [-44, -28]), size: 82 * scale, z: 20 };
    const half = halfOf(hex, spot);
    if (kind === "site") return { ...piece, ...hexAt(this.place.map, hex), size: 2 * SIDE * scale, half, z: 4 };
    const side = half === "all" ? 120 : grid.turned ? 80 : 88;
    return { ...piece, ...hexAt(this.place.map, hex, [0, half === "all" ? -2 : half === "a" ? -43 : 39]), size: side * scale, half, z: 6 };
  }

  private resources(where: Trace): NebulaPiece[] {
    const bySpot = new Map<string, { id: string; kind: Resource }[]>();
    for (const kind of RESOURCES)
      for (const [spot, ids] of where.at.get(kind) ?? [])
        for (const id of ids) {
          if (!bySpot.has(spot)) bySpot.set(spot, []);
          bySpot.get(spot)!.push({ id, kind });
        }
    return [...bySpot].flatMap(([spot, list]) => this.heap(spot, list));
  }

  private heap(spot: string, list: readonly { id: string; kind: Resource }[]): NebulaPiece[] {
    if (spot.startsWith("storage")) return this.stored(spot, list);
    const hex = this.hexes.get(hexOf(spot))!;
    const { scale } = this.place.map;
    const places = hex.ground === "ruin" ? onSite(list.length, halfOf(hex, spot), this.place.map.grid.turned) : onMeadow(list.length, hex.exploitation?.seat != null);
    const fresh = hex.ground === "ruin" ? { ...this.supply, size: 14 } : { ...hexAt(this.place.map, hex), size: 30 * scale };
    return list.map(({ id, kind }, i) => {
      const { x, y, size } = places[i]!;
      const at = hexAt(this.place.map, hex, [x, y]);
      return { ...plain(id, kind, spot), ...at, size: size * scale, z: 30 + i, from: fresh, to: { ...this.supply, size: 14 } };
    });
  }

  private stored(spot: string, list: readonly { id: string; kind: Resource }[]): NebulaPiece[] {
    const guild = this.place.guilds[Number(spot.slice(7))]!;
    const tucked = guild.detail === "chip" || guild.detail === "line";
    const slots = storeSlots(guild, list.length);
    return list.map(({ id, kind }, i) => ({
      ...plain(id, kind, spot),
      ...middle(slots[i]!),
      size: tucked ? 14 : Math.min(slots[i]!.w, slots[i]!.h) * 0.8,
      tucked,
      z: 3,
      to: { ...this.supply, size: 14 },
    }));
  }
}

const onMeadowPlaces: Record<number, readonly Point[]> = {
  1: [[0, 0]],
  2: [[-30, 6], [30, 6]],
  3: [[-30, 27], [30, 27], [0, -26]],
  4: [[-30, -29], [30, -29], [-30, 29], [30, 29]],
  5: [[-38, -30], [38, -30], [-38, 30], [38, 30], [0, 0]],
};

interface Lying {
  x: number;
  y: number;
  size: number;
}

function onMeadow(n: number, man: boolean): Lying[] {
  const places = onMeadowPlaces[n];
  if (!places) return packed(n, 130, 120, 50).map((p) => ({ ...p, x: p.x + (man ? 10 : 0), y: p.y + (man ? 14 : 0) }));
  const size = n === 1 ? 66 : n === 5 ? 52 : 58;
  if (!man) return places.map(([x, y]) => ({ x, y, size }));
  if (n > 3) return places.map(([x, y]) => ({ x: x * 0.86 + 18, y: y * 0.9 + 12, size: size - 6 }));
  return places.map(([x, y]) => ({ x: x * 0.96 + 20, y: y + 6, size }));
}

function onSite(n: number, half: Half, turned: boolean): Lying[] {
  if (half === "all") return packed(n, 140, 104, 60);
  const [w, h, y] = turned ? [124, 46, 31] : [134, 50, 34];
  return packed(n, w, h, 54).map((p) => ({ ...p, y: p.y + (half === "a" ? -y : y) }));
}

/** n things in rows in a field round the origin, as large as they fit; they may overlap a little. */
function packed(n: number, w: number, h: number, most: number): Lying[] {
  let [rows, size] = [1, 0];
  for (let r = 1; r <= 3; r++) {
    const fits = Math.min(most, (w / Math.ceil(n / r)) * 1.36, (h / r) * 1.12);
    if (fits > size + 1) [rows, size] = [r, fits];
  }
  const across = Math.ceil(n / rows);
  const step = Math.min(size * 1.06, across > 1 ? (w - size) / (across - 1) : 0);
  const down = Math.min(size * 1.02, rows > 1 ? (h * 1.1 - size) / (rows - 1) : 0);
  return Array.from({ length: n }, (_, i) => {
    const row = Math.floor(i / across);
    const here = Math.min(across, n - row * across);
    return { x: ((i % across) - (here - 1) / 2) * step, y: (row - (rows - 1) / 2) * down, size };
  });
}

function tokens(view: ViaNebulaView, place: Layout): NebulaPiece[] {
  const mover = place.guilds[view.mover];
  return view.hexes.flatMap((hex) => {
    if (!hex.token) return [];
    const to = mover ? { ...middle(mover.won), size: 20 } : undefined;
    const piece = { ...plain(hex.token.id, "token", hex.id), ...hexAt(place.map, hex), size: 150 * place.map.scale, token: hex.token, z: 10 };
    return [to ? { ...piece, to } : piece];
  });
}

/** The display, and the front seat's hand as far as it is known. */
function cards(view: ViaNebulaView, place: Layout, front: number): NebulaPiece[] {
  const mover = place.guilds[view.mover];
  const deck = { ...middle(place.deck), size: 12 };
  const make = (card: ViaNebulaCard, box: Box, spot: string): NebulaPiece => {
    const piece = { ...plain(card.id, "card", spot), ...middle(box), size: 100, card, box, from: deck, z: 5 };
    return mover ? { ...piece, to: { ...middle(mover.won), size: 12 } } : piece;
  };
  const shown = view.display.flatMap((card, i) => (card && place.display[i] ? [make(card, place.display[i], `display${i}`)] : []));
  const hand = handOf(view, front).slice(0, HAND);
  return [...shown, ...hand.map((card, i) => make(card, place.hand[i]!, `hand${front}`))];
}

export function handOf(view: ViaNebulaView, seat: number): readonly ViaNebulaCard[] {
  return view.guilds[seat]?.hand ?? [];
}

export function held(guild: ViaNebulaGuild): number {
  return guild.privates_held + guild.plans_held;
}

function plain(id: string, kind: Kind, spot: string): NebulaPiece {
  return { id, kind, spot, x: 0, y: 0, size: 0, seat: null, tucked: false, half: "all", token: null, card: null, box: null };
}
