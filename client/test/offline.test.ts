import { expect, test } from "vitest";
import { modulesIn, outdated, pathIn, storeName, wayOf, type Pages } from "../src/offline/policy";

const PAGES: Pages = { version: "2", files: { "": "1f", "theme.js": "2e", "assets/main-1.js": "", "modules/index.json": "3d", "modules/some-game-2.ab.wasm": "" } };
const STATIC = "https://host.example/games/plenilune/";
const SERVER = "https://play.example/";

function way(scope: string, path: string, more: { method?: string; mode?: string; range?: boolean } = {}): string {
  const headers = { has: (name: string) => name === "range" && !!more.range };
  const url = new URL(path, scope).href;
  return wayOf({ method: more.method ?? "GET", mode: more.mode ?? "cors", url, headers }, scope, PAGES, scope === SERVER);
}
const page = { mode: "navigate" };

test("on a static host everything comes from one version", () => {
  for (const path of ["theme.js", "assets/main-1.js", "modules/index.json", "modules/some-game-2.ab.wasm"]) expect(way(STATIC, path)).toBe("stored");
});

test("on a server only what is named by its contents does: the rest is as new as the server", () => {
  for (const path of ["assets/main-1.js", "modules/some-game-2.ab.wasm"]) expect(way(SERVER, path)).toBe("stored");
  for (const path of ["theme.js", "modules/index.json"]) expect(way(SERVER, path)).toBe("fresh");
});

test.each(["", "?theme=dark", "?new=some-game#/", "index.html", "index.html?x=1"])("the page is the page, asked for as %j", (path) => {
  expect(way(STATIC, path, page)).toBe("page");
  expect(way(SERVER, path, page)).toBe("page");
});

test("a server makes the page at every address; a static host may have other pages beside ours", () => {
  expect(way(SERVER, "table/local-1?ply=3", page)).toBe("page");
  expect(way(STATIC, "about/", page)).toBe("network");
  expect(way(SERVER, "robots.txt", page)).toBe("network");
});

test("what is asked of the server is never touched", () => {
  for (const path of ["api/me", "api/tables/abc/match", "api/modules/index.json"]) {
    expect(way(SERVER, path)).toBe("network");
    expect(way(SERVER, path, page)).toBe("network");
  }
});

test("nor is what changes something, asks for a part, or lies elsewhere", () => {
  expect(way(STATIC, "theme.js", { method: "POST" })).toBe("network");
  expect(way(STATIC, "theme.js", { method: "HEAD" })).toBe("network");
  expect(way(STATIC, "assets/main-1.js", { range: true })).toBe("network");
  expect(way(STATIC, "unknown.js")).toBe("network");
  expect(way(STATIC, "../other/theme.js")).toBe("network");
  expect(way(STATIC, "https://elsewhere.example/games/plenilune/theme.js")).toBe("network");
});

test("a module that a server has built meanwhile is kept once it has been used", () => {
  expect(way(SERVER, "modules/lanterns-1.cd.wasm")).toBe("stored");
});

test("a file is known by its path alone", () => {
  expect(pathIn(STATIC, `${STATIC}assets/main-1.js?x=1#y`)).toBe("assets/main-1.js");
  expect(pathIn(STATIC, "https://host.example/games/")).toBeNull();
});

test("the modules of all rules are listed, with their manifests", () => {
  const games = [{ modules: { "1": "some-game-1.aa", "2": "some-game-2.ab" } }, { modules: { "1": "other-game-1.ac" } }] as const;
  const found = modulesIn({ games });
  expect(found).toHaveLength(6);
  expect(found).toContain("modules/some-game-2.ab.wasm");
  expect(found).toContain("modules/other-game-1.ac.json");
});

test("earlier versions are forgotten, but nothing of other pages at the same origin", () => {
  const theirs = [storeName("https://host.example/games/other/", "1"), storeName("https://host.example/", "1"), "something"];
  const ours = [storeName(STATIC, "1"), storeName(STATIC, "2")];
  expect(outdated([...theirs, ...ours], STATIC, "2")).toEqual([storeName(STATIC, "1")]);
});
