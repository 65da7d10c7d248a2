import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { check, recall, shownBy } from "../src/dice/contributions";
import { myself } from "../src/net/me.svelte";
import { api, Refusal } from "../src/net/api";
import type { DiceOffer, NewTable, SeatInfo, TableInfo } from "../src/protocol/messages";
import { askRematch, joinTable, leaveTable, makeTable, needsNoServer, startTable, takeMySeats } from "../src/net/seating";
import { NoRules } from "../src/rules/load";
import { seat, table } from "./tables";

const OFFER: DiceOffer = { ticket: "7".repeat(32), commitment: "c0" };
const WISH: NewTable = { game: "some-game", seats: [{ kind: "me" }, { kind: "open" }] };
const withNonces = (id: string, nonces: readonly string[], more: Partial<TableInfo> = {}) =>
  table({ id, fairness: { commitment: "c0", nonces: nonces.map((nonce) => ({ person: "", nonce })), seed: null }, ...more });
const open = (number: number, more: Partial<SeatInfo> = {}) => seat(number, { held_by: "open", person: null, ...more });
const changed = () => new Refusal("stale", "", "table_changed");
const unknown = new Refusal("not_found", "");
const FAILURES: [string, Refusal][] = [
  ["cannot be reached", new Refusal("unreachable", "unreachable")],
  ["has no time", new Refusal("too_often", "too often")],
  ["fails", new Refusal("unavailable", "failed")],
];
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
    expect(recall("m1")).toMatchObject({ commitment: "c0", nonces: [make.mock.calls[0]![0].nonce], blind: false, last: false });
    expect(checked(made)).toBe(null);
  });

  test("a server that then uses another seed is caught", async () => {
    vi.spyOn(api, "offerDice").mockResolvedValue(OFFER);
    vi.spyOn(api, "make").mockImplementation(async (wish) => ({ table: withNonces("m1", [wish.nonce!], { fairness: { commitment: "c1", nonces: [], seed: null } }), invites: [] }));
    expect(checked((await makeTable(WISH)).table)).toBe("commitment");
  });

  test("with bots alone is the last: the server may add no number of its own", async () => {
    vi.spyOn(api, "offerDice").mockResolvedValue(OFFER);
    const make = vi.spyOn(api, "make").mockImplementation(async (wish) => ({ table: withNonces("m1", [wish.nonce!]), invites: [] }));
    await makeTable({ ...WISH, seats: [{ kind: "me" }, { kind: "bot", bot: "casual" }], public: true });
    const [{ nonce }] = make.mock.calls[0]!;
    expect(check("m1", { commitment: "c0", nonces: [nonce!, "phantom"] }, true)).toBe("nonces");
    expect(check("m1", { commitment: "c0", nonces: [nonce!] }, true)).toBe(null);
  });

  test.each(FAILURES)("is not made without a number because the server %s", async (_, failure) => {
    vi.spyOn(api, "offerDice").mockRejectedValue(failure);
    const make = vi.spyOn(api, "make");
    await expect(makeTable(WISH)).rejects.toBe(failure);
    expect(make).not.toHaveBeenCalled();
  });

  test("goes on without where nobody knows of seeds", async () => {
    vi.spyOn(api, "offerDice").mockRejectedValue(unknown);
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
  const waiting = (nonces: readonly string[], ...free: SeatInfo[]) => withNonces("m1", nonces, { status: "waiting", mine: [], seats: [seat(0, { person: "ada" }), ...free] });
  const joined = () => vi.spyOn(api, "join").mockImplementation(async (id, how) => withNonces(id, ["ada", how.nonce!]));

  test("sends a nonce and what was shown before, and remembers both", async () => {
    const join = joined();
    const after = await joinTable(waiting(["ada"], open(1), open(2)), { seat: 1 });
    const [, how] = join.mock.calls[0]!;
    expect(how).toMatchObject({ seat: 1, nonce: expect.any(String) as string, seen: { nonces: 1, free: 2 } });
    expect(recall("m1")).toMatchObject({ nonces: ["ada", how.nonce], fixed: false, last: false });
    expect(checked(after)).toBe(null);
  });

  test.each<[string, Parameters<typeof joinTable>[1], SeatInfo[]]>([
    ["an open seat", {}, [open(1)]],
    ["the seat of a link", { secret: "7" }, [open(1, { held_by: "friend" })]],
    ["all seats that wait for me", {}, [open(1, { held_by: "friend", reserved: "ben" }), open(2, { held_by: "friend", reserved: "ben" })]],
  ])("on %s as the last, it accepts no number that the server adds to its own", async (_, how, free) => {
    myself.me = { id: "ben", name: "Ben" } as typeof myself.me;
    const join = joined();
    await joinTable(waiting(["ada"], ...free), how);
    const nonce = join.mock.calls[0]![1].nonce!;
    expect(check("m1", { commitment: "c0", nonces: ["ada", nonce, "phantom"] }, true)).toBe("nonces");
    expect(check("m1", { commitment: "c0", nonces: ["ada", "phantom", nonce] }, true)).toBe("nonces");
    expect(check("m1", { commitment: "c0", nonces: ["ada", nonce] }, true)).toBe(null);
    myself.me = null;
  });

  test("looks again when somebody else sat down at the same moment, and sends another nonce", async () => {
    const join = vi.spyOn(api, "join").mockRejectedValueOnce(changed()).mockImplementation(async (id, how) => withNonces(id, ["ada", "cleo", how.nonce!]));
    vi.spyOn(api, "table").mockResolvedValue(waiting(["ada", "cleo"], open(2)));
    const after = await joinTable(waiting(["ada"], open(1), open(2)), {});
    const [first, second] = join.mock.calls.map(([, how]) => how);
    expect([first!.seen, second!.seen]).toEqual([{ nonces: 1, free: 2 }, { nonces: 2, free: 1 }]);
    expect(second!.nonce).not.toBe(first!.nonce);
    expect(recall("m1")).toMatchObject({ nonces: ["ada", "cleo", second!.nonce], fixed: true });
    expect(checked(after)).toBe(null);
  });

  test("gives up when that does not end, and says so", async () => {
    const join = vi.spyOn(api, "join").mockRejectedValue(changed());
    vi.spyOn(api, "table").mockResolvedValue(waiting(["ada"], open(1)));
    await expect(joinTable(waiting(["ada"], open(1)), {})).rejects.toMatchObject({ detail: "table_changed" });
    expect(join.mock.calls.length).toBeLessThan(10);
    expect(recall("m1")).toBe(null);
  });

  test("who leaves a waiting table may come back with another nonce", async () => {
    joined();
    vi.spyOn(api, "leave").mockResolvedValue(withNonces("m1", [], { status: "waiting" }));
    await joinTable(waiting([], open(1), open(2)), {});
    await leaveTable("m1");
    expect(recall("m1")).toBe(null);
  });

  test("a host who fills the free seats with bots adds the last number", async () => {
    const before = withNonces("m1", ["ada", "ben"], { status: "waiting", stand_in: "casual", seats: [seat(0), seat(1), open(2)] });
    const start = vi.spyOn(api, "start").mockImplementation(async (id, how) => withNonces(id, ["ada", "ben", how.nonce!]));
    const after = await startTable(before);
    const [, how] = start.mock.calls[0]!;
    expect(how).toMatchObject({ bot: "casual", seen: { nonces: 2, free: 1 } });
    expect(checked(after)).toBe(null);
    expect(check("m1", { commitment: "c0", nonces: ["ada", "ben", how.nonce!, "phantom"] }, true)).toBe("nonces");
  });
});

describe("a rematch", () => {
  const old = table({ id: "m1", mine: [1], seats: [seat(0, { person: "ada" }), seat(1, { person: "ben" })] });
  const theirs = (nonces: readonly string[], more: Partial<TableInfo> = {}) =>
    withNonces("m2", nonces, { status: "waiting", mine: [], am_host: false, seats: [seat(0, { person: "ada" }), open(1, { held_by: "friend", reserved: "ben" })], ...more });

  beforeEach(() => void (myself.me = { id: "ben", name: "Ben" } as typeof myself.me));
  afterEach(() => void (myself.me = null));

  test("that I ask for is made with a seed that I was offered", async () => {
    vi.spyOn(api, "offerDice").mockResolvedValue(OFFER);
    vi.spyOn(api, "rematch").mockImplementation(async (_, share) => withNonces("m2", [share.nonce!], { am_host: true }));
    expect(checked(await askRematch(old))).toBe(null);
    expect(recall("m2")).toMatchObject({ commitment: "c0", blind: false, last: false });
  });

  test("against bots alone is mine: the server may add no number of its own", async () => {
    vi.spyOn(api, "offerDice").mockResolvedValue(OFFER);
    vi.spyOn(api, "rematch").mockImplementation(async (_, share) => withNonces("m2", [share.nonce!], { am_host: true }));
    await askRematch(table({ id: "m1", mine: [0], seats: [seat(0, { person: "ben" }), seat(1, { held_by: "bot", person: null })] }));
    expect(recall("m2")).toMatchObject({ fixed: true, last: true });
  });

  test.each(FAILURES)("is not asked for without a number because the server %s", async (_, failure) => {
    vi.spyOn(api, "offerDice").mockRejectedValue(failure);
    const rematch = vi.spyOn(api, "rematch");
    await expect(askRematch(old)).rejects.toBe(failure);
    expect(rematch).not.toHaveBeenCalled();
  });

  test("is asked for without where nobody knows of seeds", async () => {
    vi.spyOn(api, "offerDice").mockRejectedValue(unknown);
    const rematch = vi.spyOn(api, "rematch").mockResolvedValue(withNonces("m2", []));
    await askRematch(old);
    expect(rematch).toHaveBeenCalledWith("m1", { ticket: null, nonce: null });
    expect(recall("m2")).toBe(null);
  });

  test("that somebody else asked for at the same moment is accepted with a new nonce, once its commitment was seen", async () => {
    vi.spyOn(api, "offerDice").mockResolvedValue({ ...OFFER, commitment: "mine" });
    const rematch = vi.spyOn(api, "rematch").mockResolvedValue(theirs(["ada"]));
    const join = vi.spyOn(api, "join").mockImplementation(async (id, how) => withNonces(id, ["ada", how.nonce!]));
    expect(checked(await askRematch(old))).toBe(null);
    const nonce = join.mock.calls[0]![1].nonce!;
    expect(nonce).not.toBe(rematch.mock.calls[0]![1].nonce);
    expect(recall("m2")).toMatchObject({ nonce, commitment: "c0", nonces: ["ada", nonce], blind: false, last: true });
  });

  test("is marked where the server used my nonce with another commitment all the same", async () => {
    vi.spyOn(api, "offerDice").mockResolvedValue({ ...OFFER, commitment: "mine" });
    vi.spyOn(api, "rematch").mockImplementation(async (_, share) => theirs(["ada", share.nonce!], { mine: [1], seats: [seat(0), seat(1, { person: "ben" })] }));
    const join = vi.spyOn(api, "join");
    await askRematch(old);
    expect(recall("m2")).toMatchObject({ commitment: "c0", blind: true });
    expect(join).not.toHaveBeenCalled();
  });

  test("is accepted where a seat waits for me, with a nonce", async () => {
    const next = theirs(["ada"]);
    const join = vi.spyOn(api, "join").mockImplementation(async (id, how) => withNonces(id, ["ada", how.nonce!]));
    const after = await takeMySeats(next, "ben");
    expect(recall("m2")!.nonces).toEqual(["ada", join.mock.calls[0]![1].nonce]);
    expect(checked(after)).toBe(null);
    expect(await takeMySeats(next, "cleo")).toBe(next);
    expect(join).toHaveBeenCalledTimes(1);
  });
});
