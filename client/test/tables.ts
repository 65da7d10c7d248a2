/** Tables as the server tells of them. */
import type { SeatInfo, TableInfo, TableRow } from "../src/protocol/messages";

export function seat(number: number, more: Partial<SeatInfo> = {}): SeatInfo {
  return { seat: number, held_by: "person", name: "", person: null, bot: null, connected: true, absent: false, resigned: false, reserved: null, ...more };
}

export function table(more: Partial<TableInfo> = {}): TableInfo {
  return {
    id: "m1",
    game: "some-game",
    rules: 1,
    components: "",
    options: {},
    status: "playing",
    seats: [seat(0, { name: "Ada", person: "ada" }), seat(1, { name: "Ben", person: "ben" })],
    mine: [0],
    host: "ada",
    am_host: true,
    seating: "as_listed",
    clock: { kind: "none" },
    clocks: { left: [null, null], running: null, since: null, deadline: null },
    public: false,
    spectators: true,
    hints: true,
    bots_ready: true,
    chat: true,
    stand_in: "greedy",
    ply: 0,
    to_play: 0,
    created: 0,
    changed: 0,
    fairness: { commitment: "c0", nonces: [], seed: null },
    daily: null,
    result: null,
    rematch: null,
    watching: 0,
    problem: null,
    ...more,
  };
}

export function row(id: string, more: Partial<TableRow> = {}): TableRow {
  return { id, game: "some-game", options: {}, status: "waiting", seats: [], mine: [], clock: { kind: "none" }, to_play: -1, ply: 0, created: 0, changed: 0, deadline: null, daily: null, result: null, ...more };
}
