/** Modules and native facts, as `tests/wasm/test_page.py` has prepared them. */
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { IndexedGame, ModuleIndex } from "../../src/rules/manifest";
import { Module } from "../../src/rules/module";
import { unpacked, type Packed } from "../../src/rules/packed";
import { Rules } from "../../src/rules/rules";
import type { RulesSource } from "../../src/rules/match";

const MODULES = process.env["PLENILUNE_MODULES"] ?? "";
const FACTS = process.env["PLENILUNE_FACTS"] ?? "";

export interface Asked {
  seen: string;
  seat: number;
}

export interface ThoughtFact extends Asked {
  action: number;
  values: number[];
  visits: [number, number][];
  worth: [number, number][];
  line: number[];
  simulations: number;
  solved: boolean;
}

export interface AheadFact {
  texts: string[];
  done?: number;
  stopped?: string;
  seen?: string;
  reason?: string;
  message?: string;
}

export interface PlyFact {
  state: string;
  toPlay: number;
  standing: { scores: number[]; places: number[] };
  seen: string[];
  views: string[];
  ahead: AheadFact[];
  legal?: number[];
  action?: number;
  texts?: string[];
}

export interface Facts {
  game: string;
  matches: { seats: number; options: Record<string, string>; plies: PlyFact[] }[];
  thoughts: (ThoughtFact & { bot: string })[];
  sittings: { bot: string; decisions: ThoughtFact[] }[];
  shared: ThoughtFact[];
  hints: (Asked & { answer: Record<string, unknown> })[];
  review: { match: string; remarks: Record<string, unknown>[] };
  saved: string[];
  files: { text: string; told: [plain: string, checked: string] }[];
}

/** What is known natively of each game. */
export const facts: readonly Facts[] = readdirSync(FACTS).map((file) => ({ ...read<Omit<Facts, "game">>(join(FACTS, file)), game: file.replace(".json", "") }));

const index = read<ModuleIndex>(join(MODULES, "index.json"));

export function info(game: string): IndexedGame {
  return index.games.find(({ name }) => name === game)!;
}

export function rulesOf(game: string, version = info(game).rules): Rules {
  const file = join(MODULES, info(game).modules[String(version)]!);
  return new Rules(new Module(new WebAssembly.Module(readFileSync(`${file}.wasm`)), unpacked(read<Packed>(`${file}.json`))));
}

const loaded = new Map<string, Rules>();

export const source: RulesSource = {
  info: async (game) => info(game) ?? (await Promise.reject(new Error(`no such game: ${game}`))),
  rules: async (game, version) => {
    const key = `${game} ${version}`;
    if (!loaded.has(key)) loaded.set(key, rulesOf(game, version));
    return loaded.get(key)!;
  },
};

export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

export function hex(state: Uint8Array): string {
  return Buffer.from(state).toString("hex");
}

/** The first 16 digits of the SHA-256. */
export function named(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex").slice(0, 16);
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}
