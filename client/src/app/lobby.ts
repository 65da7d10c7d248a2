import type { Lobby, LobbyChanges, TableRow } from "../protocol/messages";

/** The lobby after the changes; null if they do not follow from it, and the whole lobby is needed again. */
export function applyLobbyChanges(lobby: Lobby, changes: LobbyChanges): Lobby | null {
  const rows = new Map([...lobby.open, ...lobby.live, ...lobby.mine, ...changes.rows].map((row) => [row.id, row]));
  const listed = (before: readonly TableRow[], ids: readonly string[] | null) =>
    (ids ?? before.map((row) => row.id)).map((id) => rows.get(id));
  const lists = [listed(lobby.open, changes.open), listed(lobby.live, changes.live), listed(lobby.mine, changes.mine)];
  if (lists.some((list) => list.includes(undefined))) return null;
  const [open, live, mine] = lists as [TableRow[], TableRow[], TableRow[]];
  return { kind: "lobby", open, live, mine, now: changes.now };
}
