/** What a page and its workers say to each other. */
import type { Manifest } from "../rules/manifest";
import type { State } from "../rules/rules";
import type { Budget } from "./levels";
import type { Judgement } from "./judge";
import type { Task } from "./search";
import type { Findings } from "./thought";

export type Order =
  | { kind: "begin"; compiled: WebAssembly.Module; manifest: Manifest }
  | { kind: "search"; id: number; task: Task; memory: string | null; report: number } // seconds between two reports
  | { kind: "judge"; id: number; seen: State; seat: number; action: number; budget: Budget }
  | { kind: "stop"; id: number }
  | { kind: "pause"; paused: boolean };

export type Report =
  | { kind: "found"; id: number; findings: Findings; done: boolean }
  | { kind: "judged"; id: number; judgement: Judgement }
  | { kind: "failed"; id: number; error: unknown }
  | { kind: "alive"; id: number }; // it still thinks

/** A worker as its page sees it, and a page as its worker sees it. */
export interface Endpoint {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
}
