/**
 * Where everything lies. `layout` shares out the board's area; `pieces` says where each piece is in it. Neither knows a
 * rule: they are made from a view, and from which piece is which (follow.ts).
 */
import type { Piece } from "../../play/frame";
import type { ViaNebulaCard, ViaNebulaGuild, ViaNebulaHex, ViaNebulaToken, ViaNebulaView } from "./view";
import { follow, type Counts, type Trace } from "./follow";
import { Grid, hexOf, SIDE, type Half, type Point } from "./hexes";

export const RESOURCES = ["wood", "stone", "clay", "wheat", "food"] as const;
export type Resource = (typeof RESOURCES)[number];

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A box as an element's style, in the coordinates of what has its corner at `corner`. */
export function boxStyle(box: Box, corner: { x: number; y: number } = { x: 0, y: 0 }): string {
  return `left:${box.x - corner.x}px;top:${box.y - corner.y}px;width:${box.w}px;height:${box.h}px`;
}

/** `wide`: a desk; `tall`: a phone held upright; `low`: a phone lying. */
export type Shape = "wide" | "tall" | "low";

/** How much of a guild board is drawn: all of it, a miniature, one line, or the figures only. */
export type Detail = "full" | "mini" | "line" | "chip";

export interface GuildPlace {
  seat: number;
  detail: Detail;
  box: Box;
  name: Box;
  piles: Box[];
  craftsmen: Box[];
  sites: Box[];
  buildings: Box[];
  storage: Box;
  won: Box;
  hand: Box;
  heads: boolean; // whether there is room for headings
}

export interface MapPlace {
  box: Box;
  grid: Grid;
  /** The part of the drawing that is shown: an SVG's viewBox. */
  view: Box;
  /** CSS pixels for one unit of the drawing. */
  scale: number;
}

export interface Layout {
  shape: Shape;
  /** Everything below is in pixels of an area that is then enlarged so many times. */
  zoom: number;
  width: number;
  height: number;
  status: Box;
  log: Box;
  map: MapPlace;
  tools: Box;
  turn: Box;
  deck: Box;
  supply: Box;
  display: Box[];
  hand: Box[];
  handHead: Box;
  guilds: GuildPlace[]; // by seat
}

const HAND = 2; // a hand never grows: a card that draws one has left it

export function layout(view: ViaNebulaView, front: number, width: number, height: number): Layout {
  // Below this the cards' words, or three others, would not fit beside the map.
  const enough = width >= 1200 && height >= (view.guilds.length > 3 ? 640 : 600);
  const shape: Shape = width <= height ? "tall" : enough ? "wide" : "low";
  const [least, lowest] = { wide: [1440, 844], tall: [430, 800], low: [844, 330] }[shape] as [number, number];
  const zoom = Math.max(1, Math.min(width / least, height / lowest));
  const area = { seats: view.guilds.length, front, craftsmen: view.guilds[0]!.craftsmen + out(view, 0), w: width / zoom, h: height / zoom };
  const rest = { wide, tall, low }[shape](area, view.hexes);
  return { shape, zoom, width: area.w, height: area.h, ...rest };
}

interface Area {
  seats: number;
  front: number;
  craftsmen: number; // of each seat, at home or not
  w: number;
  h: number;
}
type Rest = Omit<Layout, "shape" | "zoom" | "width" | "height">;

/** How many craftsmen of the seat are on the map. */
function out(view: ViaNebulaView, seat: number): number {
  return view.hexes.filter((hex) => hex.exploitation?.seat === seat).length;
}

function wide(area: Area, hexes: readonly ViaNebulaHex[]): Rest {
  const { w, h } = area;
  const [pad, gap] = [16, 12];
  const left = clamp(w * 0.145, 176, 208);
  const right = clamp(w * 0.1875, 216, 270);
  const guildHigh = h >= 780 ? 124 : h >= 660 ? 106 : 92;
  const toolsHigh = 54;
  const centre = { x: pad + left + 14, w: w - 2 * pad - left - right - 28 };
  const guild = { x: pad, y: h - 14 - guildHigh, w: w - 2 * pad - right - 14, h: guildHigh };
  const tools = { x: centre.x, y: guild.y - gap - toolsHigh, w: centre.w, h: toolsHigh };
  const turnWide = clamp(centre.w * 0.34, 210, 310);
  const status = { x: centre.x, y: 0, w: centre.w, h: 44 };
  const map = { x: centre.x, y: status.h + 2, w: centre.w, h: tools.y - 10 - status.h - 2 };
  const log = { x: pad, y: guild.y - gap - 46, w: left, h: 46 };
  const cards = { x: w - pad - right, w: right };
  const deck = { x: cards.x, y: 0, w: cards.w, h: 44 };
  const supplyHigh = h >= 620 ? 64 : 40;
  const supply = { x: cards.x, y: h - 14 - supplyHigh, w: cards.w, h: supplyHigh };
  const cardHigh = (supply.y - deck.h - 26 - 4 * 8) / 3;
  const card = (row: number, column: number, below: number): Box => ({
    x: cards.x + column * (cards.w / 2 + 4),
    y: deck.h + row * (cardHigh + 8) + below,
    w: cards.w / 2 - 4,
    h: cardHigh,
  });
  const others = othersOf(area);
  const miniHigh = Math.min(300, (log.y - 4 - gap - (others.length - 1) * 10) / others.length);
  return {
    status,
    log,
    map: mapIn(map, hexes, false, 46),
    tools: { ...tools, w: tools.w - turnWide - 12 },
    turn: { x: tools.x + tools.w - turnWide, y: tools.y, w: turnWide, h: tools.h },
    deck,
    supply,
    display: [card(0, 0, 0), card(0, 1, 0), card(1, 0, 0), card(1, 1, 0)],
    handHead: { x: cards.x, y: deck.h + 2 * (cardHigh + 8), w: cards.w, h: 26 },
    hand: [card(2, 0, 26), card(2, 1, 26)],
    guilds: bySeat(area, fullGuild(area.front, guild, area.craftsmen), (seat, i) =>
      miniGuild(seat, { x: pad, y: 4 + i * (miniHigh + 10), w: left, h: miniHigh }, area.craftsmen),
    ),
  };
}

function tall(area: Area, hexes: readonly ViaNebulaHex[]): Rest {
  const { w, h } = area;
  const [pad, gap] = [8, 5];
  const row = (y: number, high: number): Box => ({ x: pad, y, w: w - 2 * pad, h: high });
  const head = row(0, 44);
  const minis = row(head.h + 2, 44);
  const tools = row(h - 8 - 48, 48);
  const guild = row(tools.y - gap - 2 - 52, 52);
  const cards = row(guild.y - gap - 62, 62);
  const map = row(minis.y + minis.h + gap, cards.y - minis.y - minis.h - 2 * gap);
  const others = othersOf(area);
  const chipWide = (minis.w - (others.length - 1) * 5) / others.length;
  const cardWide = (cards.w - 5 * 5) / 6;
  const card = (i: number): Box => ({ x: cards.x + i * (cardWide + 5), y: cards.y, w: cardWide, h: cards.h });
  const turnWide = 92;
  return {
    status: { ...head, w: head.w - 48 },
    log: { x: w - pad - 44, y: head.y, w: 44, h: 44 },
    map: mapIn({ ...map, y: map.y + 6, h: map.h - 6 }, hexes, map.h > map.w, 22), // letters or figures lie above it
    tools: { ...tools, w: tools.w - turnWide - 5 },
    turn: { x: tools.x + tools.w - turnWide, y: tools.y, w: turnWide, h: tools.h },
    deck: { x: map.x, y: map.y, w: 56, h: 44 },
    supply: { x: map.x + map.w - 56, y: map.y, w: 56, h: 44 },
    display: [0, 1, 2, 3].map(card),
    hand: [4, 5].map(card),
    handHead: { ...card(4), w: 0, h: 0 },
    guilds: bySeat(area, lineGuild(area.front, guild), (seat, i) =>
      chipGuild(seat, { x: minis.x + i * (chipWide + 5), y: minis.y, w: chipWide, h: minis.h }),
    ),
  };
}

function low(area: Area, hexes: readonly ViaNebulaHex[]): Rest {
  const { w, h } = area;
  const [pad, gap] = [8, 5];
  const side = clamp((w - 2 * pad - (h - 8) * 1.46) / 2 - 6, 186, 260);
  const map = { x: pad + side + 6, y: 2, w: w - 2 * pad - 2 * side - 12, h: h - 8 };
  const rightX = w - pad - side;
  const others = othersOf(area);
  const cardWide = (side - 2 * 4) / 3;
  const card = (i: number): Box => ({ x: rightX + (i % 3) * (cardWide + 4), y: 2 + Math.floor(i / 3) * 66, w: cardWide, h: 62 });
  const turn = { x: rightX, y: h - 6 - 46, w: side, h: 46 };
  const chip = (i: number): Box => ({ x: pad, y: 62 + i * 48, w: side, h: 44 });
  return {
    status: { x: pad, y: 2, w: side, h: 56 },
    log: { x: pad, y: h - 6 - 44, w: 44, h: 44 },
    map: mapIn(map, hexes, false, 22),
    tools: { x: rightX, y: 140, w: side, h: Math.min(110, turn.y - gap - 140) },
    turn,
    deck: { x: pad + 48, y: h - 6 - 44, w: 56, h: 44 },
    supply: { x: pad + 106, y: h - 6 - 44, w: 56, h: 44 },
    display: [0, 1, 2, 3].map(card),
    hand: [4, 5].map(card),
    handHead: { ...card(4), w: 0, h: 0 },
    guilds: bySeat(area, chipGuild(area.front, chip(others.length)), (seat, i) => chipGuild(seat, chip(i))),
  };
}

function othersOf({ seats, front }: Area): number[] {
  return Array.from({ length: seats - 1 }, (_, i) => (front + 1 + i) % seats);
}

function bySeat(area: Area, own: GuildPlace, other: (seat: number, i: number) => GuildPlace): GuildPlace[] {
  const all = [own, ...othersOf(area).map(other)];
  return all.sort((a, b) => a.seat - b.seat);
}

function mapIn(box: Box, hexes: readonly ViaNebulaHex[], turned: boolean, margin: number): MapPlace {
  const grid = new Grid(turned);
  const bounds = grid.bounds(hexes, margin);
  const scale = Math.min(box.w / bounds.w, box.h / bounds.h);
  const [w, h] = [bounds.w * scale, bounds.h * scale];
  return { box: { x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h }, grid, view: bounds, scale };
}

/* Guild boards */

const PILES = 4;
const SITES = 3;
const BUILDINGS = 5;

function fullGuild(seat: number, box: Box, craftsmen: number): GuildPlace {
  const heads = box.h >= 100 && box.w >= 1000;
  const inner = { x: box.x + 18, y: box.y + (heads ? 30 : 8), w: box.w - 36, h: box.h - (heads ? 40 : 16) };
  const natural = [118, PILES * 58 - 6, craftsmen * 41 - 5, SITES * 43 - 5, BUILDINGS * 41 - 5, 3 * 38 - 4, 132];
  const sum = natural.reduce((a, b) => a + b);
  const scale = Math.min(1, (inner.w - (natural.length - 1) * 14) / sum);
  const space = (inner.w - sum * scale) / (natural.length - 1);
  const section = natural.map((wide, i) => ({
    ...inner,
    x: inner.x + natural.slice(0, i).reduce((a, b) => a + b, 0) * scale + i * space,
    w: wide * scale,
  }));
  const [name, piles, men, sites, buildings, storage, won] = section as [Box, Box, Box, Box, Box, Box, Box];
  const well = (zone: Box, n: number, high: number): Box[] => columns({ ...zone, y: zone.y + (zone.h - high) / 2, h: high }, n, 5 * scale);
  return {
    seat,
    detail: "full",
    box,
    name: { ...name, y: box.y + 8, h: box.h - 16 },
    piles: columns(piles, PILES, 6 * scale),
    craftsmen: well(men, craftsmen, Math.min(58, inner.h)),
    sites: well(sites, SITES, Math.min(58, inner.h)),
    buildings: well(buildings, BUILDINGS, Math.min(58, inner.h)),
    storage: { ...storage, h: inner.h },
    won,
    hand: box,
    heads,
  };
}

function miniGuild(seat: number, box: Box, craftsmen: number): GuildPlace {
  const inner = { x: box.x + 12, w: box.w - 24 };
  const close = box.h < 240; // little room: what is won stands beside the storage, not below it
  const well = clamp((box.h - 90) / 4.4, 20, 36);
  const foot = close ? 20 : 48;
  const top = box.h < 180 ? 22 : 26;
  const rest = box.h - (box.h < 180 ? 12 : 16) - top - 2 * well - foot;
  const pile = Math.min(84, rest - 4 * 4);
  const gap = (rest - pile) / 4;
  const name = { ...inner, y: box.y + (box.h < 180 ? 6 : 8), h: top };
  const piles = { ...inner, y: name.y + name.h + gap, h: pile };
  const men = { ...inner, y: piles.y + pile + gap, h: well };
  const buildings = { ...inner, y: men.y + well + gap, h: well };
  const last = buildings.y + well + gap;
  const unit = (inner.w - 10) / (craftsmen + SITES + 0.3);
  const part = (from: number, to: number, y: number, h: number): Box => ({ x: inner.x + inner.w * from, y, w: inner.w * (to - from), h });
  return {
    seat,
    detail: "mini",
    box,
    name,
    piles: columns(piles, PILES, 6),
    craftsmen: columns({ ...men, w: unit * craftsmen }, craftsmen, 4),
    sites: columns({ ...men, x: inner.x + inner.w - unit * SITES, w: unit * SITES }, SITES, 4),
    buildings: columns(buildings, BUILDINGS, 4),
    storage: close ? part(0, 0.36, last, 20) : part(0, 0.66, last, 22),
    won: close ? part(0.39, 0.84, last, 20) : part(0, 1, last + 28, 20),
    hand: close ? part(0.85, 1, last, 20) : part(0.7, 1, last, 22),
    heads: false,
  };
}

/** One line: piles, and beside them how many pieces are at home. */
function lineGuild(seat: number, box: Box): GuildPlace {
  const figure = (i: number, of: number): Box => ({ x: box.x + box.w * 0.62 + ((box.w * 0.37) / of) * i, y: box.y + 5, w: (box.w * 0.37) / of, h: box.h - 10 });
  const piles = { x: box.x + box.w * 0.3, y: box.y + 4, w: box.w * 0.31, h: box.h - 8 };
  return {
    seat,
    detail: "line",
    box,
    name: { x: box.x + 10, y: box.y, w: box.w * 0.29 - 10, h: box.h },
    piles: columns(piles, PILES, 3),
    craftsmen: [figure(0, 4)],
    sites: [figure(1, 4)],
    buildings: [figure(2, 4)],
    storage: figure(3, 4),
    won: { x: box.x + 10, y: box.y, w: box.w * 0.29, h: box.h },
    hand: box,
    heads: false,
  };
}

function chipGuild(seat: number, box: Box): GuildPlace {
  const inner = { x: box.x + 6, y: box.y + 23, w: box.w - 12, h: 18 };
  const narrow = box.w < 140; // what is stored is not shown then
  const [men, sites, buildings, tiles, last] = columns(inner, narrow ? 4 : 5, 0) as [Box, Box, Box, Box, Box?];
  const storage = last ?? { ...tiles, w: 0 };
  return {
    seat,
    detail: "chip",
    box,
    name: { x: box.x + 8, y: box.y + 1, w: box.w - 16, h: 23 },
    piles: Array.from({ length: PILES }, () => tiles),
    craftsmen: [men],
    sites: [sites],
    buildings: [buildings],
    storage,
    won: { ...box, h: 23 },
    hand: box,
    heads: false,
  };
}

function columns(box: Box, n: number, gap: number): Box[] {
  const w = (box.w - (n - 1) * gap) / n;
  return Array.from({ length: n }, (_, i) => ({ x: box.x + i * (w + gap), y: box.y, w, h: box.h }));
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

export const middle = (box: Box): { x: number; y: number } => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 });

/* Pieces */

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
export function counts(view: ViaNebulaView): Counts {
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
export function hexAt(map: MapPlace, hex: { id: string; column: number; row: number }, [dx, dy]: Point = [0, 0]): { x: number; y: number } {
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

/** The wells of a storage: six at least on a whole board, one heap where there is only a figure. */
export function storeSlots(guild: GuildPlace, n: number): Box[] {
  if (guild.detail === "chip" || guild.detail === "line") return Array.from({ length: n }, () => guild.storage);
  const rows = guild.detail === "full" ? 2 : 1;
  const across = Math.max(guild.detail === "full" ? 3 : 4, Math.ceil(n / rows));
  const high = (guild.storage.h - (rows - 1) * 4) / rows;
  return Array.from({ length: rows }, (_, row) => columns({ ...guild.storage, y: guild.storage.y + row * (high + 4), h: high }, across, across > 5 ? 1 : 4)).flat();
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

export function halfOf(hex: ViaNebulaHex, place: string): Half {
  return hex.places.length === 1 ? "all" : place.endsWith("a") ? "a" : "b";
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

/* What a finger means */

/** So far a finger may come down beside the middle of what it means, in CSS pixels: half of what a fingertip covers. */
export const FINGER = 24;

/** The words of the map that may be chosen, with their middles. The two halves of a ruin count apart only if both may be. */
export function reachable(hexes: readonly ViaNebulaHex[], grid: Grid, may: (word: string) => boolean): [string, Point][] {
  return hexes.flatMap((hex): [string, Point][] => {
    const [x, y] = grid.centre(hex);
    const words = (hex.ground === "ruin" ? hex.places.map(({ id }) => id) : [hex.id]).filter(may);
    return words.map((word) => [word, [x, words.length > 1 ? y + { all: 0, a: -40, b: 40 }[halfOf(hex, word)] : y]]);
  });
}

export function nearestTo(finger: Point, spots: readonly (readonly [string, Point])[], reach: number): string | null {
  const far = ([, [x, y]]: readonly [string, Point]) => Math.hypot(x - finger[0], y - finger[1]);
  const near = spots.reduce<readonly [string, Point] | null>((best, spot) => (best && far(best) <= far(spot) ? best : spot), null);
  return near && far(near) <= reach ? near[0] : null;
}
