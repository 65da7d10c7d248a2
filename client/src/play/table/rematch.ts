import type { TableInfo } from "../../app/net/protocol";
import { reservedFor } from "../../app/dice/seating";

/** Who has asked me for a rematch that I have not accepted yet. */
export function askedBy(next: TableInfo | null, me: string | undefined): string | null {
  if (!next || next.status !== "waiting" || reservedFor(next, me).length === 0) return null;
  return next.seats.find((seat) => seat.person === next.host)?.name ?? "";
}
