/** What a line about a table says. */
import { clock } from "../../net/clock.svelte";
import { speech } from "../../i18n/language.svelte";
import { nameOf } from "../../play/table/sentences";
import type { TableRow } from "../../protocol/messages";

export function titleOf(row: Pick<TableRow, "game">): string {
  return row.game.split("-").map((word) => word[0]!.toUpperCase() + word.slice(1)).join(" ");
}

export function taken(row: TableRow): boolean[] {
  return row.seats.map((seat) => seat.held_by === "person" || seat.held_by === "bot");
}

export function people(row: TableRow): string {
  return speech.list(row.seats.filter((seat) => seat.held_by === "person" || seat.held_by === "bot").map((seat) => nameOf(row.seats, seat.seat)));
}

export function company(row: TableRow): string {
  const others = row.seats.filter((seat) => taken(row)[seat.seat] && !row.mine.includes(seat.seat)).map((seat) => nameOf(row.seats, seat.seat));
  if (others.length === 0) return row.seats.length > 1 ? "" : speech.t("home.alone");
  return speech.t("home.with", { names: speech.list(others) });
}

export function pace(row: TableRow): string {
  if (row.clock.kind === "none") return "";
  if (row.clock.kind === "days") return speech.t("new.clock.day");
  return speech.t("home.minutes", { time: Math.round(row.clock.bank / 60) });
}

export function ago(then: number): string {
  return speech.ago(clock.now - then);
}
