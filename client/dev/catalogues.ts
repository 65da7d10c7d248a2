/** Every catalogue, by the folder it belongs to (`shell` or a game's) and its language. */
import type { Catalogue, Message } from "../src/i18n/translate";

const files = import.meta.glob<Catalogue>(["../src/i18n/messages/*.ts", "../src/games/*/messages/*.ts"], { import: "default", eager: true });

export const catalogues: Record<string, Record<string, Catalogue>> = { shell: {} }; // the first in every list
for (const [path, catalogue] of Object.entries(files)) {
  const [language, , owner] = path.replace(".ts", "").split("/").reverse();
  const folder = owner === "i18n" ? "shell" : owner!;
  (catalogues[folder] ??= {})[language!] = catalogue;
}

/** All forms of a message. */
export const textsOf = (message: Message): string[] => (typeof message === "string" ? [message] : Object.values(message));
