/** How certain the figures in sight are, by the component table in use: what is known bears no mark. */
import type { View } from "./sentences";
import type { ViaNebulaCard } from "./view";

export const DOUBTS = ["likely", "reconstructed"] as const;
export type Doubt = (typeof DOUBTS)[number];
const isDoubt = (word: string): word is Doubt => DOUBTS.includes(word as Doubt);

/** Of the least certain figure; null if all are known. */
function worst(words: readonly string[]): Doubt | null {
  return DOUBTS.findLast((word) => words.includes(word)) ?? null;
}

export const doubtOf = (word: string): Doubt | null => (isDoubt(word) ? word : null);
export const mapDoubt = (view: View): Doubt | null => worst(view.hexes.map((hex) => hex.certainty));
export const cardDoubt = (card: ViaNebulaCard): Doubt | null => worst([card.cost_certainty, card.points_certainty]);

/** Which marks are in sight. */
export function doubts(view: View): readonly Doubt[] {
  const tokens = view.hexes.flatMap((hex) => hex.token ?? []);
  const cards = [...view.display, ...view.guilds.flatMap((guild) => [...guild.hand, ...guild.contracts])].flatMap((card) => card ?? []);
  const words = [...view.hexes, ...tokens].map((figure) => figure.certainty).concat(cards.flatMap((card) => [card.cost_certainty, card.points_certainty]));
  return DOUBTS.filter((word) => words.includes(word));
}
