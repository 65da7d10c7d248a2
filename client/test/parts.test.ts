/** What a table is opened with is small: no message comes too early, and none too late. */
import { expect, test } from "vitest";
import { gamePartOf, partOf, type Part } from "../src/i18n/parts";
import { catalogues } from "../dev/catalogues";
import { ANY, AT_ONCE, files, imports, reached } from "./sources";

const games = Object.keys(catalogues).filter((folder) => folder !== "shell");
const MESSAGES = /\/messages\//;
/** `refused.` and a detail: where that is not known yet, the reason says enough. */
const KNOWN_LATE = ["refused."];

/** The keys of a catalogue that a file names, whole or by what they begin with. */
function named(file: string, catalogue: object): string[] {
  const text = files.get(file)!;
  const whole = new Set([...text.matchAll(/"([^"\n]+)"/g)].map(([, key]) => key!));
  const beginnings = [...text.matchAll(/`([a-z][\w.]*\.)\$\{/g)].map(([, start]) => start!).filter((start) => !KNOWN_LATE.includes(start));
  return Object.keys(catalogue).filter((key) => whole.has(key) || beginnings.some((start) => key.startsWith(start)));
}

function late(where: readonly string[], catalogue: object, of: (key: string) => Part): string[] {
  const asked = where.filter((file) => !MESSAGES.test(file) && file !== "i18n/parts.ts");
  expect(asked.flatMap((file) => named(file, catalogue)).length).toBeGreaterThan(10);
  return asked.flatMap((file) => named(file, catalogue).filter((key) => of(key) === "later").map((key) => `${file}: ${key}`));
}

test("a table says nothing whose words come later", () => {
  const boards = games.map((game) => `games/${game}/index.ts`);
  const table = reached(["app/main.ts", "app/pages/TablePage.svelte", "local/index.ts", ...boards], AT_ONCE);
  expect(late(table, catalogues["shell"]!["en"]!, partOf)).toEqual([]);
});

test("every reason for a refusal is said at once", () => {
  const [, reasons] = /export type Reason =([^;]*);/.exec(files.get("protocol/messages.ts")!)!;
  const all = [...reasons!.matchAll(/"(\w+)"/g)].map(([, reason]) => `refused.${reason}`);
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter((key) => partOf(key) === "later")).toEqual([]);
});

test.each(games)("nor does the board of %s, or one of its sheets", (game) => {
  const beside = (file: string) => /\/(Rules\.svelte|tutorial\.ts|editor\/.*)$/.test(file);
  expect(late(reached([`games/${game}/index.ts`], ANY, beside), catalogues[game]!["en"]!, gamePartOf)).toEqual([]);
});

test("a good part of what is said comes later", () => {
  for (const [folder, { en }] of Object.entries(catalogues)) {
    const later = Object.keys(en!).filter((key) => (folder === "shell" ? partOf : gamePartOf)(key) === "later");
    expect([folder, later.length / Object.keys(en!).length]).toEqual([folder, expect.toSatisfy((share: number) => share > 0.15 && share < 0.9)]);
  }
});

test("nothing that is loaded at once has a whole catalogue in it, and none in a language that is not shown", () => {
  const roots = ["app/main.ts", "app/pages/TablePage.svelte", "app/pages/Home.svelte", ...games.map((game) => `games/${game}/index.ts`)];
  expect(reached(roots, AT_ONCE).filter((file) => MESSAGES.test(file))).toEqual([]);
});

test.each(games)("the sheets of %s are loaded when one is opened", (game) => {
  const board = reached([`games/${game}/Board.svelte`], AT_ONCE);
  expect(board.filter((file) => /Sheet\.svelte$|\/Rules\.svelte$/.test(file) && file.startsWith("games/"))).toEqual([]);
  expect(imports(`games/${game}/Board.svelte`, ANY)).toContain(`games/${game}/SeatSheet.svelte`);
});
