/** How the board's area is shared out. It knows no rule: it is made from a view. */
import type { ViaNebulaHex, ViaNebulaView } from "./view";
import { clamp, type Box } from "./boxes";
import { chipGuild, fullGuild, lineGuild, miniGuild, type GuildPlace } from "./guilds";
import { Grid } from "./hexes";

/** `wide`: a desk; `tall`: a phone held upright; `low`: a phone lying. */
export type Shape = "wide" | "tall" | "low";

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
