/** Tables created with a single click. */
import type { GameInfo, NewTable, SeatWish } from "../../protocol/messages";

/** A level for newcomers: neither the weakest nor discouragingly strong. */
export function usualBot(game: GameInfo): string {
  return game.bots[1] ?? game.bots[0] ?? "greedy";
}

export function bots(game: GameInfo): readonly string[] {
  return game.bots.length > 0 ? game.bots : ["greedy"];
}

/** Against two bots where that is possible; who starts is drawn. */
export function quickTable(game: GameInfo): NewTable {
  const seats = Math.min(3, game.seats.at(-1)!);
  const others = Array.from({ length: seats - 1 }, (): SeatWish => ({ kind: "bot", bot: usualBot(game) }));
  return { game: game.name, seats: [{ kind: "me" }, ...others], seating: "random" };
}

export function soloTable(game: GameInfo): NewTable {
  return { game: game.name, seats: [{ kind: "me" }] };
}
