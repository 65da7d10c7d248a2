/** A game's actions: each has a number and a text, as in `plenilune/core/spaces.py`. */
import { Refusal } from "../protocol/refusal";
import type { Manifest } from "./manifest";

const HIDDEN = "?"; // stands in a text for a word that the reader may not know

type Verbs = Manifest["actions"];

export function countActions(verbs: Verbs): number {
  return Object.values(verbs).reduce((sum, lists) => sum + combinations(lists), 0);
}

export class Actions {
  readonly texts: readonly string[];
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(private readonly verbs: Verbs) {
    this.texts = Object.entries(verbs).flatMap(([verb, words]) => words.reduce(more, [verb]));
    this.numbers = new Map(this.texts.map((text, number) => [text, number]));
  }

  /** The action's text, for a reader who may know only the first `known` of its words. */
  text(number: number, known: number | null = null): string {
    if (known === null) return this.texts[number]!;
    const [verb, words] = this.split(number);
    return [verb, ...words.map((word, i) => (i < known ? word : HIDDEN))].join(" ");
  }

  /** The action's number, or null if there is none; spaces around its words do not matter. */
  number(text: string): number | null {
    return this.numbers.get(text.trim().split(/\s+/).join(" ")) ?? null;
  }

  parse(text: string): number {
    const number = this.number(text);
    if (number === null) throw new Refusal("unknown_action", `no such action: '${text}'`);
    return number;
  }

  /** A word may itself be several, so they are not read from the text. */
  private split(number: number): [verb: string, words: readonly string[]] {
    let left = number;
    for (const [verb, lists] of Object.entries(this.verbs)) {
      const many = combinations(lists);
      if (left < many) return [verb, combination(lists, left)];
      left -= many;
    }
    throw new RangeError(`no action has the number ${number}`);
  }
}

function combinations(lists: readonly (readonly string[])[]): number {
  return lists.reduce((product, words) => product * words.length, 1);
}

function more(starts: string[], words: readonly string[]): string[] {
  return starts.flatMap((start) => words.map((word) => `${start} ${word}`));
}

/** One of all combinations of a word of each list; those of the last list change fastest. */
function combination(lists: readonly (readonly string[])[], number: number): string[] {
  return lists.reduceRight<string[]>((later, words) => {
    const word = words[number % words.length]!;
    number = Math.floor(number / words.length);
    return [word, ...later];
  }, []);
}
