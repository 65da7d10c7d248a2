/** Sitting down at tables, with this browser's share in their dice. */
import { contribution, forget, keep, shownBy } from "../dice/contributions";
import { myself } from "./me.svelte";
import { api } from "./api";
import { lackOf } from "./explain";
import { here, isLocal } from "./here";
import { hasServer } from "../browser/server";
import { newNonce } from "../dice/nonce";
import type { DiceOffer, Fairness, Join, NewTable, TableInfo, TableMade } from "../protocol/messages";

/** A seed that the server has committed to; nothing from a server that offers none. */
function offered(): Promise<DiceOffer | null> {
  return api.offerDice().catch(() => null);
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
  keep(made.table.id, contribution(nonce, { commitment: offer.commitment, nonces: [] }));
  return made;
}

/** `fairness` is what the table shows before I join. */
export async function joinTable(id: string, how: Omit<Join, "nonce">, fairness: Fairness): Promise<TableInfo> {
  const nonce = newNonce();
  const table = await api.join(id, { ...how, nonce });
  keep(id, contribution(nonce, shownBy(fairness)));
  return table;
}

export async function leaveTable(id: string): Promise<TableInfo> {
  const table = await api.leave(id);
  if (table.status === "waiting") forget(id); // a person who comes back adds another nonce
  return table;
}

/** Ask for the same match again. */
export async function askRematch(id: string): Promise<TableInfo> {
  if (isLocal(id)) return api.rematch(id, {});
  const offer = await offered();
  if (!offer) return api.rematch(id, { ticket: null, nonce: null });
  const nonce = newNonce();
  const table = await api.rematch(id, { ticket: offer.ticket, nonce });
  // Somebody else was quicker: this accepts their rematch, with a commitment that was not seen before.
  const late = !table.am_host;
  const before = late ? shownBy(table.fairness) : { commitment: offer.commitment, nonces: [] };
  keep(table.id, contribution(nonce, before, late));
  return table;
}

export function reservedFor(table: Pick<TableInfo, "seats">, person: string | undefined): number[] {
  return table.seats.filter((seat) => person !== undefined && seat.reserved === person && seat.held_by !== "person").map((seat) => seat.seat);
}

/** Take the seats that wait for me, if there are any. */
export async function takeMySeats(table: TableInfo, me: string): Promise<TableInfo> {
  return reservedFor(table, me).length > 0 ? joinTable(table.id, {}, table.fairness) : table;
}
