/** Sitting down at tables, with this browser's share in their dice. */
import { blindContribution, contribution, forget, keep, shownBy } from "../dice/contributions";
import { myself } from "./me.svelte";
import { api, Refusal } from "./api";
import { lackOf } from "./explain";
import { here, isLocal } from "./here";
import { hasServer } from "../browser/server";
import { newNonce } from "../dice/nonce";
import type { DiceOffer, Join, NewTable, TableInfo, TableMade } from "../protocol/messages";

const TRIES = 4; // to sit down, while others sit down or leave at the same moment

/** A seed that the server has committed to. Nothing from a server that does not know what is asked; whatever else goes
 * wrong is said, or the match would have dice that the server alone has made. */
async function offered(): Promise<DiceOffer | null> {
  try {
    return await api.offerDice();
  } catch (error) {
    if (error instanceof Refusal && error.reason === "not_found") return null;
    throw error;
  }
}

/** Without other people and without a clock a match needs no server. */
export function needsNoServer({ seats, clock, public: shown }: NewTable): boolean {
  const among = seats.every((seat) => seat.kind === "me" || seat.kind === "bot") && seats.some((seat) => seat.kind === "me");
  return among && !shown && (clock === undefined || clock.kind === "none");
}

/** The one way to a new table: in this page where that is possible, or else on the server. */
export async function makeTable(request: NewTable): Promise<TableMade> {
  if (!needsNoServer(request)) return makeOnServer(request);
  try {
    return { table: await (await here()).make(request, myself.called()), invites: [] };
  } catch (error) {
    if (!hasServer || lackOf(error) === null) throw error;
    return makeOnServer(request);
  }
}

async function makeOnServer(request: NewTable): Promise<TableMade> {
  await myself.introduce();
  const offer = await offered();
  if (!offer) return api.make(request);
  const nonce = newNonce();
  const made = await api.make({ ...request, ticket: offer.ticket, nonce });
  const alone = request.seats.every((seat) => seat.kind === "me" || seat.kind === "bot");
  keep(made.table.id, contribution(nonce, { commitment: offer.commitment, nonces: [] }, alone));
  return made;
}

/** `table` is what it shows before I join. */
export function joinTable(table: TableInfo, how: Omit<Join, keyof Share>): Promise<TableInfo> {
  return contributing(table, (now) => taken(now, how) === freeSeats(now), (share) => api.join(table.id, { ...how, ...share }));
}

/** The host fills the free seats with bots. Who sat down before did not take the last one, so the host's browser adds
 * another number, after which nobody can. */
export function startTable(table: TableInfo): Promise<TableInfo> {
  return contributing(table, () => true, (share) => api.start(table.id, { bot: table.stand_in, ...share }));
}

type Share = Required<Pick<Join, "nonce" | "seen">>;

/** Add a nonce to what a table shows. If that has changed by now, the server refuses, and I look again. */
async function contributing(table: TableInfo, last: (now: TableInfo) => boolean, ask: (share: Share) => Promise<TableInfo>): Promise<TableInfo> {
  for (let tries = 1; ; tries++) {
    const nonce = newNonce(); // a new one for each try: the server has read it
    try {
      const after = await ask({ nonce, seen: { nonces: table.fairness.nonces.length, free: freeSeats(table) } });
      keep(table.id, contribution(nonce, shownBy(table.fairness), last(table)));
      return after;
    } catch (error) {
      if (!(error instanceof Refusal && error.detail === "table_changed") || tries === TRIES) throw error;
      table = await api.table(table.id);
    }
  }
}

function freeSeats({ seats }: TableInfo): number {
  return seats.filter((seat) => seat.held_by === "friend" || seat.held_by === "open").length;
}

/** How many seats I get: one, or all that wait for me. */
function taken(table: TableInfo, { secret, seat }: Join): number {
  const one = (secret ?? seat ?? null) !== null;
  return one ? 1 : Math.max(1, reservedFor(table, myself.me?.id).length);
}

export async function leaveTable(id: string): Promise<TableInfo> {
  const table = await api.leave(id);
  if (table.status === "waiting") forget(id); // a person who comes back adds another nonce
  return table;
}

/** Ask for the same match again. */
export async function askRematch(old: TableInfo): Promise<TableInfo> {
  if (isLocal(old.id)) return api.rematch(old.id, {});
  const offer = await offered();
  if (!offer) return api.rematch(old.id, { ticket: null, nonce: null });
  const nonce = newNonce();
  const table = await api.rematch(old.id, { ticket: offer.ticket, nonce });
  if (!table.am_host) return acceptRematch(table, nonce);
  const alone = old.seats.every((seat) => seat.held_by !== "person" || old.mine.includes(seat.seat));
  keep(table.id, contribution(nonce, { commitment: offer.commitment, nonces: [] }, alone));
  return table;
}

/** Somebody else was quicker. The nonce that I sent belongs to another seed; I sit down with a new one, now that I have
 * seen the commitment of theirs. */
async function acceptRematch(table: TableInfo, sent: string): Promise<TableInfo> {
  const shown = shownBy(table.fairness);
  if (shown.nonces.includes(sent)) keep(table.id, blindContribution(sent, shown)); // used all the same: say so
  return takeMySeats(table, myself.me?.id);
}

export function reservedFor(table: Pick<TableInfo, "seats">, person: string | undefined): number[] {
  return table.seats.filter((seat) => person !== undefined && seat.reserved === person && seat.held_by !== "person").map((seat) => seat.seat);
}

/** Take the seats that wait for me, if there are any. */
export async function takeMySeats(table: TableInfo, me: string | undefined): Promise<TableInfo> {
  return reservedFor(table, me).length > 0 ? joinTable(table, {}) : table;
}
