/** A search tree in a module's memory (`plenilune/bots/search/records.py`), and what it has found out (`query.py`). */
import type { RecordLayout } from "../rules/manifest";
import type { Rules } from "../rules/rules";
import type { Findings, Found } from "./thought";

const NONE = -1;
const ROOT = 0;
const EXPECTED = 8; // visits from which on an action is part of the principal variation
const NUMBER = 4; // bytes of an i32 and an f32
const LONG = 8; // of an i64 and an f64

/** How far a tree may grow. */
export interface Room {
  nodes: number;
  visited: number;
}

export class Tree {
  private readonly scratch: number;
  private readonly nodes: number;
  private readonly statistics: number;
  private readonly marks: number;
  private readonly others: Readonly<Record<string, number>>; // what only compiled code uses

  /** Throws a RangeError if there is no memory for it. */
  constructor(
    private readonly rules: Rules,
    readonly room: Room,
  ) {
    const { module, count } = rules;
    const { node, statistics, scratch, values } = this.sizes;
    module.reserve(room.nodes * node + room.visited * statistics + scratch + count * (NUMBER + 2 * LONG) + values + 1024);
    this.nodes = module.allocate(room.nodes * node);
    this.statistics = module.allocate(room.visited * statistics);
    this.scratch = module.allocate(scratch);
    this.marks = module.allocate(count * LONG);
    this.others = { weights: module.allocate(count * LONG), actions: module.allocate(count * NUMBER), values: module.allocate(values) };
  }

  private get layout() {
    return this.rules.manifest.search;
  }

  private get sizes() {
    const { node, statistics, scratch } = this.layout;
    return { node: node.size, statistics: statistics.size, scratch: scratch.size, values: Math.max(...this.rules.manifest.seats) * LONG };
  }

  holds({ nodes, visited }: Room): boolean {
    return nodes <= this.room.nodes && visited <= this.room.visited;
  }

  /** Clear the parts that compiled code expects to be clear; it clears the rest itself. */
  clear(): void {
    const { bytes } = this.rules.module;
    const { node, statistics, scratch } = this.sizes;
    bytes.fill(0, this.nodes, this.nodes + node);
    bytes.fill(0, this.statistics, this.statistics + statistics);
    bytes.fill(0, this.scratch, this.scratch + scratch);
    bytes.fill(0, this.marks, this.marks + this.rules.count * LONG);
    this.write(this.nodes, this.layout.node, "sibling", NONE);
    this.write(this.statistics, this.layout.statistics, "first_child", NONE);
    this.write(this.scratch, this.layout.scratch, "nodes_used", 1);
    this.write(this.scratch, this.layout.scratch, "statistics_used", 1);
    this.write(this.scratch, this.layout.scratch, "has_secrets", this.rules.manifest.secrets ? 1 : 0);
  }

  /** What compiled code is passed, by the names of its parameters. */
  parameters(name: string, { nodes, visited }: Room): Record<string, number> {
    const arrays: Record<string, readonly [address: number, length: number]> = {
      nodes: [this.nodes, nodes],
      statistics: [this.statistics, visited],
      scratch: [this.scratch, 1],
      marks: [this.marks, this.rules.count],
      weights: [this.others["weights"]!, this.rules.count],
      actions: [this.others["actions"]!, this.rules.count],
      values: [this.others["values"]!, this.sizes.values / LONG],
    };
    const named = Object.entries(arrays).flatMap(([field, [address, length]]) => [
      [`${name}.${field}`, address],
      [`${name}.${field}.length`, length],
    ]);
    return Object.fromEntries(named) as Record<string, number>;
  }

  // What it knows

  findings(seat: number, seats: number, simulations: number): Findings {
    return {
      values: Array.from({ length: seats }, (_, one) => this.value(ROOT, one)),
      actions: this.children(ROOT)
        .filter((child) => this.isKnown(child))
        .map((child) => this.found(child, seat)),
      simulations,
      solved: this.isSolved(ROOT),
    };
  }

  private found(child: number, seat: number): Found {
    return {
      action: this.action(child),
      visits: Math.max(this.visits(child), 1),
      value: this.value(child, seat),
      solved: this.isSolved(child),
      line: this.principalVariation(child),
    };
  }

  /** The most visited action after each, while there are enough visits. */
  private principalVariation(first: number): number[] {
    const line = [this.action(first)];
    for (let node = this.mostVisited(first); node !== NONE && this.visits(node) >= EXPECTED; node = this.mostVisited(node)) line.push(this.action(node));
    return line;
  }

  private mostVisited(node: number): number {
    let [best, most] = [NONE, -1];
    for (const child of this.children(node)) {
      const visits = this.visits(child);
      if (visits > most) [best, most] = [child, visits];
    }
    return best;
  }

  children(node: number): number[] {
    const found: number[] = [];
    const record = this.statisticsOf(node);
    const sibling = offset(this.layout.node, "sibling");
    const first = record === null ? NONE : this.read(record + offset(this.layout.statistics, "first_child"));
    for (let child = first; child !== NONE; child = this.read(this.address(child) + sibling)) found.push(child);
    return found;
  }

  /** The node to which the actions lead from the root, or null. */
  follow(path: readonly number[]): number | null {
    return path.reduce<number | null>((node, action) => (node === null ? null : (this.children(node).find((child) => this.action(child) === action) ?? null)), ROOT);
  }

  action(node: number): number {
    return this.read(this.address(node) + offset(this.layout.node, "action"));
  }

  /** Of true simulations. */
  visits(node: number): number {
    return this.read(this.address(node) + offset(this.layout.node, "visits"));
  }

  /** Of all simulations. */
  allVisits(node: number): number {
    const at = this.address(node) + offset(this.layout.node, "visits");
    return Array.from({ length: this.layout.kinds }, (_, kind) => this.read(at + kind * NUMBER)).reduce((sum, n) => sum + n, 0);
  }

  isSolved(node: number): boolean {
    const record = this.statisticsOf(node);
    return record !== null && this.read(record + offset(this.layout.statistics, "solved")) !== 0;
  }

  /** Whether something is known about what to do there, and not by decoys alone. */
  isSearched(node: number): boolean {
    return this.children(node).some((child) => this.isKnown(child));
  }

  /** How many of the simulations count there: as large a share as of the true ones. */
  simulationsThrough(node: number, done: number): number {
    return Math.floor((done * this.visits(node)) / this.visits(ROOT));
  }

  private isKnown(node: number): boolean {
    return this.visits(node) > 0 || this.isSolved(node);
  }

  /** Of a node that has been visited, to a seat: a 32-bit number, as the tree keeps them. */
  private value(node: number, seat: number): number {
    const record = this.statisticsOf(node)!;
    const { data } = this.rules.module;
    if (this.isSolved(node)) return data.getFloat32(record + offset(this.layout.statistics, "exact") + seat * NUMBER, true);
    const sum = data.getFloat32(record + offset(this.layout.statistics, "value_sum") + seat * NUMBER, true);
    return Math.fround(sum / Math.max(1, this.visits(node)));
  }

  // Records

  private address(node: number): number {
    return this.nodes + node * this.layout.node.size;
  }

  /** The address of a node's statistics, or null before its first visit. */
  private statisticsOf(node: number): number | null {
    const index = this.read(this.address(node) + offset(this.layout.node, "statistics"));
    return index === NONE ? null : this.statistics + index * this.layout.statistics.size;
  }

  private read(address: number): number {
    return this.rules.module.data.getInt32(address, true);
  }

  private write(record: number, layout: RecordLayout, field: string, value: number): void {
    this.rules.module.data.setInt32(record + offset(layout, field), value, true);
  }
}

function offset(layout: RecordLayout, field: string): number {
  return layout.fields[field]!.offset;
}
