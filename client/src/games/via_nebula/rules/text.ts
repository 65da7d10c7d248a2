/** What the rules page needs in every language. Its texts are loaded only when the page is opened. */
export const SECTIONS = ["goal", "valley", "turn", "craftsman", "site", "explore", "tiles", "carry", "build", "powers", "end", "seats", "secrets", "fine", "sure"] as const;
export type SectionName = (typeof SECTIONS)[number];

export interface Section {
  title: string;
  text: readonly string[];
  /** Below the drawn example. */
  caption?: string;
}

export interface RulesText {
  sections: Record<SectionName, Section>;
  seats: { head: string; tiles: string; reserve: string; craftsmen: string; places: string; less: string; full: string; lessOne: string };
  count: { tokens: string; contracts: string; explorer: string; end: string; storage: string };
}
