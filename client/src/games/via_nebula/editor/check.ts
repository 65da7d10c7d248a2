/**
 * What is wrong with a component table and what in it is uncertain, by the schema that Python checks tables by (`box.json`).
 * It follows `plenilune/games/via_nebula/checking.py`; both are held against the same tables (`test/corpus.json`).
 */
import box from "./box.json";

export interface Row {
  line: number; // from 1
  words: readonly string[];
}

export interface Problem {
  line: number; // 0: it is about no line in particular
  key: string;
  words: Readonly<Record<string, string | number>>;
}

interface Column {
  title: string;
  kind: string; // `word`, `number`, `name`, `cost` or `any`
  words: readonly string[];
  low: number;
  high: number;
  resources: readonly string[];
}

interface Form {
  columns: readonly Column[];
  known: Readonly<Record<string, string>>;
  every: readonly string[];
  ordered: boolean;
  alike: string;
}

type Place = readonly [column: number, row: number];

export const SHIPPED: string = box.table;
export const schema = box.schema;
export const forms: Readonly<Record<string, Form>> = schema.forms as unknown as Record<string, Form>;
const signs: Readonly<Record<string, string>> = schema.signs;
const kinds: Readonly<Record<string, string>> = schema.kinds;

// Python's: what ends a line, and what parts words.
const LINES = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const WHOLE_NUMBER = /^(0|-?[1-9][0-9]{0,8})$/;
const NAME = /^[a-z][a-z0-9-]*$/;

export function linesOf(text: string): string[] {
  return text.replace(/^\ufeff/, "").split(LINES);
}

export function readRows(text: string): Row[] {
  const rows = linesOf(text).map((line, i) => ({ line: i + 1, words: line.split("#")[0]!.split(BLANKS).filter((word) => word) }));
  return rows.filter((row) => row.words.length > 0);
}

export const last = (row: Row): string => row.words.at(-1)!;

export function uncertain(rows: readonly Row[]): Row[] {
  return rows.filter((row) => last(row) !== "known");
}

/** Everything that is wrong with single rows; if nothing is, with the whole. */
export function problems(rows: readonly Row[]): Problem[] {
  const maps = new Map<string, Row[]>(schema.maps.map((map) => [map, []]));
  const found = new Map<string, Set<string>>(Object.keys(forms).map((what) => [what, new Set()]));
  const first = rows.flatMap((row) => rowProblem(row, found, maps) ?? []);
  return first.length ? first : wholeProblems(rows, found, maps);
}

type Found = ReadonlyMap<string, Set<string>>;
type Maps = ReadonlyMap<string, Row[]>;

function rowProblem(row: Row, found: Found, maps: Maps): Problem | null {
  const what = row.words[0]!;
  if (what === schema.map_row) return mapRowProblem(row, maps);
  if (!Object.hasOwn(forms, what)) return oneOf(row, what, [...Object.keys(forms), schema.map_row]);
  return wordProblem(row) ?? nameProblem(row, found);
}

function wordProblem(row: Row): Problem | null {
  const columns = [...forms[row.words[0]!]!.columns, schema.certainty];
  if (row.words.length !== columns.length + 1) {
    const form = [row.words[0], ...columns.map((column) => column.title)].join(" ");
    return { line: row.line, key: "form", words: { form, row: row.words.join(" ") } };
  }
  for (const [i, column] of columns.entries()) {
    const problem = oneWordProblem(row, column, row.words[i + 1]!);
    if (problem) return problem;
  }
  return null;
}

function oneWordProblem(row: Row, column: Column, word: string): Problem | null {
  const { kind, words, low, high } = column;
  if (kind === "word" && !words.includes(word)) return oneOf(row, word, words);
  if (kind === "number" && !(WHOLE_NUMBER.test(word) && low <= Number(word) && Number(word) <= high)) return { line: row.line, key: "number", words: { low, high, word } };
  if (kind === "name" && !NAME.test(word)) return { line: row.line, key: "name", words: { word } };
  if (kind === "cost" && !words.includes(word)) {
    const resources = word.split("+");
    if (resources.length > high || resources.some((resource) => !column.resources.includes(resource))) return { line: row.line, key: "cost", words: { words: words.join(", "), most: high, word } };
  }
  return null;
}

function nameProblem(row: Row, found: Found): Problem | null {
  const [what = "", name = ""] = row.words;
  const { known, every, ordered, alike } = forms[what]!;
  const names = found.get(what)!;
  const [before, twice] = [names.size, names.has(name)];
  names.add(name);
  if (ordered && before === every.length) return { line: row.line, key: "too-many", words: { what, name } };
  if (ordered && name !== every[before]) return { line: row.line, key: "order", words: { what, expected: every[before]!, name } };
  if (twice || found.get(alike)?.has(name)) return { line: row.line, key: "second", words: { what, name } };
  const word = row.words.slice(2, -1).join(" ");
  const right = Object.hasOwn(known, name) ? known[name] : undefined;
  return right !== undefined && word !== right ? { line: row.line, key: "known", words: { name, known: right, word } } : null;
}

function mapRowProblem(row: Row, maps: Maps): Problem | null {
  const form = `${schema.map_row} MAP ROW CELLS ${schema.certainty.title}`;
  if (row.words.length < 5) return { line: row.line, key: "form", words: { form, row: row.words.join(" ") } };
  const [, map = "", number = ""] = row.words;
  const rows = maps.get(map);
  if (!rows) return oneOf(row, map, schema.maps);
  const at = rows.length + 1;
  const cells = signsOf(row);
  if (number !== String(at)) return { line: row.line, key: "next-row", words: { expected: at, map, word: number } };
  if (!rows.length && (cells.length < 2 || cells.length > schema.columns)) return { line: row.line, key: "columns", words: { most: schema.columns, map, found: cells.length } };
  const expected = width(columnsOf(rows.length ? rows : [row]), at);
  if (cells.length !== expected) return { line: row.line, key: "width", words: { expected, row: at, map, found: cells.length } };
  rows.push(row);
  for (const [column, sign] of cells.entries()) {
    if (!Object.hasOwn(signs, sign) && sign !== schema.no_hex) return { line: row.line, key: "sign", words: { map, hex: nameOf([column, at]), words: [...Object.keys(signs), schema.no_hex].join(", "), word: sign } };
  }
  return oneWordProblem(row, schema.certainty, last(row));
}

function oneOf(row: Row, word: string, words: readonly string[]): Problem {
  return { line: row.line, key: "one-of", words: { words: words.join(", "), word } };
}

// The whole

function wholeProblems(rows: readonly Row[], found: Found, maps: Maps): Problem[] {
  const about = (key: string, words: Problem["words"]): Problem => ({ line: 0, key, words });
  const all: Problem[] = [];
  for (const [what, form] of Object.entries(forms)) for (const name of form.every) if (!found.get(what)!.has(name)) all.push(about("missing", { what, name }));
  const points = found.get("points")!;
  for (const [card, kind] of Object.entries(kinds)) if (!points.has(kind) && !points.has(card)) all.push(about("points", { kind, card }));
  all.push(...tokenProblems(rows.filter((row) => ["token", "special"].includes(row.words[0]!))));
  for (const [map, drawn] of maps) all.push(...(drawn.length ? mapProblems(map, drawn) : [about("no-map", { map })]));
  const [columns, height] = [Math.max(...[...maps.values()].map(columnsOf)), Math.max(...[...maps.values()].map((drawn) => drawn.length))];
  const size = cellsOf(columns, height);
  if (size > schema.room) all.push(about("room", { columns, rows: height, found: size, most: schema.room }));
  return all;
}

function tokenProblems(tokens: readonly Row[]): Problem[] {
  const all: Problem[] = [];
  if (tokens.length !== schema.tokens) all.push({ line: 0, key: "tokens", words: { expected: schema.tokens, found: tokens.length } });
  if (tokens.every((row) => row.words[0] === "token")) all.push({ line: 0, key: "specials", words: {} });
  let printed = 0;
  for (const row of tokens) {
    printed += Number(row.words[3]);
    if (printed > schema.printed) return [...all, { line: row.line, key: "together", words: { name: row.words[1]!, most: schema.printed } }];
  }
  return all;
}

function mapProblems(map: string, rows: readonly Row[]): Problem[] {
  const all: Problem[] = [];
  const ground = new Map<string, string>(); // signs by names of hexes, in reading order
  const places = new Map<string, Place>();
  for (const [i, row] of rows.entries()) {
    for (const [column, sign] of signsOf(row).entries()) {
      if (sign === schema.no_hex) continue;
      const place: Place = [column, i + 1];
      ground.set(nameOf(place), sign);
      places.set(nameOf(place), place);
    }
  }
  const of = (what: string) => [...ground.keys()].filter((hex) => signs[ground.get(hex)!] === what);
  const lineOf = (hex: string) => rows[places.get(hex)![1] - 1]!.line;
  const [meadows, ruins, end] = [of("meadow"), of("ruin"), rows.at(-1)!.line];
  const words = { map, expected: schema.meadows, found: meadows.length };
  if (!meadows.length) all.push({ line: end, key: "no-meadow", words: { map, expected: schema.meadows } });
  else if (meadows.length < schema.meadows) all.push({ line: end, key: "meadow-less", words: { ...words, hex: meadows.at(-1)! } });
  else if (meadows.length > schema.meadows) all.push({ line: lineOf(meadows[schema.meadows]!), key: "meadow-more", words: { ...words, hex: meadows[schema.meadows]! } });
  if (ruins.length < schema.ruins) all.push({ line: end, key: "ruins", words: { map, expected: schema.ruins } });
  for (const ruin of ruins) {
    const near = withinReach(ruin, ground, places);
    const lost = meadows.find((meadow) => !near.has(meadow));
    if (lost) return [...all, { line: lineOf(lost), key: "way", words: { map, hex: lost, ruin } }];
  }
  return all;
}

function withinReach(ruin: string, ground: ReadonlyMap<string, string>, places: ReadonlyMap<string, Place>): Set<string> {
  const near = new Set<string>();
  const edge = [ruin];
  for (let at = edge.pop(); at !== undefined; at = edge.pop()) {
    for (const hex of around(places.get(at)!).map(nameOf)) {
      if (!ground.has(hex) || near.has(hex)) continue;
      near.add(hex);
      if (ground.get(hex) !== schema.closed) edge.push(hex);
    }
  }
  return near;
}

// Maps: even rows are a cell shorter and lie half a hex to the right.

export const nameOf = ([column, row]: Place): string => String.fromCharCode(97 + column) + row;
export const width = (columns: number, row: number): number => (row % 2 ? columns : columns - 1);
export const signsOf = (row: Row): readonly string[] => row.words.slice(3, -1);
const columnsOf = (rows: readonly Row[]): number => (rows.length ? signsOf(rows[0]!).length : 0);

export function around([column, row]: Place): Place[] {
  const left = column - (row % 2);
  return [[left, row - 1], [left + 1, row - 1], [column - 1, row], [column + 1, row], [left, row + 1], [left + 1, row + 1]];
}

/** How many numbers a grid takes: a row's cells and one more, but for the last row. */
function cellsOf(columns: number, rows: number): number {
  return Array.from({ length: rows }, (_, i) => width(columns, i + 1) + 1).reduce((sum, n) => sum + n, -1);
}
