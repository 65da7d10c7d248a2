/** What happens at the table, in sentences: what is asked, the log, hints, reasons why not, results. */
import type { LogEntry, Pick, Position, Reason, ResultRow, SentenceContext } from "../../play/board";
import type { NovaLunaView } from "./view";
import type { Colour } from "./shapes";
import type { Words } from "./messages/en";
import { around, cellOf, nameOf } from "./places";
import { cellWords, tileWords, type Named } from "./labels";

type Told = SentenceContext<NovaLunaView, Words>;
type Place = Position<NovaLunaView>;

const AIM = 8; // tokens in phase 1 of solo

export function asks({ view }: Place, { t }: Told): string {
  switch (view.step) {
    case "choose":
      return t("ask.choose", { n: tilesOnWheel(view) });
    case "take":
      return view.solo?.may_stop ? t("ask.takeOrStop") : t("ask.take", { n: view.takes.length });
    case "place": {
      const first = view.tableaux[view.to_play]?.tiles.length === 0;
      return view.hand ? t(first ? "ask.first" : "ask.place", { tile: tileWords(t, view.hand) }) : "";
    }
    default:
      return "";
  }
}

function tilesOnWheel(view: NovaLunaView): number {
  return view.wheel.filter((tile) => tile !== null).length;
}

// Log

/** What an action did, from the views on both sides of it. */
interface Facts {
  colour?: string;
  number?: number;
  covers?: number;
  last?: boolean; // the last token
}

export function facts(entry: LogEntry, before: NovaLunaView, after: NovaLunaView): Record<string, unknown> {
  const verb = verbOf(entry);
  const tile = verb === "take" ? after.hand : verb === "place" ? before.hand : null;
  if (!tile) return {};
  const told: Facts = { colour: tile.colour, number: tile.number };
  if (verb === "take") return { ...told };
  const [was, is] = [before.tableaux[entry.actor], after.tableaux[entry.actor]];
  if (!was || !is) return { ...told };
  return { ...told, covers: is.tokens_placed - was.tokens_placed, last: is.tokens_left === 0 };
}

export function log(entry: LogEntry, context: Told): string | null {
  const { t, view } = context;
  const name = context.name(entry.actor);
  switch (verbOf(entry)) {
    case "stack":
      // the last one drawn lies on top
      return entry.ply === view.tableaux.length - 1 ? t("log.begins", { name: context.name(Number(entry.args[0]) - 1) }) : null;
    case "draw":
      return null; // the wheel shows it
    case "take": {
      const tile = named(entry);
      return tile ? t("log.take", { name, tile: tileWords(t, tile) }) : t("log.takeNumber", { name, n: Number(entry.args[0]) });
    }
    case "place":
      return placed(entry, name, context);
    case "refill":
      return t("log.refill", { name });
    case "keep":
      return t("log.keep", { name });
    case "stop":
      return view.solo?.phase === 2 ? t("log.stopSum", { name, n: view.solo.sum_1 }) : t("log.stop", { name });
    default:
      return null;
  }
}

function placed(entry: LogEntry, name: string, { t, view }: Told): string {
  const { covers = 0, last = false } = (entry.facts ?? {}) as Facts;
  // Tiles never move: what was laid there long ago lies there still.
  const tile = named(entry) ?? view.tableaux[entry.actor]?.tiles.find((laid) => nameOf(laid) === entry.args[0]);
  if (!tile) return t("log.placeSomewhere", { name });
  const words = tileWords(t, tile);
  if (last) return t("log.last", { name, tile: words });
  return covers > 0 ? t("log.covers", { name, tile: words, n: covers }) : t("log.place", { name, tile: words });
}

function named(entry: LogEntry): Named | null {
  const { colour, number } = (entry.facts ?? {}) as Facts;
  return colour !== undefined && number !== undefined ? { colour, number } : null;
}

function verbOf(entry: LogEntry): string {
  return entry.key.slice(entry.key.indexOf(".") + 1);
}

// An action in words

export function action(text: string, { t, view }: Told): string {
  const [verb, word = ""] = text.split(" ");
  switch (verb) {
    case "take": {
      const tile = view.wheel[view.takes[Number(word) - 1] ?? -1];
      return tile ? t("do.take", { tile: tileWords(t, tile) }) : text;
    }
    case "place":
      return cellWords(t, view.tableaux[Math.max(0, view.mover)]?.tiles ?? [], cellOf(word));
    case "refill":
      return t("do.refillLong");
    case "keep":
      return t("do.keepLong");
    case "stop":
      return t("do.stop");
    case "draw":
      return t("log.draw", { tile: t(`tile.${word[0] as Colour}`, { n: Number(word[1]) }) });
    default:
      return text;
  }
}

// Why not

/** The paragraphs of RULES.md behind the reasons. */
const RULES = {
  "why.beyond": "4.3",
  "why.chooseFirst": "4.2",
  "why.layFirst": "4.5",
  "why.takeFirst": "4.3",
  "why.occupied": "4.5",
  "why.apart": "4.5",
  "why.refillMany": "4.2",
  "why.refillStart": "4.2",
  "why.refillSupply": "4.2",
  "why.refillSolo": "7.1",
  "why.stopEight": "7.4",
  "why.stopTwo": "7.6",
} as const;

type Why = (key: keyof typeof RULES, values?: Record<string, number>) => Reason;

export function whyNot(pick: Pick, { view }: Place, { t }: Told): Reason | null {
  const why: Why = (key, values = {}) => ({ text: t(key, values as never), rule: RULES[key] });
  if ("action" in pick) return null;
  const verb = pick.verb;
  if (verb === "take" && "word" in pick) return whyNotTake(Number(pick.word), view, why);
  if (verb === "place" && "word" in pick) return whyNotPlace(pick.word, view, why);
  if (verb === "refill") return whyNotRefill(view, why);
  if (verb === "stop") return view.solo?.phase === 2 ? why("why.stopTwo") : why("why.stopEight", { n: AIM - (view.tableaux[0]?.tokens_placed ?? 0) });
  return null;
}

function whyNotTake(nth: number, view: NovaLunaView, why: Why): Reason | null {
  if (view.step === "choose") return why("why.chooseFirst");
  if (view.step === "place") return why("why.layFirst");
  return nth > view.takes.length ? why("why.beyond") : null;
}

function whyNotPlace(cell: string, view: NovaLunaView, why: Why): Reason | null {
  const tiles = view.tableaux[view.to_play]?.tiles ?? [];
  const laid = new Set(tiles.map(nameOf));
  if (laid.has(cell)) return why("why.occupied");
  if (view.step === "choose") return why("why.chooseFirst");
  if (!view.hand) return why("why.takeFirst");
  return around(cellOf(cell)).some((beside) => laid.has(nameOf(beside))) ? null : why("why.apart");
}

function whyNotRefill(view: NovaLunaView, why: Why): Reason | null {
  if (view.solo) return why("why.refillSolo");
  if (view.step === "place") return why("why.refillStart");
  const left = tilesOnWheel(view);
  if (left > 2) return why("why.refillMany", { n: left });
  return view.supply.length ? why("why.refillStart") : why("why.refillSupply");
}

export function results(view: NovaLunaView, { t }: Told): readonly ResultRow[] {
  const of = (row: (tableau: NovaLunaView["tableaux"][number]) => number) => view.tableaux.map(row);
  const rows: ResultRow[] = [
    { label: t("result.placed"), values: of((tableau) => tableau.tokens_placed) },
    { label: t("result.left"), values: of((tableau) => tableau.tokens_left) },
    { label: t("result.tiles"), values: of((tableau) => tableau.tiles.length) },
    { label: t("result.tasks"), values: of(({ tiles }) => tiles.flatMap((tile) => tile.tasks).filter((task) => !task.done).length) },
  ];
  if (view.solo) {
    rows.push({ label: t("result.sum1"), values: [view.solo.sum_1] }, { label: t("result.sum2"), values: [view.solo.sum_2] });
  } else {
    const gone = (seat: number) => view.track.find((token) => token.seat === seat)?.distance ?? 0;
    rows.push({ label: t("result.distance"), values: of((tableau) => gone(tableau.seat)) });
  }
  return rows;
}
