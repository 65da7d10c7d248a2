/** One thread of a search, in slices: what `plenilune/bots/mcts.py` does natively. */
import { equal, OVER, type Rules, type State } from "../rules/rules";
import { Refusal } from "../protocol/refusal";
import { whole } from "./chance";
import type { Budget } from "./levels";
import type { Findings } from "./thought";
import { Tree, type Room } from "./tree";

const MOST: Room = { nodes: 4_000_000, visited: 1_000_000 };
const LEAST_NODES = 1_000;
const NODES_PER_SIMULATION = 20; // about; a tree that is full goes on with the nodes it has
const FIRST_SLICE = 8; // simulations
const REUSED = 50; // a subtree is looked for among the nodes with more than this fraction of the visits
const STREAMS = 1_000_003n; // between the seeds of two threads, as natively

/** What one thread is to search. */
export interface Task {
  seen: State;
  seat: number;
  budget: Budget;
  seed: bigint;
  thread: number;
  threads: number;
  /** It may end as soon as the simulations left could not change the action. */
  onlyAction: boolean;
}

/** A module with room for trees; it searches one decision at a time. */
export class SearchMemory {
  private readonly trees: Tree[] = [];
  private most = MOST; // that there was memory for
  private readonly start: number; // addresses
  /** Scratch for two states, whose content is lost with every search; like the next two. */
  readonly work: number;
  readonly generator: number;
  readonly values: number; // a number for each seat

  constructor(readonly rules: Rules) {
    const { module, manifest } = rules;
    this.start = module.allocate(manifest.state.size);
    this.work = module.allocate(2 * manifest.state.size);
    this.generator = module.allocate(8);
    this.values = module.allocate(8 * Math.max(...manifest.seats));
  }

  /** A tree without nodes but its root, other than the one that is still needed. It may be smaller than wished for. */
  tree(wished: Room, needed: Tree | null): Tree {
    const room = smaller(wished, this.most);
    const tree = this.trees.find((one) => one !== needed && one.holds(room)) ?? this.grow(room);
    tree.clear();
    return tree;
  }

  private grow(room: Room): Tree {
    try {
      const tree = new Tree(this.rules, room);
      this.trees.push(tree);
      return tree;
    } catch (error) {
      if (!(error instanceof RangeError) || room.nodes < LEAST_NODES) throw error;
      this.most = { nodes: room.nodes >> 1, visited: room.visited >> 1 };
      return this.grow(this.most);
    }
  }

  /** Put in place what is searched; returns where it is, by the names of `simulate`'s parameters. */
  place(seen: State, seed: bigint): Record<string, number> {
    const { module, manifest } = this.rules;
    for (const at of [this.start, this.work, this.work + manifest.state.size]) module.bytes.set(seen, at);
    module.data.setBigUint64(this.generator, seed, true);
    return { start: this.start, "start.length": 1, work: this.work, "work.length": 2, rng: this.generator, "rng.length": 1 };
  }
}

export class Search {
  done = 0; // simulations
  private decided = false; // there is nothing left to find out
  private readonly room: Room;
  private readonly tree: Tree;
  private readonly share: number; // simulations of this thread; 0: until the time is up
  private readonly seats: number;
  private readonly run: (first: number, count: number) => number;

  /** `after` is an earlier search of the same seat in the same memory: what it found about this position is reused, and
   * counts towards the budget. */
  constructor(
    private readonly memory: SearchMemory,
    private readonly task: Task,
    after: Search | null = null,
  ) {
    const { budget, seen, threads } = task;
    if (!budget.simulations && !budget.seconds) throw new Refusal("bad_setting", "a search needs a number of simulations or some time");
    if (memory.rules.toPlay(seen) === OVER) throw new Refusal("bad_setting", "the match is over: there is nothing left to search");
    this.seats = memory.rules.seats(seen);
    this.share = Math.ceil(budget.simulations / threads);
    const wished = this.share ? roomFor(this.share) : MOST;
    this.tree = memory.tree(wished, after?.tree ?? null);
    this.room = smaller(wished, this.tree.room);
    if (after) this.reuse(after);
    this.run = this.compiled();
  }

  get finished(): boolean {
    return this.decided || (this.share > 0 && this.done >= this.share);
  }

  /** Simulate for so many milliseconds. What is found does not depend on how long a slice is. */
  slice(milliseconds: number): void {
    const began = performance.now();
    const before = this.done;
    let count = FIRST_SLICE;
    while (!this.finished) {
      this.simulate(this.share ? Math.min(count, this.share - this.done) : count);
      const spent = performance.now() - began;
      if (spent >= milliseconds) return;
      const rate = (this.done - before) / Math.max(spent, 0.1); // clocks in browsers are coarse
      count = Math.max(1, Math.floor(rate * (milliseconds - spent)));
    }
  }

  findings(): Findings {
    return this.tree.findings(this.task.seat, this.seats, this.done);
  }

  private simulate(count: number): void {
    const done = this.run(this.done, count);
    this.done += done;
    this.decided = done < count;
  }

  private compiled(): (first: number, count: number) => number {
    const { module, manifest } = this.memory.rules;
    const { seat, seen, seed, thread, threads, onlyAction } = this.task;
    const names = manifest.exports["simulate"] ?? [];
    const tuning = manifest.tuned[String(this.seats)] ?? manifest.tuning;
    const tuned = names.filter((name) => name.startsWith("tuning.")).map((name, i) => [name, tuning[i]!] as const);
    const passed = module.ordered("simulate", {
      ...this.tree.parameters("tree", this.room),
      ...this.memory.place(seen, whole(seed * STREAMS + BigInt(thread))),
      ...Object.fromEntries(tuned),
      viewer: seat,
      first: 0,
      count: 0,
      planned: onlyAction && threads === 1 ? this.share : 0,
    });
    const simulate = module.call("simulate");
    const [firstAt, countAt] = [names.indexOf("first"), names.indexOf("count")];
    return (first, count) => {
      passed[firstAt] = first;
      passed[countAt] = count;
      return simulate(...passed);
    };
  }

  // Reuse

  private reuse(after: Search): void {
    const { module } = this.memory.rules;
    const root = after.find(this.task.seen, this.task.seat);
    if (root === null) return;
    const passed = { ...this.tree.parameters("tree", this.room), ...after.tree.parameters("old", after.room), root };
    module.call("copy_subtree")(...module.ordered("copy_subtree", passed));
    this.done = after.tree.simulationsThrough(root, after.done);
  }

  /** The node of this position, if it is not far from the root and was visited often. A tree with secrets is followed
   * along the seat's own actions only: what others played is not always known. */
  private find(seen: State, seat: number): number | null {
    const path = seat === this.task.seat ? this.pathTo(seen) : [];
    const node = path.length > 0 ? this.tree.follow(path) : null;
    return node !== null && this.tree.isSearched(node) ? node : null;
  }

  /** The actions that lead from the position searched to this one; none if it was not found. */
  private pathTo(wanted: State): number[] {
    const { rules } = this.memory;
    const least = Math.floor(this.done / REUSED);
    const waiting: { path: number[]; node: number; state: State }[] = [{ path: [], node: 0, state: this.task.seen }];
    for (let from = waiting.pop(); from; from = waiting.pop()) {
      if (rules.manifest.secrets && rules.toPlay(from.state) !== this.task.seat) continue;
      for (const node of this.tree.children(from.node).filter((child) => this.tree.allVisits(child) > least)) {
        const path = [...from.path, this.tree.action(node)];
        const state = rules.seen(rules.apply(from.state, this.tree.action(node)), this.task.seat);
        if (equal(state, wanted)) return path;
        waiting.push({ path, node, state });
      }
    }
    return [];
  }
}

function smaller(a: Room, b: Room): Room {
  return { nodes: Math.min(a.nodes, b.nodes), visited: Math.min(a.visited, b.visited) };
}

function roomFor(simulations: number): Room {
  return {
    nodes: Math.min(MOST.nodes, LEAST_NODES + simulations * NODES_PER_SIMULATION),
    visited: Math.min(MOST.visited, 1 + simulations), // a simulation visits one node that no other has visited
  };
}
