/** The table being written: its text, changed a word or a line at a time, so that comments and spacing stay. */
import { last, linesOf, readRows, schema, signsOf, type Row } from "./check";

const WORD = /[^\s#]+/g;

/** The text with other words in a row, by their place; 0 is the row's first word. */
export function withWords(text: string, line: number, changes: Readonly<Record<number, string>>): string {
  const lines = linesOf(text);
  const [row = "", ...comment] = lines[line - 1]!.split("#");
  let at = -1;
  const changed = row.replace(WORD, (word) => changes[(at += 1)] ?? word);
  lines[line - 1] = [changed, ...comment].join("#");
  return lines.join("\n");
}

export function withCertainty(text: string, row: Row, known: boolean): string {
  return withWords(text, row.line, { [row.words.length - 1]: known ? "known" : "reconstructed" });
}

export const mapRows = (text: string, map: string): Row[] => readRows(text).filter(({ words }) => words[0] === schema.map_row && words[1] === map);
export const isKnown = (row: Row): boolean => last(row) === "known";

/** The text with the map in its new size; what lies on cells that remain stays. */
export function resized(text: string, map: string, columns: number, height: number): string {
  const old = mapRows(text, map);
  const rows = Array.from({ length: height }, (_, i) => {
    const signs = Array.from({ length: i % 2 ? columns - 1 : columns }, (_, c) => (old[i] ? signsOf(old[i]!)[c] : undefined) ?? schema.no_hex);
    return [schema.map_row, map, i + 1, ...signs, old[i] ? last(old[i]!) : "known"].join(" ");
  });
  const lines = linesOf(text);
  const at = (old[0]?.line ?? lines.length + 1) - 1;
  const gone = new Set(old.map((row) => row.line));
  return [...lines.slice(0, at), ...rows, ...lines.slice(at).filter((_, i) => !gone.has(at + i + 1))].join("\n");
}

/** The resources of a cost, or the cost from them. */
export const costOf = (resources: readonly string[]): string => [...resources].sort((a, b) => order(a) - order(b)).join("+");
const order = (resource: string) => ["wood", "stone", "clay", "wheat", "food"].indexOf(resource);
