import { expect, test } from "vitest";
import { applyLobbyChanges } from "../src/app/lobby";
import type { Lobby, LobbyChanges } from "../src/protocol/messages";
import { row } from "./tables";

const lobby: Lobby = { kind: "lobby", open: [row("a"), row("b")], live: [row("c")], mine: [row("a")], now: 1 };
const changes = (more: Partial<LobbyChanges>): LobbyChanges => ({ kind: "lobby_changes", rows: [], open: null, live: null, mine: null, now: 2, ...more });
const ids = (found: Lobby | null) => found && [found.open, found.live, found.mine].map((rows) => rows.map((one) => one.id).join(""));

test("nothing but the time has changed", () => {
  expect(applyLobbyChanges(lobby, changes({}))).toEqual({ ...lobby, now: 2 });
});

test("a changed row is replaced in every list that has it, and its order stays", () => {
  const after = applyLobbyChanges(lobby, changes({ rows: [row("a", { ply: 7 })] }))!;
  expect(ids(after)).toEqual(["ab", "c", "a"]);
  expect([after.open[0]!.ply, after.mine[0]!.ply, after.open[1]!.ply]).toEqual([7, 7, 0]);
});

test("rows come, go, and change lists and places", () => {
  const after = applyLobbyChanges(lobby, changes({ rows: [row("d")], open: ["d", "a"], live: ["b", "c"] }));
  expect(ids(after)).toEqual(["da", "bc", "a"]);
});

test("a list may become empty", () => {
  expect(ids(applyLobbyChanges(lobby, changes({ open: [], live: [], mine: [] })))).toEqual(["", "", ""]);
});

test("what is unchanged stays the same object, and the lobby before is not touched", () => {
  const before = structuredClone(lobby);
  const after = applyLobbyChanges(lobby, changes({ open: ["b", "a"] }))!;
  expect(after.open[0]).toBe(lobby.open[1]);
  expect(lobby).toEqual(before);
});

test("changes that name an unknown row do not follow from this lobby", () => {
  expect(applyLobbyChanges(lobby, changes({ open: ["a", "x"] }))).toBe(null);
});
