import { expect, test } from "vitest";
import { ANY, AT_ONCE, files, imports, way } from "./sources";

/** The folders of src in order: each imports only from those before it. What is loaded later counts too. */
const ORDER = ["art", "i18n", "protocol", "browser", "dice", "rules", "bots", "assist", "local", "net", "play", "games", "app"];
const ALONE = ["offline"]; // the service worker: it imports nothing, and nothing imports it
const folderOf = (file: string) => file.split("/", 1)[0]!;

test("arrows between folders point one way", () => {
  const backwards = [...files.keys()].flatMap((file) => {
    const allowed = ALONE.includes(folderOf(file)) ? [folderOf(file)] : ORDER.slice(0, ORDER.indexOf(folderOf(file)) + 1);
    return imports(file, ANY).filter((one) => !allowed.includes(folderOf(one))).map((one) => `${file} -> ${one}`);
  });
  expect(backwards).toEqual([]);
});

test("every folder has its place in the order", () => {
  expect([...new Set([...files.keys()].map(folderOf))].sort()).toEqual([...ORDER, ...ALONE].sort());
});

test("imports are found: the application leads to its pages, and these to the boards' frame", () => {
  expect(way("app/main.ts", (file) => file.startsWith("app/pages/"))).not.toBeNull();
  expect(way("app/pages/TablePage.svelte", (file) => file.startsWith("play/frame/"))).not.toBeNull();
});

test.each(["play", "games"])("nothing in %s leads to the application: what they share lies outside it", (folder) => {
  const inside = [...files.keys()].filter((file) => file.startsWith(`${folder}/`));
  expect(inside.length).toBeGreaterThan(20);
  expect(inside.map((file) => way(file, (one) => one.startsWith("app/"))).filter(Boolean)).toEqual([]);
});

test.each(["rules", "bots", "assist"])("%s can run beside any page, and in a worker: it leads to no page, no board and no component", (folder) => {
  const inside = [...files.keys()].filter((file) => file.startsWith(`${folder}/`));
  expect(inside.length).toBeGreaterThan(1);
  const unwanted = (file: string) => file.startsWith("app/") || file.endsWith(".svelte") || file.endsWith(".svelte.ts") || file.startsWith("play/") || file.startsWith("games/");
  expect(inside.map((file) => way(file, unwanted)).filter(Boolean)).toEqual([]);
});

test("boards know neither rules nor bots, only what a table tells them", () => {
  const inside = [...files.keys()].filter((file) => /^games\/[^/]+\//.test(file));
  expect(inside.length).toBeGreaterThan(20);
  expect(inside.map((file) => way(file, (one) => one.startsWith("rules/") || one.startsWith("bots/"))).filter(Boolean)).toEqual([]);
});

test("nothing that a table on a server loads at once has rules, bots or local tables in it", () => {
  const shown = [...files.keys()].filter((file) => file.startsWith("games/") || file === "app/pages/TablePage.svelte" || file === "app/main.ts");
  const unwanted = (file: string) => ["rules/", "bots/", "local/"].some((folder) => file.startsWith(folder));
  expect(shown.map((file) => way(file, unwanted, AT_ONCE)).filter(Boolean)).toEqual([]);
  expect(way("app/pages/TablePage.svelte", (file) => file === "net/here.ts", AT_ONCE)).not.toBeNull();
  expect(way("net/here.ts", unwanted)).not.toBeNull();
});
