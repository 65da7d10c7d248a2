/** The text of a saved match (`plenilune/replay.py`): headers, a blank line, one action a line; comments begin with `#`. */

/** A saved match that cannot be what it says; in a file the message names the line. */
export class BadMatch extends Error {
  constructor(
    message: string,
    readonly badLine: number | null = null,
    cause?: unknown, // what was refused there
  ) {
    super(message, { cause });
  }
}

/** What a place in a file is called: a header's key, "" for the blank line, or a ply. */
type Place = string | number;

export const STANDARD = ["game", "rules", "components", "seats", "options", "seed", "nonces", "scores"] as const; // headers, in this order

// What Python calls white space: not quite what `\s` is here.
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const HEADER = new RegExp(`^([a-z][a-z0-9-]*): ([^${SPACE}][^\\n]*)$`);
const COMMENT = new RegExp(`^[${SPACE}]*#[^\\n]*$`);
const ACTION = new RegExp(`^([^${SPACE}#]+(?: [^${SPACE}#]+)*)([${SPACE}]+#[^\\n]*)?$`);
const SPACE_AT_AN_END = new RegExp(`^[${SPACE}]|[${SPACE}]$`);

export class Replay {
  readonly headers = new Map<string, string>();
  readonly actions: string[] = [];
  readonly comments = new Map<Place, readonly string[]>(); // lines, by what they stand before
  readonly remarks = new Map<number, string>(); // what follows an action on its own line, by ply

  /** Split a text into its parts; `Match.load` checks what they say. */
  static parse(text: string): Replay {
    const replay = new Replay();
    const lines = text.split("\n");
    if (lines.pop()) refuse(lines.length + 1, "a newline at the end", "the end of the file");
    const head = lines.includes("") ? lines.indexOf("") : lines.length;
    const waiting: string[] = [];
    lines.slice(0, head).forEach((line, i) => replay.header(i + 1, line, waiting));
    if (head === lines.length) refuse(head + 1, "a blank line after the headers", "the end of the file");
    replay.attach("", waiting);
    lines.slice(head + 1).forEach((line, i) => replay.action(head + 2 + i, line, waiting));
    replay.attach(replay.actions.length, waiting);
    return replay;
  }

  /** Add headers; those without a value are left out. */
  say(headers: Readonly<Record<string, string>>): void {
    for (const [key, value] of Object.entries(headers)) if (value) this.headers.set(key, value);
  }

  text(): string {
    const said = (place: Place) => this.comments.get(place) ?? [];
    const lines = [...this.headers].flatMap(([key, value]) => [...said(key), `${key}: ${value}`]);
    lines.push(...said(""), "");
    this.actions.forEach((action, ply) => lines.push(...said(ply), action + (this.remarks.get(ply) ?? "")));
    return [...lines, ...said(this.actions.length), ""].join("\n");
  }

  /** The number of the line a header or a ply stands on; where it would stand, if it is not there. */
  line(where: Place): number {
    let number = 0;
    for (const place of [...this.headers.keys(), "", ...this.actions.keys()]) {
      number += (this.comments.get(place)?.length ?? 0) + 1;
      if (place === where) return number;
    }
    return typeof where === "number" ? number + 1 : this.line("");
  }

  private header(number: number, line: string, waiting: string[]): void {
    if (COMMENT.test(line)) return void waiting.push(line);
    const [, key, value] = HEADER.exec(line) ?? [];
    if (key === undefined || value === undefined || SPACE_AT_AN_END.test(line)) refuse(number, "a header such as 'seats: 2', or a blank line", quoted(line));
    if (this.headers.has(key)) refuse(number, "another header", `a second ${quoted(key)}`);
    this.attach(key, waiting);
    this.headers.set(key, value);
  }

  private action(number: number, line: string, waiting: string[]): void {
    if (COMMENT.test(line)) return void waiting.push(line);
    const [, action, remark] = ACTION.exec(line) ?? [];
    if (action === undefined) refuse(number, "an action, its words one space apart", line ? quoted(line) : "an empty line");
    const ply = this.actions.length;
    this.attach(ply, waiting);
    if (remark) this.remarks.set(ply, remark);
    this.actions.push(action);
  }

  private attach(place: Place, waiting: string[]): void {
    if (waiting.length) this.comments.set(place, waiting.splice(0));
  }
}

export function refuse(line: number, expected: string, found: string): never {
  throw new BadMatch(`line ${line}: expected ${expected}, not ${found}`, line);
}

/** A saved match says nothing but what follows from it: refuse the first line that differs. */
export function compare(text: string, saved: string): void {
  const given = text.split("\n").slice(0, -1);
  const expected = saved.split("\n").slice(0, -1);
  const shorter = Math.min(given.length, expected.length);
  for (let number = 0; number <= shorter; number++) {
    const [a, b] = [named(given, number), named(expected, number)];
    if (a !== b) refuse(number + 1, b, a);
  }
}

function named(lines: readonly string[], number: number): string {
  if (number >= lines.length) return "the end of the file";
  return lines[number] ? quoted(lines[number]) : "a blank line";
}

export function quoted(text: string): string {
  return `'${text}'`;
}

/** A line of text, as Python's `isprintable` has it, without white space at its ends. */
export function isSeed(text: string): boolean {
  return /^(?: |[^\p{C}\p{Z}])+$/u.test(text) && !SPACE_AT_AN_END.test(text);
}
