/** A server that shows other dice than it rolled is caught by the rules in the page, whatever it says could be rolled. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Dice } from "../src/local/chance";
import { api, Refusal } from "../src/net/api";
import { recheck } from "../src/net/recheck";
import type { DiceRolls, Roll, TableInfo } from "../src/protocol/messages";
import { NoRules } from "../src/rules/load";
import { Position } from "../src/rules/position";
import { CHANCE, OVER } from "../src/rules/rules";
import { seat, table } from "./tables";
import { toyRules } from "./toyRules";

const SEED = { seed: "apollo", nonces: ["a1".repeat(16)] };
const dice = new Dice(SEED.seed, SEED.nonces);
const here = vi.hoisted(() => ({ rules: vi.fn() }));
vi.mock("../src/rules/load", async (original) => ({ ...(await original<object>()), rulesPlayed: here.rules }));

const info: TableInfo = table({ id: "m1", game: "toy", rules: 1, components: "c0", options: {}, status: "over", seats: [seat(0), seat(1)] });
const { actions, rolls } = played();

/** A match with honest dice. */
function played(): { actions: string[]; rolls: Roll[] } {
  const actions: string[] = [];
  const rolls: Roll[] = [];
  for (let position = Position.begin(toyRules(false), 2, {}); position.toPlay !== OVER; position = position.played(actions.at(-1)!)) {
    const chance = position.toPlay === CHANCE;
    actions.push(chance ? dice.pick(position.ply, position.legal()) : "play");
    if (chance) rolls.push({ ply: position.ply, outcomes: position.legal(), outcome: actions.at(-1)! });
  }
  return { actions, rolls };
}

function file(moves: readonly string[] = actions, { seed, nonces } = SEED): string {
  return [`game: toy`, `rules: 1`, `components: c0`, `seats: 2`, `seed: ${seed}`, `nonces: ${nonces.join(" ")}`, "", ...moves, ""].join("\n");
}

/** What the dice page finds when the server says this. */
function found(said: readonly Roll[] = rolls, record = file()) {
  vi.spyOn(api, "record").mockResolvedValue(record);
  const told: DiceRolls = { match: "m1", commitment: "c0", ...SEED, nonces: [...SEED.nonces], order: null, rolls: [...said] };
  return recheck(info, told);
}

const saw = (...texts: string[]) => {
  localStorage.setItem("plenilune.seen.m1", texts.join("\n"));
};
const another = (outcome: string) => (outcome === "deal a" ? "deal b" : "deal a");

beforeEach(() => {
  here.rules.mockReset().mockResolvedValue(toyRules(false));
  const items = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => items.get(key) ?? null, setItem: (key: string, value: string) => items.set(key, value), removeItem: (key: string) => items.delete(key) });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("honest dice are right, by the rules of the match's own version", async () => {
  const { rolls: checked, ...rest } = await found();
  expect(checked.map(({ fits }) => fits)).toEqual([true, true, true, true]);
  expect(rest).toEqual({ unchecked: null, broken: false, saw: 0, differs: null });
  expect(here.rules).toHaveBeenCalledWith(info);
});

describe("a server is caught that", () => {
  const wrong = ({ rolls }: Awaited<ReturnType<typeof found>>) => rolls.flatMap(({ ply, fits }) => (fits === false ? [ply] : []));

  test("says that nothing but what it wanted could have been rolled", async () => {
    const forged = actions.map((text, ply) => (ply === 0 ? another(text) : text));
    const said = rolls.map((roll) => (roll.ply === 0 ? { ...roll, outcome: forged[0]!, outcomes: [forged[0]!] } : roll));
    expect(wrong(await found(said, file(forged)))).toEqual([0]);
  });

  test("lists the outcomes in another order, so that another one is picked", async () => {
    const forged = actions.map((text, ply) => (ply === 2 ? another(text) : text));
    const order = ["deal a", "deal b", "deal c"];
    const index = order.indexOf(actions[2]!);
    const outcomes = order.filter((text) => text !== forged[2]);
    outcomes.splice(index, 0, forged[2]!);
    expect(outcomes[index]).toBe(forged[2]);
    const said = rolls.map((roll) => (roll.ply === 2 ? { ...roll, outcome: forged[2]!, outcomes } : roll));
    expect(wrong(await found(said, file(forged)))).toEqual([2]);
  });

  test("lists fewer outcomes of a roll that is right", async () => {
    expect(wrong(await found(rolls.map((roll) => ({ ...roll, outcomes: [roll.outcome] }))))).toEqual([0, 2, 4, 6]);
  });

  test("lists a roll that there was not, or leaves one out", async () => {
    expect(wrong(await found([...rolls, { ply: 3, outcomes: ["deal a"], outcome: "deal a" }]))).toEqual([3]);
    expect(wrong(await found(rolls.slice(1)))).toEqual([0]);
  });

  test.each<[string, string]>([
    ["that the rules do not allow", file(["play", ...actions])],
    ["that says what the game does not know", file(["fly", ...actions])],
    ["of another seed", file(actions, { ...SEED, seed: "gemini" })],
    ["of other nonces", file(actions, { ...SEED, nonces: ["b2".repeat(16)] })],
    ["of another game", file().replace("game: toy", "game: chess")],
    ["that is none", "<html>"],
  ])("shows a record %s", async (_, record) => {
    const { broken, unchecked } = await found(rolls, record);
    expect({ broken, unchecked }).toEqual({ broken: true, unchecked: null });
  });

  test("shows other nonces than those that were used", async () => {
    vi.spyOn(api, "record").mockResolvedValue(file());
    const nonces = ["b2".repeat(16)];
    const forged = await recheck(info, { match: "m1", commitment: "c0", seed: SEED.seed, nonces, order: null, rolls });
    expect([forged.broken, wrong(forged).length > 0]).toEqual([true, true]);
  });

  test("shows another record than was played while this browser looked on", async () => {
    saw(another(actions[0]!), ...actions.slice(1, 4));
    expect(await found()).toMatchObject({ differs: 0, saw: 4 });
    saw(...actions.slice(0, 4));
    expect(await found()).toMatchObject({ differs: null, saw: 4 });
  });
});

describe("nothing is said to be right", () => {
  test.each<[string, () => void]>([
    ["the rules cannot be loaded", () => void here.rules.mockRejectedValue(new NoRules("unreachable", "no"))],
    ["the rules of that time are gone", () => void here.rules.mockRejectedValue(new NoRules("version", "no"))],
    ["the browser cannot run them", () => void here.rules.mockRejectedValue(new NoRules("webassembly", "no"))],
  ])("where %s", async (_, fail) => {
    fail();
    const { unchecked, rolls: told, broken } = await found();
    expect(unchecked).toBeTruthy();
    expect({ broken, known: told.filter(({ fits }) => fits !== null).length, listed: told.length }).toEqual({ broken: false, known: 0, listed: 4 });
  });

  test("where the record cannot be fetched", async () => {
    const check = found();
    vi.spyOn(api, "record").mockRejectedValue(new Refusal("unreachable", "unreachable"));
    await check;
    const again = await recheck(info, { match: "m1", commitment: "c0", ...SEED, nonces: [...SEED.nonces], order: null, rolls });
    expect(again.unchecked).toBeTruthy();
    expect(again.rolls.every(({ fits }) => fits === null)).toBe(true);
  });

  test("but what is wrong by the server's own words is", async () => {
    here.rules.mockRejectedValue(new NoRules("unreachable", "no"));
    const { rolls: told } = await found(rolls.map((roll) => ({ ...roll, outcome: another(roll.outcome) })));
    expect(told.every(({ fits }) => fits === false)).toBe(true);
  });
});
