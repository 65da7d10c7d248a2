/** How certain the figures in sight are, by the component table in use: a table where all is known shows no marks. */
import type { View } from "./sentences";

export const CERTAINTIES = ["known", "likely", "reconstructed"] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** Of a part of the map, or of all that is in sight, the least certain figure's. */
function least(words: readonly string[]): Certainty {
  return CERTAINTIES[Math.max(0, ...words.map((word) => CERTAINTIES.indexOf(word as Certainty)))]!;
}

export function mapCertainty(view: View): Certainty {
  return least(view.hexes.map((hex) => hex.certainty));
}

export function isUncertain(view: View): boolean {
  const tokens = view.hexes.flatMap((hex) => hex.token ?? []);
  const cards = [...view.display, ...view.guilds.flatMap((guild) => [...guild.hand, ...guild.contracts])].flatMap((card) => card ?? []);
  const figures = [...tokens.map((token) => token.certainty), ...cards.flatMap((card) => [card.cost_certainty, card.points_certainty])];
  return least([mapCertainty(view), ...figures]) !== "known";
}
