import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { check, recall, shownBy } from "../src/dice/contributions";
import { myself } from "../src/net/me.svelte";
import { api, Refusal } from "../src/net/api";
import type { DiceOffer, NewTable, TableInfo } from "../src/protocol/messages";
import { askRematch, joinTable, leaveTable, makeTable, needsNoServer, takeMySeats } from "../src/net/seating";
import { NoRules } from "../src/rules/load";
import { seat, table } from "./tables";

const OFFER: DiceOffer = { ticket: "7".repeat(32), commitment: "c0" };
const WISH: NewTable = { game: "some-game", seats: [{ kind: "me" }, { kind: "open" }] };
const withNonces = (id: string, nonces: readonly string[], more: Partial<TableInfo> = {}) =>
  table({ id, fairness: { commitment: "c0", nonces: nonces.map((nonce) => ({ person: "", nonce })), seed: null }, ...more });
const checked = (info: TableInfo) => check(info.id, shownBy(info.fairness), false);

const page = vi.hoisted(() => ({ make: vi.fn(), hasServer: true }));
vi.mock("../src/net/here", () => ({ isLocal: (id: string) => id.startsWith("local-"), here: () => Promise.resolve({ make: page.make }) }));
vi.mock("../src/browser/server", () => ({
  get hasServer() {
    return page.hasServer;
  },
}));

beforeEach(() => {
  page.hasServer = true;
  page.make.mockReset();
  vi.spyOn(myself, "introduce").mockResolvedValue();
  const items = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => items.get(key) ?? null, setItem: (key: string, value: string) => items.set(key, value) });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("making a table", () => {
  test("sends a nonce with the ticket of a seed whose commitment was seen first", async () => {
    vi.spyOn(api, "offerDice").mockResolvedValue(OFFER);
    const make = vi.spyOn(api, "make").mockImplementation(async (wish) => ({ table: withNonces("m1", [wish.nonce!]), invites: [] }));
    const { table: made } = await makeTable(WISH);
    expect(make.mock.calls[0]![0]).toMatchObject({ ...WISH, ticket: OFFER.ticket, nonce: expect.stringMatching(/^[0-9a-f]{32}$/) as string });
    expect(recall("m1")).toMatchObject({ commitment: "c0", nonces: [], blind: false });
    expect(checked(made)).toBe(null);
  });

  test("a server that then uses another seed is caught", async () => {
    vi.spyOn(api, "offerDice").mockResolvedValue(OFFER);
    vi.spyOn(api, "make").mockImplementation(async (wish) => ({ table: withNonces("m1", [wish.nonce!], { fairness: { commitment: "c1", nonces: [], seed: null } }), invites: [] }));
    expect(checked((await makeTable(WISH)).table)).toBe("commitment");
  });

  test("goes on without where no seed is offered", async () => {
    vi.spyOn(api, "offerDice").mockRejectedValue(new Refusal("not_found", ""));
    const make = vi.spyOn(api, "make").mockResolvedValue({ table: table(), invites: [] });
    await makeTable(WISH);
    expect(make).toHaveBeenCalledWith(WISH);
    expect(recall("m1")).toBe(null);
  });
});

describe("a table that needs nobody else", () => {
  const ALONE: NewTable = { game: "some-game", seats: [{ kind: "me" }, { kind: "bot", bot: "casual" }] };

  test.each<[string, Partial<NewTable>, boolean]>([
    ["against bots", {}, true],
    ["of several at one screen", { seats: [{ kind: "me" }, { kind: "me", name: "Ben" }] }, true],
    ["without a clock", { clock: { kind: "none" } }, true],
    ["with a clock", { clock: { kind: "bank", bank: 600 } }, false],
    ["that everybody is shown", { public: true }, false],
    ["with a friend", { seats: [{ kind: "me" }, { kind: "friend" }] }, false],
    ["of bots alone", { seats: [{ kind: "bot", bot: "casual" }] }, false],
  ])("%s: %o", (_, wish, local) => expect(needsNoServer({ ...ALONE, ...wish })).toBe(local));

  test("is made in the page, and the server hears nothing of it", async () => {
    const make = vi.spyOn(api, "make");
    page.make.mockResolvedValue(table({ id: "local-1" }));
    expect(await makeTable(ALONE)).toEqual({ table: table({ id: "local-1" }), invites: [] });
    expect(make).not.toHaveBeenCalled();
    expect(myself.introduce).not.toHaveBeenCalled();
  });

  test("is made on the server where the page has no rules", async () => {
    vi.spyOn(api, "offerDice").mockResolvedValue(OFFER);
    vi.spyOn(api, "make").mockResolvedValue({ table: table({ id: "m1" }), invites: [] });
    page.make.mockRejectedValue(new NoRules("webassembly", ""));
    expect((await makeTable(ALONE)).table.id).toBe("m1");
  });

  test("cannot be made without rules and without a server", async () => {
    page.hasServer = false;
    page.make.mockRejectedValue(new NoRules("webassembly", "no WebAssembly"));
    await expect(makeTable(ALONE)).rejects.toThrow("no WebAssembly");
  });

  test("is not made on the server because of something else", async () => {
    page.make.mockRejectedValue(new Refusal("bad_setting", "not with three seats"));
    await expect(makeTable(ALONE)).rejects.toThrow("not with three seats");
  });
});

describe("joining a table", () => {
  test("sends a nonce, and remembers what was there before", async () => {
    const before = withNonces("m1", ["ada"]);
    const join = vi.spyOn(api, "join").mockImplementation(async (id, how) => withNonces(id, ["ada", how.nonce!]));
    const after = await joinTable("m1", { seat: 1 }, before.fairness);
    expect(join.mock.calls[0]![1]).toMatchObject({ seat: 1, nonce: expect.any(String) as string });
    expect(recall("m1")!.nonces).toEqual(["ada"]);
    expect(checked(after)).toBe(null);
  });

  test("who leaves a waiting table may come back with another nonce", async () => {
    vi.spyOn(api, "join").mockImplementation(async (id, how) => withNonces(id, [how.nonce!]));
    vi.spyOn(api, "leave").mockResolvedValue(withNonces("m1", [], { status: "waiting" }));
    await joinTable("m1", {}, table().fairness);
    await leaveTable("m1");
    expect(recall("m1")).toBe(null);
  });
});

describe("a rematch", () => {
  test("that I ask for is made with a seed that I was offered", async () => {
    vi.spyOn(api, "offerDice").mockResolvedValue(OFFER);
    vi.spyOn(api, "rematch").mockImplementation(async (_, share) => withNonces("m2", [share.nonce!]));
    expect(checked(await askRematch("m1"))).toBe(null);
    expect(recall("m2")).toMatchObject({ commitment: "c0", blind: false });
  });

  test("that somebody else asked for at the same moment is marked: its commitment was not seen first", async () => {
    vi.spyOn(api, "offerDice").mockResolvedValue({ ...OFFER, commitment: "mine" });
    vi.spyOn(api, "rematch").mockImplementation(async (_, share) => withNonces("m2", ["ada", share.nonce!], { am_host: false }));
    expect(checked(await askRematch("m1"))).toBe(null);
    expect(recall("m2")).toMatchObject({ commitment: "c0", blind: true });
  });

  test("is accepted where a seat waits for me, with a nonce", async () => {
    const next = withNonces("m2", ["ada"], { status: "waiting", mine: [], am_host: false, seats: [seat(0, { person: "ada" }), seat(1, { held_by: "friend", reserved: "ben" })] });
    const join = vi.spyOn(api, "join").mockImplementation(async (id, how) => withNonces(id, ["ada", how.nonce!]));
    const after = await takeMySeats(next, "ben");
    expect(recall("m2")!.nonces).toEqual(["ada"]);
    expect(checked(after)).toBe(null);
    expect(await takeMySeats(next, "cleo")).toBe(next);
    expect(join).toHaveBeenCalledTimes(1);
  });
});
