// Does with a module what a fixture (fixtures.py) says, and prints what comes out otherwise than natively.
//
//     node tests/wasm/replay.mjs MODULE FIXTURE      MODULE without ending: there is a .wasm and a .json
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { argv, exit } from "node:process";

const [name, file] = argv.slice(2);
const manifest = JSON.parse(readFileSync(`${name}.json`, "utf8"));
const fixture = JSON.parse(readFileSync(file, "utf8"));
const compiled = new WebAssembly.Module(readFileSync(`${name}.wasm`));
const PAGE = 65536;
const OVER = -2;
const ACTIONS = 10_000; // more than any game has

// Memory

const module = new WebAssembly.Instance(compiled).exports;
let top = module.__heap_base.value;

function place(size) {
  const at = Math.ceil(top / 16) * 16;
  top = at + size;
  const missing = Math.ceil(top / PAGE) - module.memory.buffer.byteLength / PAGE;
  if (missing > 0) module.memory.grow(missing);
  return at;
}

const { size } = manifest.state;
const { node, statistics, scratch } = manifest.search;
const seats = Math.max(...manifest.seats);
const at = { state: place(size), other: place(2 * size), listed: place(4 * ACTIONS), scores: place(4 * seats), places: place(4 * seats) };
Object.assign(at, { record: place(manifest.view.size), rng: place(8), values: place(8 * seats), options: place(64) });
const trees = [0, 1].map(() => ({ nodes: place(node.size * 20_000), statistics: place(statistics.size * 4_000), scratch: place(scratch.size) }));
for (const tree of trees) Object.assign(tree, { actions: at.listed, weights: place(8 * ACTIONS), marks: place(8 * ACTIONS), values: at.values });
const bytes = new Uint8Array(module.memory.buffer);
const data = new DataView(module.memory.buffer);
const put = (where, state) => bytes.set(state, where);
const take = (where, length = size) => bytes.slice(where, where + length);
const numbers = (where, many) => [...new Int32Array(module.memory.buffer, where, many)];
const i32 = (...values) => new Uint8Array(Int32Array.from(values).buffer);
const digest = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest("hex").slice(0, 16);
const generator = () => data.getBigUint64(at.rng, true).toString();

// Matches

function playMatch({ seats, options, actions, digests }) {
  bytes.fill(0, at.state, at.state + size);
  options.forEach((word, i) => data.setInt32(at.options + 4 * i, word, true));
  module.setup(at.state, seats, at.options, options.length);
  const wrong = [];
  for (const [ply, expected] of digests.entries()) {
    if (digest(...seenAt(ply, seats, actions[ply])) !== expected) wrong.push(ply);
    if (ply < actions.length) module.apply(at.state, actions[ply]);
  }
  return wrong;
}

function* seenAt(ply, seats, action) {
  const over = data.getInt32(at.state + manifest.state.to_play, true) === OVER;
  const many = over ? 0 : module.legal(at.state, at.listed, ACTIONS);
  const legal = numbers(at.listed, many).sort((a, b) => a - b);
  module.score_and_rank(at.state, at.scores, seats, at.places, seats);
  const state = take(at.state);
  yield state;
  yield i32(many, ...legal, ...numbers(at.scores, seats), ...numbers(at.places, seats));
  for (let viewer = -1; viewer < seats; viewer++) yield* eyes(ply, action, viewer);
}

function* eyes(ply, action, viewer) {
  const state = take(at.state);
  put(at.other, state);
  const { other } = at;
  module.hide(other, viewer);
  yield take(other);
  bytes.fill(0, at.record, at.record + manifest.view.size);
  module.fill(other, 1, at.record, 1, other + size, 1);
  yield take(at.record, manifest.view.size);
  yield i32(module.known && action !== undefined ? module.known(at.state, action, viewer) : -1);
  data.setBigUint64(at.rng, BigInt(1000 * ply + (viewer < 0 ? 1000 + viewer : viewer)), true);
  module.resample(other, viewer, at.rng, 1);
  yield take(other);
  yield take(at.rng, 8);
}

// Searches

function clear(tree) {
  bytes.fill(0, tree.nodes, tree.scratch + scratch.size);
  bytes.fill(0, tree.weights, tree.marks + 8 * ACTIONS);
  data.setInt32(tree.nodes + node.fields.sibling.offset, -1, true);
  data.setInt32(tree.statistics + statistics.fields.first_child.offset, -1, true);
  for (const field of ["nodes_used", "statistics_used"]) data.setInt32(tree.scratch + scratch.fields[field].offset, 1, true);
  data.setInt32(tree.scratch + scratch.fields.has_secrets.offset, Number(manifest.secrets), true);
}

/** A tree as parameters, in the order of `exports`. */
const passed = (tree, [nodes, visited]) =>
  [tree.nodes, nodes, tree.statistics, visited, tree.scratch, 1, tree.actions, ACTIONS, tree.weights, ACTIONS, tree.marks, ACTIONS, tree.values, seats];

function grow(tree, asked, wanted, first) {
  put(at.state, Buffer.from(wanted.state, "hex"));
  put(at.other, Buffer.from(wanted.state + wanted.state, "hex"));
  data.setBigUint64(at.rng, BigInt(asked.seed), true);
  const planned = asked.planned && first + asked.planned;
  const done = module.simulate(...passed(tree, asked.room), at.state, 1, at.other, 2, at.rng, 1, ...asked.tuning, asked.seat, first, asked.simulations, planned);
  const used = ["nodes_used", "statistics_used"].map((field) => data.getInt32(tree.scratch + scratch.fields[field].offset, true));
  const found = digest(take(tree.nodes, used[0] * node.size), take(tree.statistics, used[1] * statistics.size));
  return wanted.done === done && String(wanted.used) === String(used) && wanted.tree === found && wanted.rng === generator();
}

function search(asked) {
  clear(trees[0]);
  if (!grow(trees[0], asked, asked, 0)) return false;
  if (!asked.reuse) return true;
  clear(trees[1]);
  module.copy_subtree(...passed(trees[1], asked.room), ...passed(trees[0], asked.room), asked.reuse.root);
  return grow(trees[1], asked, asked.reuse, asked.reuse.first);
}

function greedy(asked) {
  put(at.state, Buffer.from(asked.state, "hex"));
  data.setBigUint64(at.rng, BigInt(asked.seed), true);
  bytes.fill(0, at.values, at.values + 8 * seats);
  const action = module.greedy_action(at.state, at.other, 1, at.listed, ACTIONS, at.values, seats, at.rng, 1);
  return action === asked.action && digest(take(at.values, 8 * seats)) === asked.values && generator() === asked.rng;
}

// The comparison

const wrong = {
  matches: fixture.matches.flatMap((match, number) => playMatch(match).map((ply) => [number, ply])),
  searches: fixture.searches.flatMap((asked, number) => (search(asked) ? [] : [number])),
  greedy: fixture.greedy.flatMap((asked, number) => (greedy(asked) ? [] : [number])),
};
console.log(JSON.stringify(wrong));
exit(Object.values(wrong).some((found) => found.length) ? 1 : 0);
