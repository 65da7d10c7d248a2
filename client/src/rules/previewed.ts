import type { Previewed } from "../protocol/messages";
import type { Ahead, Rules } from "./rules";

/** What the seat to play is told of a preview that it asked for at a ply. */
export function previewed(rules: Rules, id: string, ply: number, seat: number, { seen, done, stopped }: Ahead): Previewed {
  const legal = rules.legalTexts(seen, seat);
  return { kind: "previewed", id, ply, done, stopped, view: rules.view(seen), to_play: rules.toPlay(seen), legal, ...rules.standing(seen) };
}
