/** What a line about a table says. */
import { clock } from "../frame/clock.svelte";
import { speech } from "../i18n/language.svelte";
import { nameOf } from "../table/telling";
import type { TableRow } from "../protocol";

/** "Ada and Noor", "Ada, Noor, Piet". */
export function list(names: readonly string[]): string {
  if (names.length === 2) return speech.t("word.and", { first: names[0]!, second: names[1]! });
  return names.join(", ");
}

export function taken(row: TableRow): boolean[] {
  return row.seats.map((seat) => seat.held_by === "person" || seat.held_by === "bot");
}

export function people(row: TableRow): string {
  return list(row.seats.filter((seat) => seat.held_by === "person" || seat.held_by === "bot").map((seat) => nameOf(row.seats, seat.seat)));
}

export function company(row: TableRow): string {
  const others = row.seats.filter((seat) => taken(row)[seat.seat] && !row.mine.includes(seat.seat)).map((seat) => nameOf(row.seats, seat.seat));
  if (others.length === 0) return row.seats.length > 1 ? "" : speech.t("home.alone");
  return speech.t("home.with", { names: others.join(", ") });
}

export function pace(row: TableRow): string {
  if (row.clock.kind === "none") return "";
  if (row.clock.kind === "days") return speech.t("new.clock.day");
  return speech.t("home.minutes", { time: Math.round(row.clock.bank / 60) });
}

export function ago(then: number): string {
  const minutes = Math.max(0, Math.floor((clock.now - then) / 60_000));
  if (minutes < 1) return speech.t("home.ago.now");
  if (minutes < 60) return speech.t("home.ago.minutes", { n: minutes });
  if (minutes < 48 * 60) return speech.t("home.ago.hours", { n: Math.floor(minutes / 60) });
  return speech.t("home.ago.days", { n: Math.floor(minutes / 1440) });
}
