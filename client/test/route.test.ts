import { expect, test } from "vitest";
import { addressOf, pathOf, pathOfLink, route } from "../src/browser/route";

test.each([
  ["/", { page: "home", create: null }],
  ["/?new=some-game", { page: "home", create: "some-game" }],
  ["/table/abcdefghjkmnpqrs", { page: "table", id: "abcdefghjkmnpqrs" }],
  ["/table/abcdefghjkmnpqrs#0123456789abcdef", { page: "table", id: "abcdefghjkmnpqrs" }],
  ["/table/local-1/replay?ply=3", { page: "replay", id: "local-1", ply: 3 }],
  ["/table/abcdefghjkmnpqrs/replay", { page: "replay", id: "abcdefghjkmnpqrs", ply: 0 }],
  ["/table/abcdefghjkmnpqrs/dice", { page: "dice", id: "abcdefghjkmnpqrs" }],
  ["/learn/some-game", { page: "learn", game: "some-game" }],
  ["/rules/some-game", { page: "rules", game: "some-game" }],
  ["/daily/some-game/", { page: "daily", game: "some-game" }],
  ["/table", { page: "lost" }],
  ["/table/x/y", { page: "lost" }],
  ["/rules/%zz", { page: "lost" }],
  ["/somewhere/else", { page: "lost" }],
])("%s", (place, meant) => expect(route(place)).toEqual(meant));

const SERVED = new URL("https://play.example/table/abc?ply=3#secret");
const STATIC = new URL("https://host.example/games/plenilune/?theme=dark#/table/local-1/replay?ply=3");

/** What a browser makes of a link on a page, and which path of the application it then leads to. */
function follow(link: string, page: URL, hasServer: boolean): string | null {
  return pathOfLink(new URL(link, page), page, hasServer);
}

test("on a server the path is the address", () => {
  expect(pathOf(SERVED, true)).toBe("/table/abc?ply=3#secret");
  expect(addressOf("/rules/some-game", true)).toBe("/rules/some-game");
});

test("on a static host the path stands behind the #, whatever folder the pages lie in", () => {
  expect(pathOf(STATIC, false)).toBe("/table/local-1/replay?ply=3");
  expect(addressOf("/rules/some-game", false)).toBe("#/rules/some-game");
  expect(pathOf(new URL("https://host.example/index.html"), false)).toBe("/");
  expect(pathOf(new URL("https://host.example/?new=some-game"), false)).toBe("/?new=some-game");
  expect(pathOf(new URL("https://host.example/#elsewhere"), false)).toBe("/");
});

test.each([
  [SERVED, true],
  [STATIC, false],
] as const)("a link from %s leads where it says", (page, hasServer) => {
  for (const path of ["/", "/?new=some-game", "/table/abd", "/table/abc/replay?ply=7"]) {
    const address = addressOf(path, hasServer);
    expect(follow(address, page, hasServer)).toBe(path);
    expect(pathOf(new URL(address, page), hasServer)).toBe(path); // in a tab of its own too
  }
});

test.each([
  ["https://elsewhere.example/#/rules/some-game", STATIC, false],
  ["other/#/rules/some-game", STATIC, false],
  ["notes.html", STATIC, false],
  ["#heading", STATIC, false],
  ["https://elsewhere.example/rules/some-game", SERVED, true],
  ["/api/tables/abc/match", SERVED, true],
  ["#heading", SERVED, true],
] as const)("the browser opens %s", (link, page, hasServer) => expect(follow(link, page, hasServer)).toBeNull());
