/**
 * Which piece is which. A view says how many pieces of a kind lie where, not which of them: following them from view to
 * view gives each an id of its own, so that it can be seen going from one place to another.
 */

/** How many pieces of each kind lie at each spot. */
export type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface Trace {
  /** kind → spot → the ids of the pieces there. */
  readonly at: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** How many ids were ever given out. */
  readonly named: number;
}

export const NOTHING_YET: Trace = { at: new Map(), named: 0 };

/** Pieces that can stay, staying; of those that cannot, one goes wherever one of its kind is missing. */
export function follow(trace: Trace, counts: Counts): Trace {
  let named = trace.named;
  const at = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const [kind, spots] of counts) {
    const before = trace.at.get(kind) ?? new Map<string, readonly string[]>();
    const loose = [...before].flatMap(([spot, ids]) => ids.slice(spots.get(spot) ?? 0));
    const now = new Map<string, readonly string[]>();
    for (const [spot, n] of spots) {
      const staying = (before.get(spot) ?? []).slice(0, n);
      const arriving = Array.from({ length: n - staying.length }, () => loose.shift() ?? `${kind}-${named++}`);
      now.set(spot, [...staying, ...arriving]);
    }
    at.set(kind, now);
  }
  return { at, named };
}

/** Where every piece is: id → spot. */
export function spots(trace: Trace): Map<string, string> {
  const where = new Map<string, string>();
  for (const byspot of trace.at.values()) for (const [spot, ids] of byspot) for (const id of ids) where.set(id, spot);
  return where;
}
