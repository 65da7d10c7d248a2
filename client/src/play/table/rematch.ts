import type { TableInfo } from "../../protocol/messages";
import { reservedFor } from "../../net/seating";

/** Who has asked me for a rematch that I have not accepted yet. */
export function askedBy(next: TableInfo | null, me: string | undefined): string | null {
  if (!next || next.status !== "waiting" || reservedFor(next, me).length === 0) return null;
  return next.seats.find((seat) => seat.person === next.host)?.name ?? "";
}
