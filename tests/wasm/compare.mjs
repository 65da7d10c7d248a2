// Does with a module what a fixture (fixtures.py) says, in whatever runs WebAssembly: Node (replay.mjs), a worker of a page
// (compare-worker.mjs).
const PAGE = 65536;
const OVER = -2;
const ACTIONS = 10_000; // more than any game has

/** What comes out otherwise than natively: [match, ply] of positions, and the numbers of searches. */
export async function compare(manifest, wasm, fixture) {
  const host = new Host(manifest, (await WebAssembly.instantiate(wasm)).instance.exports);
  return {
    matches: (await all(fixture.matches, (match) => host.playMatch(match))).flatMap((plies, number) => plies.map((ply) => [number, ply])),
    searches: wrong(await all(fixture.searches, (asked) => host.search(asked))),
    greedy: wrong(await all(fixture.greedy, (asked) => host.greedy(asked))),
  };
}

/** One after the other: they share one memory. */
async function all(asked, act) {
  const found = [];
  for (const one of asked) found.push(await act(one));
  return found;
}

const wrong = (right) => right.flatMap((one, number) => (one ? [] : [number]));

const i32 = (...values) => new Uint8Array(Int32Array.from(values).buffer);
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));

async function digest(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) whole.set(part, (end += part.length) - part.length);
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
  return [...found.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A module and its memory. */
class Host {
  constructor(manifest, module) {
    this.manifest = manifest;
    this.module = module;
    this.top = module.__heap_base.value;
    this.seats = Math.max(...manifest.seats);
    const { node, statistics, scratch } = manifest.search;
    const { size } = manifest.state;
    const place = (size) => this.place(size);
    this.at = { state: place(size), other: place(2 * size), listed: place(4 * ACTIONS), scores: place(4 * this.seats), places: place(4 * this.seats) };
    Object.assign(this.at, { record: place(manifest.view.size), rng: place(8), values: place(8 * this.seats), options: place(64) });
    this.trees = [0, 1].map(() => ({ nodes: place(node.size * 20_000), statistics: place(statistics.size * 4_000), scratch: place(scratch.size) }));
    for (const tree of this.trees) Object.assign(tree, { actions: this.at.listed, weights: place(8 * ACTIONS), marks: place(8 * ACTIONS), values: this.at.values });
    this.bytes = new Uint8Array(module.memory.buffer);
    this.data = new DataView(module.memory.buffer);
  }

  place(size) {
    const at = Math.ceil(this.top / 16) * 16;
    this.top = at + size;
    const missing = Math.ceil(this.top / PAGE) - this.module.memory.buffer.byteLength / PAGE;
    if (missing > 0) this.module.memory.grow(missing);
    return at;
  }

  put(where, state) {
    this.bytes.set(state, where);
  }

  take(where, length = this.manifest.state.size) {
    return this.bytes.slice(where, where + length);
  }

  numbers(where, many) {
    return [...new Int32Array(this.module.memory.buffer, where, many)];
  }

  generator() {
    return this.data.getBigUint64(this.at.rng, true).toString();
  }

  // Matches

  async playMatch({ seats, options, actions, digests }) {
    const { at, module } = this;
    this.bytes.fill(0, at.state, at.state + this.manifest.state.size);
    options.forEach((word, i) => this.data.setInt32(at.options + 4 * i, word, true));
    module.setup(at.state, seats, at.options, options.length);
    const wrong = [];
    for (const [ply, expected] of digests.entries()) {
      if ((await digest(...this.seenAt(ply, seats, actions[ply]))) !== expected) wrong.push(ply);
      if (ply < actions.length) module.apply(at.state, actions[ply]);
    }
    return wrong;
  }

  *seenAt(ply, seats, action) {
    const { at, module } = this;
    const over = this.data.getInt32(at.state + this.manifest.state.to_play, true) === OVER;
    const many = over ? 0 : module.legal(at.state, at.listed, ACTIONS);
    const legal = this.numbers(at.listed, many).sort((a, b) => a - b);
    module.score_and_rank(at.state, at.scores, seats, at.places, seats);
    yield this.take(at.state);
    yield i32(many, ...legal, ...this.numbers(at.scores, seats), ...this.numbers(at.places, seats));
    for (let viewer = -1; viewer < seats; viewer++) yield* this.eyes(ply, action, viewer);
  }

  *eyes(ply, action, viewer) {
    const { at, module, manifest } = this;
    const { other } = at;
    this.put(other, this.take(at.state));
    module.hide(other, viewer);
    yield this.take(other);
    this.bytes.fill(0, at.record, at.record + manifest.view.size);
    module.fill(other, 1, at.record, 1, other + manifest.state.size, 1);
    yield this.take(at.record, manifest.view.size);
    yield i32(module.known && action !== undefined ? module.known(at.state, action, viewer) : -1);
    this.data.setBigUint64(at.rng, BigInt(1000 * ply + (viewer < 0 ? 1000 + viewer : viewer)), true);
    module.resample(other, viewer, at.rng, 1);
    yield this.take(other);
    yield this.take(at.rng, 8);
  }

  // Searches

  clear(tree) {
    const { node, statistics, scratch } = this.manifest.search;
    const write = (at, value) => this.data.setInt32(at, value, true);
    this.bytes.fill(0, tree.nodes, tree.scratch + scratch.size);
    this.bytes.fill(0, tree.weights, tree.marks + 8 * ACTIONS);
    write(tree.nodes + node.fields.sibling.offset, -1);
    write(tree.statistics + statistics.fields.first_child.offset, -1);
    for (const field of ["nodes_used", "statistics_used"]) write(tree.scratch + scratch.fields[field].offset, 1);
    write(tree.scratch + scratch.fields.has_secrets.offset, Number(this.manifest.secrets));
  }

  /** A tree as parameters, in the order of `exports`. */
  passed(tree, [nodes, visited]) {
    return [tree.nodes, nodes, tree.statistics, visited, tree.scratch, 1, tree.actions, ACTIONS, tree.weights, ACTIONS, tree.marks, ACTIONS, tree.values, this.seats];
  }

  async grow(tree, asked, wanted, first) {
    const { at } = this;
    const { node, statistics, scratch } = this.manifest.search;
    this.put(at.state, unhex(wanted.state));
    this.put(at.other, unhex(wanted.state + wanted.state));
    this.data.setBigUint64(at.rng, BigInt(asked.seed), true);
    const planned = asked.planned && first + asked.planned;
    const done = this.module.simulate(...this.passed(tree, asked.room), at.state, 1, at.other, 2, at.rng, 1, ...asked.tuning, asked.seat, first, asked.simulations, planned);
    const used = ["nodes_used", "statistics_used"].map((field) => this.data.getInt32(tree.scratch + scratch.fields[field].offset, true));
    const rng = this.generator();
    const found = await digest(this.take(tree.nodes, used[0] * node.size), this.take(tree.statistics, used[1] * statistics.size));
    return wanted.done === done && String(wanted.used) === String(used) && wanted.tree === found && wanted.rng === rng;
  }

  async search(asked) {
    const [first, second] = this.trees;
    this.clear(first);
    if (!(await this.grow(first, asked, asked, 0))) return false;
    if (!asked.reuse) return true;
    this.clear(second);
    this.module.copy_subtree(...this.passed(second, asked.room), ...this.passed(first, asked.room), asked.reuse.root);
    return this.grow(second, asked, asked.reuse, asked.reuse.first);
  }

  async greedy(asked) {
    const { at } = this;
    this.put(at.state, unhex(asked.state));
    this.data.setBigUint64(at.rng, BigInt(asked.seed), true);
    this.bytes.fill(0, at.values, at.values + 8 * this.seats);
    const action = this.module.greedy_action(at.state, at.other, 1, at.listed, ACTIONS, at.values, this.seats, at.rng, 1);
    const rng = this.generator();
    return action === asked.action && (await digest(this.take(at.values, 8 * this.seats))) === asked.values && rng === asked.rng;
  }
}
