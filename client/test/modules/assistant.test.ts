/** What a page answers itself at a server's table, and what it leaves to the server. */
import { expect, test, vi } from "vitest";
import { Assistant, type Heard } from "../../src/assist/assistant";
import type { ClientMessage, Previewed, ServerMessage, TableInfo } from "../../src/protocol/messages";
import type { Bots } from "../../src/bots/bots";
import { table } from "../tables";
import { bytes, facts, rulesOf, type Facts, type PlyFact } from "./native";

const GAME = "nova-luna";
const known = facts.find(({ game }) => game === GAME)!;
const rules = rulesOf(GAME);

interface Scene {
  assistant: Assistant;
  told: ServerMessage[];
  asked: ClientMessage[];
}

function scene(bots: Partial<Bots> = {}): Scene {
  const [told, asked]: [ServerMessage[], ClientMessage[]] = [[], []];
  const around = {
    tell: (message: ServerMessage) => void told.push(message),
    askServer: (message: ClientMessage) => asked.push(message) > 0,
    hireBots: () => Promise.resolve(bots as Bots),
  };
  return { assistant: new Assistant(rules, around), told, asked };
}

function heardAt({ seats, options, plies }: Facts["matches"][number], ply: number, more: Partial<TableInfo> = {}): Heard {
  const log = plies.slice(0, ply).map(({ action }) => rules.text(action!));
  const toPlay = plies[ply]!.toPlay;
  const info = table({ game: GAME, seats: Array.from({ length: seats }, (_, seat) => ({ ...table().seats[0]!, seat })), options, mine: [toPlay], to_play: toPlay, ...more });
  return { table: info, log, hash: plies[ply]!.seen[0]! };
}

const match = known.matches.find(({ seats }) => seats === 2)!;
const turns: [ply: number, fact: PlyFact][] = match.plies.flatMap((fact, ply) => (fact.toPlay >= 0 ? [[ply, fact] as [number, PlyFact]] : []));
const [turn, fact] = turns[5]!;
const legal = rules.text(fact.legal![0]!);
const preview = (ply: number, actions: string[]): ClientMessage => ({ kind: "preview", id: "p", ply, actions });
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test("every preview of a match is what the native rules say", async () => {
  const { assistant, told } = scene();
  for (const [ply, { ahead, toPlay, state }] of turns) {
    for (const one of ahead.filter(({ done }) => done !== undefined)) {
      expect(assistant.takes(preview(ply, one.texts), heardAt(match, ply))).toBe(true);
      await settled();
      const { seen } = rules.ahead(bytes(state), toPlay, one.texts);
      const answer = told.pop() as Previewed;
      expect(answer).toMatchObject({ kind: "previewed", id: "p", ply, done: one.done, stopped: one.stopped, view: rules.view(seen), legal: rules.legalTexts(seen, toPlay) });
      expect(rules.digest(seen)).toBe(one.seen);
    }
  }
});

test("what cannot be played is refused with the server's words", async () => {
  const { assistant, told } = scene();
  const [ply, { ahead }] = turns.find(([, one]) => one.ahead.some(({ reason }) => reason === "illegal_action"))!;
  const refused = ahead.find(({ reason }) => reason === "illegal_action")!;
  expect(assistant.takes(preview(ply, refused.texts), heardAt(match, ply))).toBe(true);
  await settled();
  expect(told).toEqual([{ kind: "refused", id: "p", ply, reason: refused.reason, message: refused.message, detail: null, args: {} }]);
});

test.each<[why: string, message: ClientMessage, heard: Heard]>([
  ["the match is in another position than the log says", preview(turn, [legal]), { ...heardAt(match, turn), hash: "0123456789abcdef" }],
  ["the log cannot be played", preview(turn, [legal]), { ...heardAt(match, turn), log: [...heardAt(match, turn).log.slice(1), legal] }],
  ["it is about another ply", preview(turn - 1, [legal]), heardAt(match, turn)],
  ["somebody else is to play", preview(turn, [legal]), heardAt(match, turn, { mine: [] })],
  ["the match is over", preview(turn, [legal]), heardAt(match, turn, { status: "over" })],
  ["the table allows no hints", { kind: "hint", id: "h" }, heardAt(match, turn, { hints: false })],
  ["it changes something", { kind: "play", id: "a", ply: turn, actions: [legal] }, heardAt(match, turn)],
])("the server is asked if %s", async (_, message, heard) => {
  const { assistant, told } = scene();
  expect(assistant.takes(message, heard)).toBe(false);
  await settled();
  expect(told).toEqual([]);
});

test("a hint is told until nobody wants it any more", async () => {
  const stopped = vi.fn();
  async function* hints(_seen: Uint8Array, seat: number, _seconds: number, signal: AbortSignal) {
    yield { seat, action: legal, values: [], actions: [], line: [], simulations: 1, solved: false, done: false };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    stopped();
    signal.throwIfAborted();
  }
  const { assistant, told, asked } = scene({ hints });
  expect(assistant.takes({ kind: "hint", id: "h", seconds: 1 }, heardAt(match, turn))).toBe(true);
  await settled();
  expect(told).toMatchObject([{ kind: "hinted", id: "h", ply: turn, action: legal }]);
  expect(assistant.takes({ kind: "stop_hint", id: "another" }, heardAt(match, turn))).toBe(false);
  expect(assistant.takes({ kind: "stop_hint", id: "h" }, heardAt(match, turn))).toBe(true);
  await settled();
  expect(stopped).toHaveBeenCalled();
  expect([told.length, asked.length]).toEqual([1, 0]);
});

test("a page that cannot think has the server think", async () => {
  async function* hints(): AsyncGenerator<never> {
    throw new Error("workers are not allowed here");
  }
  const { assistant, told, asked } = scene({ hints });
  const hint: ClientMessage = { kind: "hint", id: "h" };
  expect(assistant.takes(hint, heardAt(match, turn))).toBe(true);
  await settled();
  expect([told, asked]).toEqual([[], [hint]]);
});
