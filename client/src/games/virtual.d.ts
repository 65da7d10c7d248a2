// Made by games.plugin.ts from the games’ folders, by the name of the game.
declare module "virtual:games" {
  export const boards: Readonly<Record<string, () => Promise<{ game: import("../play/board").GameModule }>>>;
  /** What a table is opened with, and what comes with the rules, the lesson or the editor (`i18n/parts.ts`). */
  export const messages: Readonly<Record<string, import("../i18n/translate").Catalogues>>;
  export const later: Readonly<Record<string, import("../i18n/translate").Catalogues>>;
}
declare module "virtual:games/homes" {
  export const homes: Readonly<Record<string, import("../play/board").HomeEntry>>;
  /** The messages `game.…` of all games in one catalogue a language, each under the name of its game: `nova-luna.blurb`. */
  export const homeMessages: import("../i18n/translate").Catalogues;
}
