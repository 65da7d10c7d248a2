import { afterEach, expect, test, vi } from "vitest";
import { FORMAT } from "../src/rules/manifest";

const GAME = { name: "toy", rules: 1, modules: { "1": "toy-1.ab" } };

afterEach(() => vi.unstubAllGlobals());

/** What loading rules says when the index of the modules is this. */
async function lack(index: object): Promise<unknown> {
  vi.resetModules();
  vi.stubGlobal("fetch", (address: string) => Promise.resolve(address.endsWith("index.json") ? new Response(JSON.stringify(index)) : new Response("", { status: 404 })));
  const { loadRules } = await import("../src/rules/load");
  return loadRules("toy").then(() => null, (error: { lack?: string }) => error.lack);
}

test("an older page does not load modules that it would misread, whose index is fresh: it asks to be reloaded", async () => {
  expect(await lack({ version: "9", format: FORMAT + 1, games: [GAME] })).toBe("outdated");
  expect(await lack({ version: "0.1.0", games: [GAME] })).toBe("outdated");
});

test("modules of its own format it asks for", async () => {
  expect(await lack({ version: "9", format: FORMAT, games: [GAME] })).toBe("unreachable");
  expect(await lack({ version: "9", format: FORMAT, games: [] })).toBe("game");
});
