import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { LogEntry, Position, SentenceContext } from "../../../play/board";
import { litMoon, outline } from "../shapes";
import { EXAMPLES, ONCE, placed, tileNamed } from "../examples";
import en, { type Words } from "../messages/en";
import {
  afterMoon,
  cellOf,
  freeCells,
  gridFor,
  isCovered,
  layout,
  TO_LAY,
  nameOf,
  othersOf,
  pieces,
  slotPlace,
  type Box,
} from "../places";
import * as context from "../sentences";
import { tutorial } from "../tutorial";
import { fullWords } from "../labels";
import { format, type Catalogue } from "../../../i18n/translate";
import { followed, type View } from "../../../play/patch";
import type { NovaLunaView } from "../view";

const files = import.meta.glob<Catalogue>("../messages/*.ts", { import: "default", eager: true });
const CATALOGUES: Record<string, Catalogue> = Object.fromEntries(Object.entries(files).map(([path, words]) => [path.split("/").at(-1)!.slice(0, 2), words]));
const LANGUAGES = Object.keys(CATALOGUES);

/** Every position of the first match. */
const match: Position<NovaLunaView>[] = [];
for (const frame of tutorial.recording.frames) {
  const view = followed((match.at(-1)?.view ?? {}) as View, frame) as unknown as NovaLunaView;
  match.push({ ...frame, ply: match.length, view });
}
const entries = tutorial.recording.frames.flatMap(({ entry }) => (entry ? [entry] : []));
const entryAt = (ply: number): LogEntry => ({ ...entries[ply]!, facts: context.facts(entries[ply]!, match[ply]!.view, match[ply + 1]!.view) });
const actionAt = (ply: number) => [entries[ply]!.key.split(".")[1], ...entries[ply]!.args].join(" ");
const FIRST_TAKE = 13;
const SECOND_TILE = 22; // the turquoise 6 is in hand
const CHOOSE = 31;

function teller(language: string, view: NovaLunaView): SentenceContext<NovaLunaView, Words> {
  const words = CATALOGUES[language]!;
  const lookUp = (key: string, args = {}) => format(words[key] ?? `missing ${key}`, args, language);
  return { t: (key, ...args) => lookUp(key, args[0] ?? {}), lookUp, name: (seat) => ["Lena", "Mira"][seat]!, view, mine: [0] };
}
const english = (ply: number) => teller("en", match[ply]!.view);

describe("the layout", () => {
  const SCREENS: [string, "wide" | "phone", number, number][] = [
    ["a desk", "wide", 1440, 844],
    ["a laptop", "wide", 1280, 664],
    ["4K", "wide", 3840, 2104],
    ["a wide screen", "wide", 2560, 1024],
    ["a phone", "phone", 390, 788],
    ["a small phone", "phone", 360, 584],
    ["a phone on its side", "phone", 844, 334],
    ["a tablet", "phone", 820, 1124],
  ];
  const inside = (box: Box, width: number, height: number) =>
    box.x >= -0.01 && box.y >= -0.01 && box.x + box.width <= width + 0.01 && box.y + box.height <= height + 0.01 && box.width > 0 && box.height > 0;
  const apart = (a: Box, b: Box) => a.x + a.width <= b.x + 0.01 || b.x + b.width <= a.x + 0.01 || a.y + a.height <= b.y + 0.01 || b.y + b.height <= a.y + 0.01;

  test.each(SCREENS)("%s has room for everything, side by side", (_, size, width, height) => {
    for (const cards of [1, 2, 3]) {
      const { wheel, sheet, cards: boxes, log, tableau } = layout(size, width, height, cards);
      const half = wheel.slot * 3.1;
      const disc: Box = { x: wheel.x - half, y: wheel.y - half, width: 2 * half, height: 2 * half };
      const all = [disc, sheet, ...boxes, log];
      for (const box of all) expect(inside(box, width, height)).toBe(true);
      all.forEach((a, i) => all.slice(i + 1).forEach((b) => expect(apart(a, b)).toBe(true)));
      expect(tableau.height).toBeGreaterThan(100);
      expect(wheel.slot).toBeGreaterThanOrEqual(40);
    }
  });

  test("no two tiles on the wheel overlap", () => {
    const wheel = { x: 0, y: 0, slot: 100 };
    const places = Array.from({ length: 12 }, (_, slot) => slotPlace(slot, wheel));
    places.forEach(([x, y], i) =>
      places.slice(i + 1).forEach(([u, v]) => expect(Math.max(Math.abs(x - u), Math.abs(y - v))).toBeGreaterThan(100)),
    );
  });

  test("slots are counted clockwise from the moon", () => {
    expect(afterMoon(10)).toEqual([11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("a stack of three beside a word of the moon track covers it", () => {
    const stack = (high: number, distance: number) => Array.from({ length: high }, (_, height) => ({ distance, height }));
    expect([2, 3, 4].map((high) => isCovered(0, stack(high, 0)))).toEqual([false, true, true]);
    expect([21, 22, 24, 26, 27].map((distance) => isCovered(0, stack(3, distance)))).toEqual([false, true, true, true, false]);
    expect([0, 12, 34, 36].map((distance) => isCovered(12, stack(3, distance)))).toEqual([false, true, true, true]);
  });
});

describe("a tableau", () => {
  const BOX: Box = { x: 100, y: 50, width: 400, height: 400 };
  const FIT = { ...TO_LAY, margin: 1, most: 120 };

  test("is centred, right is right and up is up", () => {
    const grid = gridFor([{ x: 0, y: 0 }, { x: 1, y: 1 }], BOX, FIT);
    expect(grid.cell).toBe(100);
    expect(grid.place(0, 0)).toEqual([250, 300]);
    expect(grid.place(1, 1)).toEqual([350, 200]);
    expect(grid.at(352, 190)).toEqual({ x: 1, y: 1 });
  });

  test("too large for its sheet keeps cells a finger can hit, and can be moved as far as its edge", () => {
    const row = Array.from({ length: 20 }, (_, x) => ({ x, y: 0 }));
    const grid = gridFor(row, BOX, FIT, [9999, 0]);
    expect(grid.cell).toBe(TO_LAY.least);
    expect(grid.slack[0]).toBe((22 * 40 - 400) / 2);
    expect(grid.place(0, 0)[0]).toBe(BOX.x + 40 + 20); // the margin, then half a cell
    expect(grid.slack[1]).toBe(0);
  });

  test("has the free cells that share an edge, and the middle before the first tile", () => {
    expect(freeCells([])).toEqual([{ x: 0, y: 0 }]);
    expect(freeCells([{ x: 0, y: 0 }, { x: 1, y: 0 }]).map(nameOf).sort()).toEqual(["-1,0", "0,-1", "0,1", "1,-1", "1,1", "2,0"]);
    expect(cellOf("-1,0")).toEqual({ x: -1, y: 0 });
  });

  test("free cells are the rules' own placements", () => {
    const placing = match.filter(({ view }) => view.placements.length > 0);
    expect(placing.length).toBeGreaterThan(5);
    for (const { view } of placing) {
      const tiles = view.tableaux[view.to_play]!.tiles;
      expect(freeCells(tiles).map(nameOf).sort()).toEqual(view.placements.map(nameOf).sort());
    }
  });
});

describe("pieces", () => {
  const plan = layout("wide", 1440, 844, 1);
  const lay = (view: NovaLunaView, kept = view) => {
    const grid = gridFor(kept.tableaux[0]!.tiles, plan.tableau, { ...TO_LAY, most: 124 });
    return pieces(view, kept, { layout: plan, front: 0, grid });
  };

  test("every tile on the table is one piece, at every ply", () => {
    for (const { view } of match) {
      const ids = lay(view).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length + view.supply.length).toBe(68);
    }
  });

  test("a tile goes from the wheel to the hand to the tableau", () => {
    const where = (ply: number) => lay(match[ply]!.view).find(({ id }) => id === "r6a")?.at;
    expect([where(FIRST_TAKE), where(FIRST_TAKE + 1), where(FIRST_TAKE + 2)]).toEqual(["wheel", "hand", "front"]);
  });

  test("what is not kept yet is vellum, with fresh tokens on it and on others", () => {
    const laid = lay(match[SECOND_TILE + 1]!.view, match[SECOND_TILE - 1]!.view);
    expect(laid.filter(({ vellum }) => vellum).map(({ id }) => id)).toEqual(["t6b"]);
    expect(laid.find(({ id }) => id === "r6a")!.fresh).toEqual([false, false, true]);
    expect(lay(match[SECOND_TILE + 1]!.view).some(({ vellum, fresh }) => vellum || fresh.includes(true))).toBe(false);
  });

  test("what sticks out of the sheet is cut off", () => {
    const { view } = match.at(-1)!;
    const grid = gridFor(view.tableaux[0]!.tiles, { x: 0, y: 0, width: 90, height: 900 }, { margin: 0.5, most: 60, least: 60 });
    const cut = pieces(view, view, { layout: plan, front: 0, grid }).filter(({ at }) => at === "front");
    expect(cut.every(({ clip }) => clip?.startsWith("inset("))).toBe(true);
    expect(lay(view).every(({ clip }) => clip === null)).toBe(true);
  });

  test("the others come after the front seat, in order", () => {
    const seats = { tableaux: [{}, {}, {}, {}] } as unknown as NovaLunaView;
    expect(othersOf(seats, 2)).toEqual([3, 0, 1]);
  });

  test("a card is cut the same way every time, and differently from its neighbour", () => {
    expect(outline("r2a")).toBe(outline("r2a"));
    expect(outline("r2a")).not.toBe(outline("r2b"));
  });

  test("moons wax, are full in the middle of the track, and wane", () => {
    expect(litMoon(0, 10)).toBe("");
    expect(litMoon(6, 10)).toContain("A0.00 10"); // half
    expect(litMoon(3, 10)).not.toBe(litMoon(21, 10));
  });
});

describe("words", () => {
  test("a tile is told with what it asks for", () => {
    const { t } = english(0);
    expect(fullWords(t, tileNamed("y4d"), [false, false, true])).toBe("yellow 4; needs 3 red; needs 3 turquoise; completed: 2 blue");
    expect(fullWords(t, tileNamed("y1"))).toBe("yellow 1; no task");
  });
});

describe("telling", () => {
  const asks = (ply: number) => context.asks(match[ply]!, english(ply));

  test("says what is asked", () => {
    expect(asks(FIRST_TAKE)).toBe("Take one of the 3 tiles after the moon.");
    expect(asks(FIRST_TAKE + 1)).toBe("Place the red 6, your first tile.");
    expect(asks(SECOND_TILE)).toBe("Place the turquoise 6.");
    expect(asks(CHOOSE)).toBe("2 tiles left: refill the wheel or keep it?");
  });

  test("says what happened", () => {
    const log = (ply: number) => context.log(entryAt(ply), english(ply + 1));
    expect([0, 1, 2].map(log)).toEqual([null, "Lena is on top of the stack and goes first.", null]);
    expect(log(FIRST_TAKE)).toBe("Lena takes red 6.");
    expect(log(FIRST_TAKE + 1)).toBe("Lena places red 6.");
    expect(log(SECOND_TILE)).toBe("Lena places turquoise 6 and completes 2 tasks.");
    expect(log(24)).toBe("Mira places turquoise 5 and completes 3 tasks.");
    expect(log(CHOOSE)).toBe("Lena refills the wheel.");
  });

  test("says what happened long ago, when only the action is known", () => {
    const log = (ply: number) => context.log(entries[ply]!, english(match.length - 1));
    expect(log(FIRST_TAKE)).toBe("Lena takes tile 2 after the moon.");
    expect(log(SECOND_TILE)).toBe("Lena places turquoise 6.");
  });

  test.each(LANGUAGES)("has a line for every kind of entry in %s", (language) => {
    const view = { ...match.at(-1)!.view, solo: { phase: 2, sum_1: 41, sum_2: 88, may_stop: false } };
    for (const verb of ["take", "place", "refill", "keep", "stop"]) {
      const entry: LogEntry = { ply: 20, actor: 0, key: `nova-luna.${verb}`, args: ["1"], by: "person", at: 0 };
      const line = context.log(entry, teller(language, view));
      expect(line).toMatch(/Lena/);
      expect(line).not.toMatch(/missing|\{/);
    }
  });

  test("names actions", () => {
    const action = (text: string, ply: number) => context.action(text, english(ply));
    expect(action("take 2", FIRST_TAKE)).toBe("Take red 6");
    expect(action("place 1,0", SECOND_TILE)).toBe("Place it to the right of red 6");
    expect(action("place 0,-1", SECOND_TILE)).toBe("Place it below red 6");
    expect(action("place 0,0", FIRST_TAKE + 1)).toBe("Place your first tile");
    expect(action("refill", CHOOSE)).toBe("Refill the wheel");
    expect(action("draw t6b", 3)).toBe("turquoise 6 is added to the wheel.");
  });

  test("tells why not", () => {
    const why = (pick: Parameters<typeof context.whyNot>[0], ply: number) => context.whyNot(pick, match[ply]!, english(ply))?.text;
    expect(why({ word: "4", verb: "take" }, FIRST_TAKE)).toBe(en["why.beyond"]);
    expect(why({ word: "1", verb: "take" }, SECOND_TILE)).toBe(en["why.layFirst"]);
    expect(why({ word: "1", verb: "take" }, CHOOSE)).toBe(en["why.chooseFirst"]);
    expect(why({ word: "0,0", verb: "place" }, SECOND_TILE)).toBe(en["why.occupied"]);
    expect(why({ word: "1,1", verb: "place" }, SECOND_TILE)).toBe(en["why.apart"]);
    expect(why({ word: "1,0", verb: "place" }, SECOND_TILE - 1)).toBe(en["why.takeFirst"]);
    expect(why({ verb: "refill" }, FIRST_TAKE)).toBe("You can refill the wheel only when one or two tiles are left. There are 11.");
    expect(why({ verb: "refill" }, SECOND_TILE)).toBe(en["why.refillStart"]);
    expect(context.whyNot({ verb: "refill" }, match[FIRST_TAKE]!, english(FIRST_TAKE))?.rule).toBe("4.2");
  });

  test("results say how it came about", () => {
    const rows = context.results(match.at(-1)!.view, english(match.length - 1));
    expect(rows.map(({ label, values }) => [label, ...values])).toEqual([
      ["Tokens placed", 7, 3],
      ["Tokens left", 13, 17],
      ["Tiles placed", 6, 5],
      ["Open tasks", 2, 3],
      ["Spaces moved", 21, 16],
    ]);
  });
});

describe("the first match", () => {
  test("asks for what the recording plays, and points only there", () => {
    const asked = tutorial.steps.filter((step) => step.await);
    expect(asked.length).toBeGreaterThanOrEqual(12);
    for (const step of asked) {
      expect(step.await).toBe(actionAt(step.ply));
      expect(match[step.ply]!.legal).toContain(step.await);
    }
  });

  test("leaves none of the learner's actions to itself", () => {
    const own = match.filter(({ to_play }) => to_play === tutorial.recording.seat).map(({ ply }) => ply);
    const asked = new Set(tutorial.steps.filter((step) => step.await).map(({ ply }) => ply));
    expect(own.filter((ply) => ply < entries.length && !asked.has(ply))).toEqual([]);
  });

  test("steps come in order, and every one has its text in every language", () => {
    const plies = tutorial.steps.map(({ ply }) => ply);
    expect(plies).toEqual([...plies].sort((a, b) => a - b));
    for (const { text } of tutorial.steps) for (const language of LANGUAGES) expect(CATALOGUES[language]![text], `${language} ${text}`).toBeTruthy();
    const told = Object.keys(en).filter((key) => key.startsWith("tutorial."));
    expect(told.sort()).toEqual(tutorial.steps.map(({ text }) => text).sort());
  });
});

describe("the page of rules", () => {
  const rules = readFileSync(new URL("../../../../../plenilune/games/nova_luna/RULES.md", import.meta.url), "utf8");
  const drawing = (heading: string) => {
    const text = rules.slice(rules.indexOf(`**${heading}`));
    const block = text.slice(0, text.indexOf("\n**", 4)).split("\n").filter((line) => line.startsWith("    "));
    return block.map((line) => line.trim().split(/\s+/).join(" "));
  };
  const COUNTS = ["no", "One", "Two", "Three", "Four"];

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("draws example %i as the rules tell it", (n) => {
    const example = EXAMPLES[n - 1]!;
    const width = Math.max(...example.rows.map((row) => row.split(" ").length));
    const told = drawing(`11.${n}**`).map((row) => row.split(" "));
    expect(example.rows.map((row) => row.split(" "))).toEqual(told.map((row) => row.slice(0, width)));
    const tokens = placed(example).flatMap(({ done }) => done).filter(Boolean).length;
    const text = rules.slice(rules.indexOf(`**11.${n}**`)).split("\n\n")[0]!.replaceAll("\n", " ");
    expect(text.toLowerCase()).toContain(`${COUNTS[tokens]!.toLowerCase()} token`);
  });

  test("draws what counts once", () => {
    expect(ONCE.rows).toEqual(drawing("10.7"));
  });

  test("prints on its tiles what the rules print", () => {
    const drawn = new Set([...EXAMPLES, ONCE].flatMap((example) => placed(example).map(({ tile }) => tile)));
    for (const { id, tasks } of drawn) expect(rules).toContain(`\`${id}\` ${tasks.join("/") || "-"} `);
  });
});
