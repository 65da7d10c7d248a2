/** Sentences about a match: what is asked, what was done, why something cannot be. */
import type { GameModule, LogEntry, Position, Reason, SentenceContext } from "../../play/board";
import type { MoonLeapView } from "./view";
import type { Words } from "./messages/en";
import { outlook, worth, type Leap, type Outlook } from "./outlook";

type Teller = SentenceContext<MoonLeapView, Words>;
type Speak = Omit<Teller, "lookUp" | "name" | "view" | "mine">;
type Told = GameModule<MoonLeapView, Words>;

export const STAR = "✱";

export function face(die: string): string {
  return die === "*" ? STAR : die;
}

/** The pairs a roll may be split into, each once: "1 and 4 or 2 and 3". */
function pairs(legal: readonly string[], { t }: Speak): string {
  const found = new Set(legal.filter((action) => action.startsWith("split")).map((action) => action.split(" ").slice(1).sort().join(" ")));
  const spoken = [...found].map((pair) => t("pair", { a: pair[0]!, b: pair[2]! }));
  return spoken.reduce((one, other) => t("pair.or", { one, other }));
}

export const asks: Told["asks"] = ({ view, legal }, context) => {
  const { t } = context;
  const number = view.die;
  if (legal.includes("pass")) return t("ask.pass", { number });
  if (view.die === "*") return t("ask.star");
  const moves = legal.some((action) => action.startsWith("move"));
  const splits = legal.some((action) => action.startsWith("split"));
  if (splits) return moves ? t("ask.split", { number, pairs: pairs(legal, context) }) : t("ask.mustSplit", { number, pairs: pairs(legal, context) });
  return spaceOf(view, view.mover, Number(number)) === 0 ? t("ask.place", { number }) : t("ask.move", { number });
};

function spaceOf(view: MoonLeapView, seat: number, number: number): number {
  return view.pawns.find((pawn) => pawn.seat === seat && pawn.number === number)?.space ?? 0;
}

/** "over two", "one step", "to the first empty crater". */
export function over(leap: Leap, { t }: Speak): string {
  if (leap.from === 0) return t("leapt.in");
  switch (leap.over) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
      return t(`leapt.${leap.over}`);
    default:
      return t("leapt.many", { n: leap.over });
  }
}

/** How a choice goes: what it makes, or over how many it leaps. */
export function how(outcome: Outlook, context: Speak): string {
  const { t } = context;
  if (outcome.ends) return t("option.ends");
  const run = outcome.run && outcome.run[1] - outcome.run[0] + 1;
  if (run === 3 || run === 4 || run === 5) return t(`run.${run}`);
  const ways = outcome.leaps.map((leap) => over(leap, context));
  if (outcome.opens) ways.push(t("option.opens"));
  return ways.length === 0 ? "" : ways.reduce((one, other) => t("leapt.then", { one, other }));
}

export function optionName(action: string, view: MoonLeapView, seat: number, { t }: Speak): string {
  const [verb, first = "", second = ""] = action.split(" ");
  if (verb === "split") return t("option.split", { first, second });
  if (verb === "move") return spaceOf(view, seat, Number(first)) === 0 ? t("option.place", { number: first }) : t("option.move", { number: first });
  return t("option.pass");
}

export const action: Told["action"] = (text, context) => {
  const [verb, word = ""] = text.split(" ");
  if (verb === "roll") return context.t("told.rolled", { face: face(word) });
  return optionName(text, context.view, context.view.mover, context);
};

/** What a log entry needs of the views before and after it. */
interface Facts {
  mover?: number;
  leaps?: readonly Leap[];
  extra?: boolean;
  opens?: boolean;
  ends?: boolean;
}

export const facts: NonNullable<Told["facts"]> = (entry, before, after) => {
  const verb = entry.key.split(".")[1]!;
  if (verb === "roll") return { mover: after.mover };
  const { leaps, extra, opens, ends } = outlook([verb, ...entry.args].join(" "), before, after);
  return { leaps, extra, opens, ends };
};

export const log: Told["log"] = (entry, context) => {
  const { t, name } = context;
  const known = (entry.facts ?? {}) as Facts;
  const [first = "", second = ""] = entry.args;
  switch (entry.key) {
    case "moon-leap.roll":
      return known.mover === undefined ? t("told.rolled", { face: face(first) }) : t("told.roll", { name: name(known.mover), face: face(first) });
    case "moon-leap.pass":
      return t("told.pass", { name: name(entry.actor) });
    case "moon-leap.move":
    case "moon-leap.split":
      return told(entry, known, context) ?? plainly(name(entry.actor), first, second, context);
    default:
      return null;
  }
};

function plainly(name: string, first: string, second: string, { t }: Speak): string {
  return second ? t("told.split", { name, first, second }) : t("told.move", { name, number: first });
}

function told(entry: LogEntry, known: Facts, context: Teller): string | null {
  const { t, name } = context;
  if (!known.leaps?.length) return null;
  let what = known.leaps.map((leap) => toldLeap(leap, context)).reduce((one, other) => t("told.then", { one, other }));
  if (known.opens) what = t("told.opens", { what });
  if (known.extra) what = t("told.extra", { what });
  if (known.ends) what = t("told.ends", { what });
  return t("told.did", { name: name(entry.actor), what });
}

function toldLeap(leap: Leap, context: Speak): string {
  const { t } = context;
  const { number } = leap;
  if (leap.from === 0) return t("told.in", { number });
  return leap.over === 0 ? t("told.step", { number }) : t("told.leap", { number, over: over(leap, context) });
}

/** The paragraphs of RULES.md behind the reasons. */
const RULES = {
  "post.open": "5.2",
  "post.closed": "5.1",
  "why.named": "3.3",
  "why.post": "5.2",
  "why.pairs": "5.2",
  "why.stuck": "4.5",
  "why.notTogether": "5.5",
  "why.other": "3.3",
  "why.crater": "4.3",
  "why.taken": "4.3",
} as const;

type Why = (key: keyof typeof RULES, values?: Record<string, string | number>) => Reason;

export const whyNot: Told["whyNot"] = (pick, position, context) => {
  const { t, name } = context;
  const why: Why = (key, values = {}) => ({ text: t(key, values as never), rule: RULES[key] });
  const { view } = position;
  if ("action" in pick || !("word" in pick)) return null;
  const { word } = pick;
  if (word === "post") return view.post.passed ? why("post.open", { n: view.scores.length }) : why("post.closed", { n: view.scores.length });
  if (word.startsWith("crater-")) return view.pawns.some((pawn) => `crater-${pawn.space}` === word) ? why("why.taken") : why("why.crater");
  const [seat, number] = word.split(".");
  if (number !== undefined) return why("why.other", { name: name(Number(seat) - 1) });
  return whyNotOwn(word, position, context, why);
};

function whyNotOwn(number: string, { view, legal }: Position<MoonLeapView>, context: Teller, why: Why): Reason {
  const rolled = view.die;
  if (rolled === "*" || number === rolled) return why("why.stuck", { number });
  if (legal.some((action) => action.startsWith("split"))) return why("why.pairs", { face: rolled, pairs: pairs(legal, context) });
  const splits = ["3", "4", "5"].includes(rolled);
  if (!splits) return why("why.named", { face: rolled });
  return view.post.passed ? why("why.notTogether", { number }) : why("why.post", { face: rolled });
}

export const results: Told["results"] = (view, { t }) =>
  [1, 2, 3, 4, 5].map((number) => ({
    label: t("result.astronaut", { number }),
    values: view.scores.map((_, seat) => worth(view, seat, number)),
  }));
