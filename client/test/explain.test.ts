import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LANGUAGES } from "../src/i18n/languages";
import { speech } from "../src/i18n/language.svelte";
import { NotReadable } from "../src/local/store";
import { explain, isSavable } from "../src/net/explain";
import { Refusal } from "../src/protocol/refusal";
import { NoRules } from "../src/rules/load";
import { Match } from "../src/rules/match";
import { Replay } from "../src/rules/replay";

const HEAD = "game: ludo\nrules: 9\nseats: 2\n";
const INFO = { name: "ludo", title: "Ludo", rules: 2, components: "c", uncertain: false, seats: [2], options: {}, settings: [], bots: [], secrets: false, solo: false, phrases: [], modules: { "1": "m1", "2": "m2" } };
const source = { info: () => Promise.resolve(INFO), rules: () => Promise.reject(new Error("no rules are asked for")) };

/** What opening this file is answered. */
const told = (text: string) => Match.load(text, false, source).then(() => "", explain);

beforeEach(async () => {
  vi.stubGlobal("document", { documentElement: {}, querySelector: () => null });
  await speech.speak("en");
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  await speech.speak("en");
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a saved game that cannot be opened", () => {
  test("is said to have a mistake, and in which line", async () => {
    expect(await told("Dear diary\n")).toBe("This file couldn’t be opened: there’s a mistake in line 1.");
    expect(await told("game: ludo\nrules: 2\nplayers 2\n\n")).toBe("This file couldn’t be opened: there’s a mistake in line 3.");
    expect(await told("game: ludo\n\n")).toBe("This file couldn’t be opened: there’s a mistake in line 2.");
  });

  test("may be of rules that are not here", async () => {
    expect(await told(`${HEAD}\n`)).toBe(speech.t("lack.version"));
    const unknown = { ...source, info: () => Promise.reject(new NoRules("game", "this page has no rules of chess")) };
    expect(await Match.load(`${HEAD}\n`, false, unknown).then(() => "", explain)).toBe(speech.t("lack.game"));
  });

  test("is not the file's fault where rules cannot be fetched", async () => {
    const offline = { ...source, info: () => Promise.reject(new NoRules("unreachable", "index.json could not be fetched")) };
    expect(await Match.load(`${HEAD}\n`, false, offline).then(() => "", explain)).toBe(speech.t("lack.unreachable"));
  });
});

test.each([
  "Failed to fetch dynamically imported module: https://host.example/assets/Menu-1.js", // Chromium
  "error loading dynamically imported module: https://host.example/assets/Menu-1.js", // Firefox
  "Importing a module script failed.", // Safari
  "Unable to preload CSS for /assets/Menu-1.css", // Vite
])("a missing part of the page is told as one: %s", (message) => {
  expect(explain(new TypeError(message))).toBe(speech.t("error.part"));
});

test.each(["storage", "damaged"] as const)("a match of this browser that cannot be read is told of: %s", (lack) => {
  expect(explain(new NotReadable(lack))).toBe(speech.t(`lack.${lack}`));
  expect(isSavable(new NotReadable(lack))).toBe(false);
  expect(isSavable(new NoRules("version", ""))).toBe(true);
});

describe.each(Object.keys(LANGUAGES))("in %s", (language) => {
  test.each([
    ["a damaged file", () => Replay.parse("Dear diary\n")],
    ["the browser's database", () => Promise.reject(new DOMException("The transaction was aborted", "AbortError"))],
    ["a part of the page that does not come", () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"))],
    ["a refusal", () => Promise.reject(new Refusal("over", "the match is over"))],
  ])("%s is told without a word of the error's own", async (_, work) => {
    await speech.speak(language);
    const error = await Promise.resolve()
      .then(work)
      .then(() => expect.fail("it is refused"), (error: unknown) => error as Error);
    const said = explain(error);
    expect(said).not.toBe("");
    expect(said).not.toContain(error.message);
    if (language === "en") return;
    await speech.speak("en");
    expect(said).not.toBe(explain(error));
  });
});
