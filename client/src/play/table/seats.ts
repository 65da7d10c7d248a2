import type { TableInfo } from "../../protocol/messages";

/** My seats at which I may still play. */
export function activeSeats(info: TableInfo): number[] {
  return info.mine.filter((seat) => !info.seats[seat]!.resigned);
}

/** My seats at which a bot plays in my absence. */
export function absentSeats(info: TableInfo): number[] {
  return activeSeats(info).filter((seat) => info.status === "playing" && info.seats[seat]!.absent);
}

/** Whether a seat's bank is used up, so that it cannot be taken back. */
export function outOfTime(info: TableInfo, seat: number): boolean {
  return info.clock.kind === "bank" && info.clocks.running !== seat && (info.clocks.left[seat] ?? 1) <= 0;
}
