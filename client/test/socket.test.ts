import { expect, test, vi } from "vitest";
import { lines } from "../src/net/api";
import { delay } from "../src/net/backoff";
import { Requests } from "../src/net/requests";
import { failures, Socket, turnedAway } from "../src/net/socket";
import type { ClientMessage } from "../src/protocol/messages";

test("a connection that is closed at once has failed, however politely it was opened", () => {
  expect(failures(4, 300, false)).toBe(4);
  expect(failures(4, 60_000, false)).toBe(0);
});

test("a busy server is left alone for some seconds", () => {
  expect(delay(failures(0, 0, true), 0.5)).toBeGreaterThan(3000);
  expect(failures(6, 0, true)).toBe(6);
});

test("the first words of a connection may say that there is no room", () => {
  expect(turnedAway({ kind: "refused", reason: "unavailable" })).toBe(true);
  expect(turnedAway({ kind: "refused", reason: "too_many" })).toBe(true);
  expect(turnedAway({ kind: "refused", reason: "forbidden" })).toBe(false);
  expect(turnedAway({ kind: "welcome" })).toBe(false);
});

test("what is played is sent again when the line is back; a preview is given up", async () => {
  const sent: ClientMessage[] = [];
  let open = false;
  const requests = new Requests((message) => open && sent.push(message) > 0);
  const play = requests.ask({ kind: "play", id: "a", ply: 3, actions: ["take 1"] });
  await expect(requests.ask({ kind: "preview", id: "b", ply: 3, actions: ["take 1"] })).rejects.toThrow();
  open = true;
  requests.back();
  expect(sent.map((message) => message.kind)).toEqual(["play"]);
  requests.answer({ kind: "played", id: "a", ply: 4, hash: "" });
  await expect(play).resolves.toMatchObject({ ply: 4 });
});

test("a refusal finds the request it belongs to", async () => {
  const requests = new Requests(() => true);
  const asked = requests.ask({ kind: "preview", id: "p", ply: 0, actions: [] });
  expect(requests.refuse({ kind: "refused", reason: "stale", message: "too late", id: "other", ply: 1, detail: null, args: {} })).toBe(false);
  expect(requests.refuse({ kind: "refused", reason: "stale", message: "too late", id: "p", ply: 1, detail: null, args: {} })).toBe(true);
  await expect(asked).rejects.toThrow("too late");
});

test("lines are put together however they are cut", async () => {
  const cut = ['{"a"', ':1}\n{"b":2}\n', '{"c":3}'].map((part) => new TextEncoder().encode(part));
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      cut.forEach((part) => controller.enqueue(part));
      controller.close();
    },
  });
  const found: string[] = [];
  for await (const line of lines(stream)) found.push(line);
  expect(found).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
});

class Wire {
  static readonly OPEN = 1;
  static made: Wire[] = [];
  readyState = 1;
  onopen = (): void => {};
  onmessage = (_event: { data: string }): void => {};
  onclose = (_event: { code: number }): void => {};
  constructor() {
    Wire.made.push(this);
  }
  send(): void {}
  close(): void {}
  refuse(reason: string, code: number): void {
    this.onopen();
    this.onmessage({ data: JSON.stringify({ kind: "refused", reason, message: "no" }) });
    this.onclose({ code });
  }
}

test.each([
  ["forbidden", 4003, 1, "open"],
  ["too_many", 1013, 2, "busy"],
])("a socket that is refused as %s says why, and comes back only if that may help", (reason, code, tries, last) => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Wire);
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  vi.stubGlobal("document", { addEventListener: () => {}, removeEventListener: () => {} });
  Wire.made = [];
  const said: unknown[] = [];
  const links: string[] = [];
  const socket = new Socket(() => "", { message: (message) => said.push(message), link: (link) => links.push(link) });
  Wire.made[0]?.refuse(reason, code);
  expect(said).toMatchObject([{ kind: "refused", reason }]);
  expect(links.at(-1)).toBe(last);
  vi.advanceTimersByTime(20_000);
  expect(Wire.made.length).toBe(tries);
  socket.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
