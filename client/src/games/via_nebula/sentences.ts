/** Sentences about a match: what is asked, what happened, why not. */
import type { GameModule, LogEntry, Pick, Position, Reason, ResultRow, SentenceContext } from "../../play/board";
import type { ViaNebulaCard, ViaNebulaHex, ViaNebulaPlace, ViaNebulaView } from "./view";
import { covered, lacking, total, type Heap } from "./costs";
import { doubtOf, type Doubt } from "./doubts";
import { hexOf, isHex, isPlace } from "./hexes";
import { BUILDINGS, RESOURCES } from "./kinds";
import type { Words } from "./messages/en";

export type View = ViaNebulaView;
export type Says = SentenceContext<View, Words>;
type T = Says["t"];

/** `wood, 2 food`: everything in a heap. */
export function heap(resources: Heap, t: T): string {
  const there = RESOURCES.filter((kind) => (resources[kind] ?? 0) > 0);
  if (!there.length) return t("nothing");
  return there.map((kind) => (resources[kind] === 1 ? t(kind) : t("some", { n: resources[kind]!, resource: t(kind) }))).join(t("and"));
}

/** `wood+stone` as words. */
export function costs(cost: string, t: T): string {
  if (cost === "2-equal" || cost === "3-different") return t(cost);
  const sum: Record<string, number> = {};
  for (const kind of cost.split("+")) sum[kind] = (sum[kind] ?? 0) + 1;
  return heap(sum, t);
}

const kindOf = (card: string): string => card.replace(/-[a-z]$/, "");
export const cardName = (card: string, t: T): string => t(`card.${kindOf(card)}` as "card.store");
export const does = (kind: string, t: T): string => t(`does.${kind}` as "does.store");

export function worth(card: ViaNebulaCard, t: T): string {
  return card.for_each === "once" ? t("points", { n: card.points }) : t("card.each", { n: t("points", { n: card.points }) });
}

export function cardLabel(card: ViaNebulaCard, t: T): string {
  const [cost, points] = [doubtOf(card.cost_certainty), doubtOf(card.points_certainty)];
  const doubts = [...(cost ? [costDoubt(cost, t)] : []), ...(points ? [pointsDoubt(points, t)] : [])];
  const words = { card: cardName(card.id, t), cost: costs(card.cost, t), points: worth(card, t), does: does(card.kind, t) };
  return doubts.length ? `${t("card.label", words)} (${doubts.join(t("and"))})` : t("card.label", words);
}

export const costDoubt = (word: Doubt, t: T): string => t("cost.is", { certainty: t(word) });
export const pointsDoubt = (word: Doubt, t: T): string => t("points.are", { certainty: t(word) });

/** What a hex is called aloud. */
export function hexLabel(hex: ViaNebulaHex, t: T, name: (seat: number) => string): string {
  const id = { hex: hex.id };
  if (hex.token) {
    const what = t("some", { n: hex.token.yields, resource: t(hex.token.resource as "wood") });
    return t("hex.token", { ...id, what, points: t("points", { n: hex.token.points }) });
  }
  if (hex.exploitation) {
    const what = heap(hex.exploitation.resources, t);
    const { seat } = hex.exploitation;
    return seat === null ? t("hex.neutral", { ...id, what }) : t("hex.stock", { ...id, what, name: name(seat) });
  }
  return hex.open ? t("hex.open", id) : t(`hex.${hex.ground}` as "hex.mist", id);
}

export function placeLabel(place: ViaNebulaPlace, t: T, name: (seat: number) => string): string {
  if (place.seat === null) return t("place.nothing", { place: place.id });
  if (place.holds === "building") return t("place.building", { place: place.id, name: name(place.seat) });
  return t("place.site", { place: place.id, name: name(place.seat), what: heap(place.resources, t) });
}

export function findHex(view: View, word: string): ViaNebulaHex | undefined {
  const id = hexOf(word);
  return view.hexes.find((hex) => hex.id === id);
}

export function findPlace(view: View, id: string): ViaNebulaPlace | undefined {
  return findHex(view, id)?.places.find((place) => place.id === id);
}

function findCard(view: View, id: string): ViaNebulaCard | undefined {
  const all = [...view.display, ...view.guilds.flatMap((guild) => [...guild.hand, ...guild.contracts])];
  return all.find((card) => card?.id === id) ?? undefined;
}

export function ownSites(view: View, seat: number): ViaNebulaPlace[] {
  return view.hexes.flatMap((hex) => hex.places.filter((place) => place.holds === "site" && place.seat === seat));
}

/* What is asked */

export function asks({ view, legal }: Position<View>, { t }: Says): string {
  if (view.asks === "take") return t("asks.take", { hex: view.pending.hex ?? "" });
  if (view.asks === "spend") return t("asks.spend");
  if (view.asks === "lay") return t("asks.lay");
  if (view.asks === "power") return asksPower(view, t);
  if (legal.length === 1 && legal[0] === "pass") return t("asks.pass");
  if (view.extra) return t("asks.extra");
  return view.actions_left === 2 ? t("asks.two") : t("asks.one");
}

function asksPower(view: View, t: T): string {
  const power = findCard(view, view.pending.card ?? "")?.power ?? "swap";
  if (power === "remove-two" && view.pending.removals === 1) return t("asks.remove-more");
  return t(`asks.${power}` as "asks.swap");
}

/* What an action does */

export function action(text: string, { t, view }: Says): string {
  const [verb, a = "", b = "", c = ""] = text.split(" ");
  switch (verb) {
    case "craftsman": {
      const token = findHex(view, a)?.token;
      if (!token) return t("do.craftsman", { hex: a });
      const what = t("some", { n: token.yields, resource: t(token.resource as "wood") });
      return t("do.craftsman.what", { hex: a, what, points: t("points", { n: token.points }) });
    }
    case "site":
      return t("do.site", { place: a });
    case "explore":
      return t("do.explore", { hex: a });
    case "carry":
      return carries(text, a, b, view, t);
    case "take":
      return t("do.take", { resource: t(a as "wood") });
    case "build":
      return t("do.build", { place: a, card: cardName(b, t) });
    case "spend":
      return t("do.spend", { what: costs(a, t) });
    case "swap":
      return t("do.swap", { spot: spot(a, t), out: t(b as "wood"), in: t(c as "wood") });
    case "lift":
      return t("do.lift", { hex: a });
    case "open":
      return t("do.open", { hex: a });
    case "remove":
      return t("do.remove", { spot: spot(a, t), resource: t(b as "wood") });
    case "deliver":
      return t("do.deliver", { place: a, resource: t(b as "wood") });
    case "use":
    case "skip":
    case "pass":
      return t(`do.${verb}`);
    default:
      return text;
  }
}

function carries(text: string, from: string, to: string, view: View, t: T): string {
  const way = view.choices.find((choice) => choice.text === text)?.path;
  const there = findHex(view, from)?.exploitation?.resources;
  const kinds = there ? RESOURCES.filter((kind) => (there[kind] ?? 0) > 0) : [];
  if (!way || kinds.length !== 1 || way.length < 3) return t("do.carry", { from, to });
  return t("do.carry.what", { n: way.length - 2, what: t(kinds[0]!), from, to });
}

function spot(word: string, t: T): string {
  return word === "storage" ? t("storage") : word;
}

/* What happened */

interface Facts {
  resource?: string; // what was carried
  n?: number; // what a token yielded
  points?: number;
  found?: boolean; // an explorer
  left?: Heap; // what went into storage
  end?: boolean; // the end card was taken
  seat?: number; // who draws
}

/** What an action did, from the views before and after it. */
export function facts(entry: LogEntry, before: View, after: View): Record<string, unknown> {
  const seat = entry.actor;
  const [verb, a = "", b = ""] = [entry.key.split(".")[1], ...entry.args];
  const [was, is] = [before.guilds[seat], after.guilds[seat]];
  if (verb === "plan") return { seat: before.mover };
  if (!was || !is) return {};
  const made: Facts = {};
  if (verb === "craftsman") {
    const token = findHex(before, a)?.token;
    if (token) Object.assign(made, { resource: token.resource, n: token.yields, points: token.points });
  }
  if (verb === "explore") made.found = is.explorers.filter(Boolean).length > was.explorers.filter(Boolean).length;
  if (verb === "carry" || verb === "take") {
    const to = verb === "carry" ? b : (before.pending.place ?? "");
    const gained = RESOURCES.find((kind) => (findPlace(after, to)?.resources[kind] ?? 0) > (findPlace(before, to)?.resources[kind] ?? 0));
    if (gained) made.resource = gained;
  }
  if (verb === "build" || verb === "spend") {
    made.left = Object.fromEntries(RESOURCES.map((kind) => [kind, (is.storage[kind] ?? 0) - (was.storage[kind] ?? 0)]));
    made.end = is.end_card && !was.end_card;
  }
  return { ...made };
}

export function log(entry: LogEntry, { t, name }: Says): string | null {
  const [verb, a = "", b = "", c = ""] = [entry.key.split(".")[1], ...entry.args];
  const who = { name: name(entry.actor) };
  const did = (entry.facts ?? {}) as Facts;
  switch (verb) {
    case "token":
      return null;
    case "without":
      return t("log.without", { resource: t(a as "wood") });
    case "deal": {
      const dealt = { name: name(Number(a) - 1) };
      return b === "?" ? t("log.deal", dealt) : t("log.deal.known", { ...dealt, card: cardName(b, t) });
    }
    case "turn-up":
      return t("log.turn-up", { card: cardName(a, t) });
    case "plan": {
      if (did.seat === undefined) return null; // `use` has said who draws
      const drawn = { name: name(did.seat) };
      return a === "?" ? t("log.plan", drawn) : t("log.plan.known", { ...drawn, card: cardName(a, t) });
    }
    case "craftsman": {
      if (did.n === undefined) return t("log.craftsman", { ...who, hex: a });
      const what = t("some", { n: did.n, resource: t(did.resource as "wood") });
      return t("log.craftsman.what", { ...who, hex: a, what, points: t("points", { n: did.points ?? 0 }) });
    }
    case "site":
      return t("log.site", { ...who, place: a });
    case "explore":
      return t(did.found ? "log.explore.found" : "log.explore", { ...who, hex: a });
    case "carry":
      if (!did.resource) return t("log.carry", { ...who, from: a, to: b });
      return t("log.carry.what", { ...who, from: a, to: b, what: t(did.resource as "wood") });
    case "take":
      return t("log.take", { ...who, resource: t(a as "wood") });
    case "build":
      return built(t, { ...who, place: a, card: cardName(b, t) }, did);
    case "spend":
      return t("log.spend", { ...who, what: costs(a, t) });
    case "swap":
      return t("log.swap", { ...who, spot: spot(a, t), out: t(b as "wood"), in: t(c as "wood") });
    case "lift":
      return t("log.lift", { ...who, hex: a });
    case "open":
      return t("log.open", { ...who, hex: a });
    case "remove":
      return t("log.remove", { ...who, spot: spot(a, t), resource: t(b as "wood") });
    case "deliver":
      return t("log.deliver", { ...who, place: a, resource: t(b as "wood") });
    case "use":
    case "skip":
    case "pass":
      return t(`log.${verb}`, who);
    default:
      return null;
  }
}

function built(t: T, what: { name: string; place: string; card: string }, did: Facts): string {
  const line = did.left && total(did.left) > 0 ? t("log.build.left", { ...what, what: heap(did.left, t) }) : t("log.build", what);
  return did.end ? `${line} ${t("log.end")}` : line;
}

/* Why not */

/** The paragraphs of RULES.md behind the reasons. */
const RULES = {
  "asks.lay": "7.5",
  "why.mist": "4.3",
  "why.forest.one": "3.3",
  "why.forbidden": "7.4",
  "why.tiles": "5.1",
  "why.open": "4.3",
  "why.craftsmen": "4.1",
  "why.site.none": "4.5",
  "why.way": "4.5",
  "why.sites": "4.2",
  "why.sites.many": "4.2",
  "why.other.site": "4.5",
  "why.own.site": "4.5",
  "why.building": "6.2",
  "why.card.none": "6.1",
  "why.card.lacks": "6.1",
  "why.build": "4.7",
  "why.carry": "4.5",
  "why.token": "4.5",
  "why.power": "6.5",
  "why.choose": "6.2",
  "why.storage": "7.8",
} as const;

type Why = (key: keyof typeof RULES, values?: Record<string, string>) => Reason;

export function whyNot(pick: Pick, { view }: Position<View>, { t, name }: Says): Reason | null {
  const seat = view.to_play;
  const why: Why = (key, values = {}) => ({ text: t(key, values as never), rule: RULES[key] });
  if (view.asks === "power" || view.asks === "lay") return view.asks === "lay" ? why("asks.lay") : why("why.power");
  if (view.asks === "take") return { ...why("why.choose"), rule: "4.5" }; // of an exploitation that is mixed
  if (view.asks === "spend") return why("why.choose");
  const guild = view.guilds[seat];
  if (!guild) return null;
  if ("verb" in pick && !("word" in pick)) return whyNotVerb(pick.verb, view, seat, why);
  const word = "word" in pick ? pick.word : (pick.action.split(" ")[1] ?? "");
  if (word === "storage") return why("why.storage");
  if (isHex(word)) return whyNotHex(view, word, seat, why);
  if (isPlace(word)) return whyNotPlace(view, word, seat, why, name);
  const card = findCard(view, word);
  return card ? whyNotCard(view, card, seat, why, t) : null;
}

function whyNotVerb(verb: string, view: View, seat: number, why: Why): Reason | null {
  const guild = view.guilds[seat]!;
  const sites = ownSites(view, seat).length;
  if (verb === "craftsman" && guild.craftsmen === 0) return why("why.craftsmen");
  if (verb === "site") return guild.sites === 0 ? why("why.sites") : sites >= guild.buildings ? why("why.sites.many") : null;
  if (verb === "explore") return noTiles(view, seat) ? why("why.tiles") : why("why.mist");
  if (verb === "carry") return sites === 0 ? why("why.site.none") : why("why.carry");
  return verb === "build" ? why("why.build") : null;
}

function noTiles(view: View, seat: number): boolean {
  return view.reserve === 0 && view.guilds[seat]!.piles.every((n) => n === 0);
}

function whyNotHex(view: View, id: string, seat: number, why: Why): Reason | null {
  const hex = findHex(view, id);
  if (!hex) return null;
  if (hex.token) return view.guilds[seat]!.craftsmen === 0 ? why("why.craftsmen") : why("why.token");
  if (hex.exploitation) return ownSites(view, seat).length === 0 ? why("why.site.none") : why("why.way");
  if (hex.open) return why("why.open");
  if (hex.ground === "forbidden") return why("why.forbidden");
  if (noTiles(view, seat)) return why("why.tiles");
  return hex.ground === "forest" && view.actions_left < 2 ? why("why.forest.one") : why("why.mist");
}

function whyNotPlace(view: View, id: string, seat: number, why: Why, name: (seat: number) => string): Reason | null {
  const place = findPlace(view, id);
  if (!place) return null;
  if (place.holds === "building") return why("why.building");
  if (place.holds === "nothing") return whyNotVerb("site", view, seat, why);
  return place.seat === seat ? why("why.own.site") : why("why.other.site", { name: name(place.seat!) });
}

function whyNotCard(view: View, card: ViaNebulaCard, seat: number, why: Why, t: T): Reason {
  const named = { card: cardName(card.id, t) };
  const score = (place: ViaNebulaPlace) => covered(card.cost, place.resources).filter(Boolean).length;
  const best = ownSites(view, seat).sort((a, b) => score(b) - score(a))[0];
  const lacks = best && score(best) > 0 ? lacking(card.cost, best.resources) : [];
  if (!best || !lacks.length) return why("why.card.none", { ...named, cost: costs(card.cost, t) });
  return why("why.card.lacks", { ...named, place: best.id, what: lacks.map((kind) => t(kind)).join(t("and")) });
}

/* How it ends */

/** A turn ends when another seat is next, also if the display has to be filled up before. */
export const ends: GameModule<View, Words>["ends"] = (_, before, after) => {
  if (before.view.mover !== after.view.mover || after.view.asks === "over") return true;
  const earned = !before.view.last_round && after.view.last_round;
  const drawing = after.view.asks === "turn-up" || after.view.asks === "plan";
  return drawing && (after.view.actions_left === 0 || earned);
};

interface Count {
  tokens: number;
  contracts: number;
  explorers: number;
  end: number;
  storage: number; // 0 or less, as the next
  lying: number; // on its sites and exploitations: lost only if the match ended now
}

/** How a seat's points are made up, as if the match ended now: what is not tokens, explorers, end card or loss is contracts. */
export function count(view: View, seat: number): Count {
  const guild = view.guilds[seat]!;
  const tokens = guild.tokens.reduce((sum, token) => sum + token.points, 0);
  const explorers = 2 * guild.explorers.filter(Boolean).length;
  const end = guild.end_card ? 2 : 0;
  const lying = 0 - view.hexes.reduce((sum, hex) => sum + onHex(hex, seat), 0);
  const storage = 0 - total(guild.storage);
  return { tokens, explorers, end, storage, lying, contracts: guild.score - tokens - explorers - end - storage - lying };
}

/** The points a seat has for certain, while the match goes on: what lies on its sites may still be built with. */
export function earned(view: View, seat: number): number {
  return view.guilds[seat]!.score - (view.asks === "over" ? 0 : count(view, seat).lying);
}

function onHex(hex: ViaNebulaHex, seat: number): number {
  const dug = hex.exploitation?.seat === seat ? total(hex.exploitation.resources) : 0;
  return hex.places.reduce((sum, place) => sum + (place.seat === seat ? total(place.resources) : 0), dug);
}

export function results(view: View, { t }: Says): readonly ResultRow[] {
  const counts = view.guilds.map((guild) => count(view, guild.seat));
  const row = (label: string, value: (seat: number) => number | string): ResultRow => ({ label, values: view.guilds.map((guild) => value(guild.seat)) });
  return [
    row(t("result.tokens"), (seat) => counts[seat]!.tokens),
    row(t("result.contracts"), (seat) => counts[seat]!.contracts),
    row(t("result.explorers"), (seat) => counts[seat]!.explorers),
    row(t("result.end"), (seat) => counts[seat]!.end),
    row(t("result.storage"), (seat) => counts[seat]!.storage + counts[seat]!.lying),
    row(t("result.buildings"), (seat) => `${BUILDINGS - view.guilds[seat]!.buildings} / ${BUILDINGS}`), // no points of their own
  ];
}
