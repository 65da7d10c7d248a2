/** Where everything lies on a guild board, by how much of it is drawn. */
import { clamp, columns, type Box } from "./boxes";
import { BUILDINGS } from "./kinds";

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

const PILES = 4;
const SITES = 3;

export function fullGuild(seat: number, box: Box, craftsmen: number): GuildPlace {
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

export function miniGuild(seat: number, box: Box, craftsmen: number): GuildPlace {
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
export function lineGuild(seat: number, box: Box): GuildPlace {
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

export function chipGuild(seat: number, box: Box): GuildPlace {
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

/** The wells of a storage: six at least on a whole board, one heap where there is only a figure. */
export function storeSlots(guild: GuildPlace, n: number): Box[] {
  if (guild.detail === "chip" || guild.detail === "line") return Array.from({ length: n }, () => guild.storage);
  const rows = guild.detail === "full" ? 2 : 1;
  const across = Math.max(guild.detail === "full" ? 3 : 4, Math.ceil(n / rows));
  const high = (guild.storage.h - (rows - 1) * 4) / rows;
  return Array.from({ length: rows }, (_, row) => columns({ ...guild.storage, y: guild.storage.y + row * (high + 4), h: high }, across, across > 5 ? 1 : 4)).flat();
}
