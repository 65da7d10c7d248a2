/** The matches of this browser: what a server offers over HTTP and its websocket, without one. */
import type { Best, DiceRolls, History, NewTable, ReviewMessage, SeatWish, TableInfo, TableRow } from "../protocol/messages";
import type { Connect } from "../protocol/channel";
import { Refusal } from "../protocol/refusal";
import { storage } from "../browser/storage.svelte";
import { Bots } from "../bots/bots";
import { gameInfo, loadRules, NoRules, rulesPlayed } from "../rules/load";
import type { Rules } from "../rules/rules";
import { merged } from "./bests";
import { Dice, newDice } from "./chance";
import { LocalConnection } from "./connection";
import * as decide from "./decide";
import { Position } from "../rules/position";
import { newRow, type Kept, type MatchRow, type Seating, type SeatRow } from "./rows";
import * as shown from "./shown";
import { DatabaseStore, SafeStore } from "./store";
import { LocalTable } from "./table";
import { openTabs } from "./tabs";

const store = new SafeStore(
  () => DatabaseStore.open(indexedDB),
  (trouble) => (storage.trouble = trouble),
);
const open = new Map<string, Promise<LocalTable>>();
const tabs = openTabs();
tabs.addEventListener("message", ({ data }) => void open.get(data)?.then((table) => table.refresh()).catch(() => undefined)); // it has told who looks
document.addEventListener("visibilitychange", () => open.forEach((opening) => void opening.then((table) => table.attend())));
const around = { store, announce: (id: string) => tabs.postMessage(id) };

/** The table, as it is now, whichever tab it was played in. */
async function tableOf(id: string): Promise<LocalTable> {
  const known = open.get(id);
  if (known) {
    const table = await known;
    await table.refresh();
    return table;
  }
  const opening = bring(id);
  open.set(id, opening);
  opening.catch(() => open.delete(id));
  return opening;
}

async function keptMatch(id: string): Promise<Kept> {
  const kept = await store.get(id);
  if (!kept) throw new Refusal("not_found", `there is no match ${id} in this browser`);
  return kept;
}

async function bring(id: string): Promise<LocalTable> {
  const kept = await keptMatch(id);
  const rules = await rulesPlayed(kept.row);
  try {
    return new LocalTable(kept, beginningOf(kept.row, rules), around);
  } catch (error) {
    throw new NoRules("version", `these rules do not lead where the match was: ${String(error)}`);
  }
}

function beginningOf(row: MatchRow, rules: Rules): Position {
  return Position.begin(rules, row.seats.length, row.options);
}

// What a table is asked

export async function connector(id: string): Promise<Connect> {
  const table = await tableOf(id);
  return (asked, events) => new LocalConnection(table, asked, events);
}

export async function table(id: string): Promise<TableInfo> {
  return (await tableOf(id)).info();
}

export async function resign(id: string, seat?: number): Promise<TableInfo> {
  return (await tableOf(id)).resign(seat ?? null);
}

export async function history(id: string, first: number): Promise<History> {
  const { now, match, beginning } = await tableOf(id);
  return shown.history(now, match.log, beginning, shown.viewer(now, null), first);
}

export async function dice(id: string): Promise<DiceRolls> {
  const { match, beginning } = await tableOf(id);
  return shown.dice(match, beginning);
}

/** What reads and writes `.match` files: a table is played without it. */
const files = () => import("./saved");

export async function* review(id: string, stop: AbortSignal): AsyncGenerator<ReviewMessage> {
  const { match, beginning } = await tableOf(id);
  if (match.row.status !== "over") throw new Refusal("not_over", "a match is reviewed when it is over");
  const { rules } = beginning;
  const bots = new Bots(rules);
  try {
    const [{ Match }, saved] = await Promise.all([import("../rules/match"), files()]);
    const again = await Match.load(saved.text(match));
    let total = 0;
    for await (const remark of bots.review(again, stop)) {
      total = remark.total;
      yield remark;
    }
    yield { kind: "end", total };
  } finally {
    bots.close();
  }
}

// New matches

/** A match against bots, alone, or among several at this screen. */
export async function make(wish: NewTable, me: string): Promise<TableInfo> {
  const { settings, name } = await gameInfo(wish.game);
  const rules = await loadRules(name);
  const options = rules.chosen(wish.options ?? {});
  const fits = settings.some((one) => one.seats === wish.seats.length && same(one.options, options));
  if (!fits) throw new Refusal("bad_setting", "these seats and options do not go together");
  return begin(rules, options, wish.seats.map((seat) => seatOf(seat, me)), wish.seating ?? "random", wish.hints ?? true);
}

function same(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.entries(a).every(([name, word]) => b[name] === word);
}

function seatOf(wish: SeatWish, me: string): SeatRow {
  if (wish.kind === "bot") return { person: false, name: "", bot: wish.bot, resigned: false };
  if (wish.kind === "me") return { person: true, name: wish.name || me, bot: null, resigned: false };
  throw new Refusal("bad_setting", "nobody else can sit at a table in this browser");
}

async function begin(rules: Rules, options: Readonly<Record<string, string>>, listed: readonly SeatRow[], seating: Seating, hints: boolean): Promise<TableInfo> {
  const { seed, commitment, nonces } = newDice();
  const { game, rules: version, components } = rules.manifest;
  const seats = decide.seated(listed, seating, new Dice(seed, nonces));
  const row: MatchRow = { ...newRow(Date.now()), game, rules: version, components, options, commitment, nonces, seating, seats, hints };
  return begun(new LocalTable({ row, seed, log: [] }, Position.begin(rules, seats.length, options), around));
}

async function begun(table: LocalTable): Promise<TableInfo> {
  await table.begin();
  askToKeep();
  open.set(table.id, Promise.resolve(table));
  return table.info();
}

let asked = false;

/** Ask the browser not to clear what it keeps: Safari does after a week without a visit, and others when room is short. */
function askToKeep(): void {
  if (asked) return;
  asked = true;
  const { storage } = navigator;
  void storage?.persisted?.().then((safe) => safe || storage.persist()).catch(() => false);
}

/** The same again, everybody one seat further. */
export async function rematch(id: string): Promise<TableInfo> {
  const old = await tableOf(id);
  const { row } = old.match;
  if (row.rematch) return table(row.rematch);
  const next = await begin(await loadRules(row.game), row.options, decide.rematchSeats(old.now), decide.rematchSeating(row), row.hints);
  await old.follow(next.id);
  const { rematch } = old.match.row;
  if (!rematch || rematch === next.id) return next;
  await remove(next.id); // another tab was quicker
  return table(rematch);
}

// All matches

/** One line for each match, the one that changed last first, and the ids of those that cannot be read. */
export async function listing(): Promise<{ rows: TableRow[]; damaged: readonly string[] }> {
  const { rows, damaged } = await store.listing();
  return { rows: rows.map((row) => shown.listed(row)), damaged };
}

/** Told whenever a match has changed in any tab. */
export function watch(changed: () => void): () => void {
  tabs.addEventListener("message", changed);
  return () => tabs.removeEventListener("message", changed);
}

export async function remove(id: string): Promise<void> {
  await store.remove(id);
  tabs.postMessage(id);
  open.delete(id);
}

/** The best scores of matches played alone, with those that a server knows. */
export async function bests(others: readonly Best[]): Promise<readonly Best[]> {
  return merged(others, (await store.listing()).rows);
}

// Files

/** The match as a file: one that is not over too, with its seed, and one that cannot be continued here, so that it can
 * be continued elsewhere. */
export async function saveMatch(id: string): Promise<{ name: string; text: string }> {
  const table = await tableOf(id).catch(() => null);
  const match = table?.match ?? (await keptMatch(id));
  return { name: `${match.row.game}-${id.slice(-6)}.match`, text: (await files()).text(match) };
}

/** Makes a match of a file. */
export async function loadMatch(text: string, me: string): Promise<TableInfo> {
  const kept = await (await files()).read(text, me);
  return begun(new LocalTable(kept, beginningOf(kept.row, await rulesPlayed(kept.row)), around));
}
