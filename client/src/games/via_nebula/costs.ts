/** Reading a contract's cost: its signs, and how much of it a heap of resources covers. */
import type { SignName } from "./signs";
import { RESOURCES, type Resource } from "./kinds";

export type Heap = Readonly<Record<string, number>>;

/** The signs of a cost, one for each resource it asks for. */
export function signsOf(cost: string): SignName[] {
  if (cost === "2-equal") return ["equal", "equal"];
  if (cost === "3-different") return ["other0", "other1", "other2"];
  return cost.split("+") as Resource[];
}

/** By sign, whether the heap has it. */
export function covered(cost: string, heap: Heap): boolean[] {
  if (cost === "2-equal") return upTo(Math.max(0, ...RESOURCES.map((kind) => heap[kind] ?? 0)), 2);
  if (cost === "3-different") return upTo(RESOURCES.filter((kind) => (heap[kind] ?? 0) > 0).length, 3);
  const left = { ...heap };
  return cost.split("+").map((kind) => {
    const there = (left[kind] ?? 0) > 0;
    if (there) left[kind]!--;
    return there;
  });
}

/** Of several sites the one that has most of a cost. */
export function bestSupplied<S extends { resources: Heap }>(sites: readonly S[], cost: string): S | null {
  const there = (site: S) => covered(cost, site.resources).filter(Boolean).length;
  return [...sites].sort((a, b) => there(b) - there(a))[0] ?? null;
}

/** What a named cost still lacks; costs that leave the choice lack nothing by name. */
export function lacking(cost: string, heap: Heap): Resource[] {
  const there = covered(cost, heap);
  return signsOf(cost).filter((sign, i): sign is Resource => !there[i] && RESOURCES.includes(sign as Resource));
}

export function total(heap: Heap): number {
  return RESOURCES.reduce((sum, kind) => sum + (heap[kind] ?? 0), 0);
}

function upTo(n: number, of: number): boolean[] {
  return Array.from({ length: of }, (_, i) => i < n);
}
