import { describe, expect, test } from "vitest";
import type { LogEntry, Position } from "../../../play/board";
import { followed, type View } from "../../../play/patch";
import type { ViaNebulaCard, ViaNebulaView } from "../view";
import { cardDoubt, doubts, mapDoubt } from "../doubts";
import { arriving, leaving, loadedPlaces, uncertain } from "../changes";
import { bestSupplied, covered, lacking, signsOf } from "../costs";
import { NOTHING_YET, spots } from "../follow";
import { around, Grid, hexOf } from "../hexes";
import { KINDS } from "../kinds";
import en from "../messages/en";
import { hintMarks, trail } from "../overlay";
import type { Box } from "../boxes";
import { layout, type Layout } from "../layout";
import { pieces, trace } from "../pieces";
import { nearestTo, reachable } from "../targets";
import { SIGNS } from "../signs";
import { tutorial } from "../tutorial";
import * as words from "../sentences";
import { format } from "../../../i18n/translate";

const FIRST = 33; // the ply of the learner's first action: the table is laid
const views: ViaNebulaView[] = [];
for (const frame of tutorial.recording.frames) views.push(followed((views.at(-1) ?? {}) as View, frame) as unknown as ViaNebulaView);
const after = (action: string): ViaNebulaView => views[1 + tutorial.recording.frames.findIndex((frame) => said(frame.entry) === action)]!;
const before = (action: string): ViaNebulaView => views[tutorial.recording.frames.findIndex((frame) => said(frame.entry) === action)]!;
function said(entry: LogEntry | null): string {
  return entry ? [entry.key.split(".")[1], ...entry.args].join(" ") : "";
}

const catalogue = en as Record<string, (typeof en)[keyof typeof en]>;
const lookUp = (key: string, args = {}) => (key in catalogue ? format(catalogue[key]!, args, "en") : null);
const context = (view: ViaNebulaView): words.Says => ({
  t: ((key: string, args: Record<string, string | number> = {}) => lookUp(key, args) ?? expect.fail(`no message ${key}`)) as unknown as words.Says["t"],
  lookUp,
  name: (seat) => ["Lena", "Mira", "Tycho", "Luz"][seat]!,
  view,
  mine: [0],
});
const position = (view: ViaNebulaView, legal: string[] = []): Position<ViaNebulaView> => ({ ply: 0, view, legal, to_play: view.to_play, scores: [], places: [] });
const entry = (text: string, actor = 0, facts = {}): LogEntry => {
  const [verb, ...args] = text.split(" ");
  return { ply: 0, actor, key: `via-nebula.${verb}`, args, by: "person", at: 0, facts };
};

/** The same table with more seats: every ruin has two places, and all have the first guild's things. */
function withSeats(view: ViaNebulaView, seats: number): ViaNebulaView {
  const guilds = Array.from({ length: seats }, (_, seat) => ({ ...view.guilds[seat % 2]!, seat }));
  const hexes = view.hexes.map((hex) => ({ ...hex, places: hex.places.flatMap((place) => [place, { ...place, id: `${hex.id}b`, holds: "nothing", seat: null, resources: {} }]) }));
  return seats === 2 ? view : { ...view, guilds, hexes };
}

describe("a carry that is not confirmed", () => {
  const [is, would] = [before("carry h7 f7a"), after("carry h7 f7a")];
  const where = trace(NOTHING_YET, is);
  const then = trace(where, would);
  const place = layout(is, 0, 1440, 844);
  const now = pieces(is, where, place, 0);
  const later = pieces(would, then, place, 0);
  const carried = now.filter((piece) => piece.spot === "h7" && spots(then).get(piece.id) === "f7a").map((piece) => piece.id);

  test("moves one resource, which leaves its hex and arrives at the site", () => {
    expect(carried).toHaveLength(1);
    expect([...leaving(now, later)]).toEqual(carried);
    expect(arriving(later, spots(where)).map(({ id, spot }) => [id, spot])).toEqual([[carried[0], "f7a"]]);
  });

  test("is uncertain while it is pending, and nothing else is", () => {
    expect([...uncertain(later, spots(where))]).toEqual(carried);
    expect(uncertain(now, spots(where)).size).toBe(0);
  });

  test("loads the site", () => {
    expect(loadedPlaces(later)).toContain("f7a");
  });

  test("is drawn as a way that starts and ends beside the hexes' centres", () => {
    const grid = new Grid(false);
    const [start, end] = [grid.centre(words.findHex(is, "h7")!), grid.centre(words.findHex(is, "f7")!)];
    const numbers = trail(is, grid, ["h7", "g7", "f7"]).match(/-?[\d.]+/g)!.map(Number);
    expect(Math.hypot(numbers[0]! - start[0], numbers[1]! - start[1])).toBeCloseTo(80, 0);
    expect(Math.hypot(numbers.at(-2)! - end[0], numbers.at(-1)! - end[1])).toBeCloseTo(80, 0);
  });

  test("is hinted at where it starts and where it ends", () => {
    expect(hintMarks(is, new Grid(false), new Set("carry h7 f7a".split(" "))).map(({ id }) => id).sort()).toEqual(["f7a", "h7"]);
  });
});

describe("which piece is which", () => {
  test("a carried resource stays itself on its way to the site", () => {
    const was = trace(NOTHING_YET, before("carry h7 f7a"));
    const is = trace(was, after("carry h7 f7a"));
    const moved = [...spots(is)].filter(([id, spot]) => spots(was).get(id) !== spot);
    expect(moved).toHaveLength(1);
    expect(moved[0]![1]).toBe("f7a");
    expect(spots(was).get(moved[0]![0])).toBe("h7");
  });

  test("the last resource sends the craftsman home", () => {
    const near = trace(NOTHING_YET, after("carry e7 f7a"));
    const done = trace(near, before("explore c8"));
    const craftsman = [...spots(near)].find(([id, spot]) => id.startsWith("craftsman1") && spot === "e7")![0];
    expect(spots(done).get(craftsman)).toBe("home1");
  });

  test("undoing brings everything back to where it was", () => {
    const was = trace(NOTHING_YET, before("build f7a carpentry-d"));
    const built = trace(was, after("build f7a carpentry-d"));
    const back = trace(built, before("build f7a carpentry-d"));
    const places = (traced: typeof was) => [...spots(traced)].map(([id, spot]) => `${id.split("-")[0]} ${spot}`).sort();
    expect(places(back)).toEqual(places(was));
  });

  test("the same view twice changes nothing", () => {
    const one = trace(NOTHING_YET, views[40]!);
    expect([...spots(trace(one, views[40]!))]).toEqual([...spots(one)]);
  });
});

const SIZES = [
  [1440, 844],
  [390, 788],
  [360, 584],
  [844, 334],
  [1280, 664],
  [1024, 712],
  [768, 968],
  [3840, 2104],
] as const;

describe.each(SIZES)("the table on %d × %d", (width, height) => {
  describe.each([2, 3, 4])("with %d seats", (seats) => {
    const view = withSeats(views[45]!, seats);
    const place = layout(view, 1, width, height);

    test("everything is inside", () => {
      for (const piece of pieces(view, trace(NOTHING_YET, view), place, 1)) {
        expect.soft(piece.x, piece.id).toBeGreaterThanOrEqual(0);
        expect.soft(piece.x, piece.id).toBeLessThanOrEqual(place.width);
        expect.soft(piece.y, piece.id).toBeGreaterThanOrEqual(0);
        expect.soft(piece.y, piece.id).toBeLessThanOrEqual(place.height);
      }
    });

    test("nothing lies on anything else", () => {
      const boxes = parts(place);
      for (const [i, [name, a]] of boxes.entries())
        for (const [other, b] of boxes.slice(i + 1)) expect.soft(overlap(a, b), `${name} on ${other}`).toBeLessThan(1);
    });

    test("no two pieces have one id", () => {
      const ids = pieces(view, trace(NOTHING_YET, view), place, 1).map((piece) => piece.id);
      expect(new Set(ids).size).toBe(ids.length);
    });

    test("a finger finds what it means", () => {
      if (place.shape === "wide") return;
      for (const box of [...place.display, ...place.hand]) expect(Math.min(box.w, box.h)).toBeGreaterThanOrEqual(40);
      for (const guild of place.guilds) expect(Math.min(guild.box.w, guild.box.h)).toBeGreaterThanOrEqual(40);
    });
  });
});

function parts(place: Layout): [string, Box][] {
  const { status, log, map, tools, turn, supply, deck, display, hand, guilds } = place;
  const onMap = place.shape === "tall" ? [] : ([["supply", supply], ["deck", deck]] as [string, Box][]); // a phone has them in the map's empty corners
  return [
    ["status", status],
    ["log", log],
    ["map", map.box],
    ["tools", tools],
    ["turn", turn],
    ...onMap,
    ...display.map((box, i): [string, Box] => [`card ${i}`, box]),
    ...hand.map((box, i): [string, Box] => [`hand ${i}`, box]),
    ...guilds.map((guild): [string, Box] => [`guild ${guild.seat}`, guild.box]),
  ];
}

function overlap(a: Box, b: Box): number {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return w > 0 && h > 0 ? w * h : 0;
}

describe("hexes", () => {
  test("neighbours are those of the rules' own example", () => {
    expect(around({ id: "c4", column: 2, row: 4 }).sort()).toEqual(["b4", "c3", "c5", "d3", "d4", "d5"]);
    expect(around({ id: "c5", column: 2, row: 5 }).sort()).toEqual(["b4", "b5", "b6", "c4", "c6", "d5"]);
  });

  test.each([false, true])("neighbours are drawn side by side, turned or not (%s)", (turned) => {
    const grid = new Grid(turned);
    const byName = new Map(views[0]!.hexes.map((hex) => [hex.id, hex]));
    for (const hex of views[0]!.hexes)
      for (const [k, name] of around(hex).entries()) {
        const other = byName.get(name);
        if (!other) continue;
        const [[x, y], [u, w], [dx, dy]] = [grid.centre(hex), grid.centre(other), grid.way(k)];
        expect(u - x).toBeCloseTo(dx * 173.2, 0);
        expect(w - y).toBeCloseTo(dy * 173.2, 0);
      }
  });

  test("a place lies on its ruin", () => expect([hexOf("e1b"), hexOf("e1")]).toEqual(["e1", "e1"]));
});

describe("costs", () => {
  test("a contract is compared with the site that has most of its cost, or with the first of equals", () => {
    const [empty, some, all] = [{ resources: {} }, { resources: { wood: 1 } }, { resources: { wood: 1, clay: 1 } }];
    expect(bestSupplied([empty, all, some], "wood+clay")).toBe(all);
    expect(bestSupplied([some, all], "wood")).toBe(some);
    expect(bestSupplied([], "wood")).toBe(null);
  });

  test("what a site holds is marked resource by resource", () => {
    expect(covered("wood+wood+clay", { wood: 1, clay: 1 })).toEqual([true, false, true]);
    expect(lacking("wood+wood+clay", { wood: 1 })).toEqual(["wood", "clay"]);
  });

  test("costs that leave the choice are covered by any resources that fit", () => {
    expect(covered("2-equal", { wood: 1, food: 2 })).toEqual([true, true]);
    expect(covered("2-equal", { wood: 1, food: 1 })).toEqual([true, false]);
    expect(covered("3-different", { wood: 4, food: 1 })).toEqual([true, true, false]);
  });

  test("every cost has its signs", () => {
    for (const card of views.at(-1)!.display) for (const sign of signsOf(card!.cost)) expect(SIGNS).toHaveProperty(sign);
    for (const cost of ["2-equal", "3-different"]) for (const sign of signsOf(cost)) expect(SIGNS).toHaveProperty(sign);
  });
});

describe("words", () => {
  test("every kind of contract has a name, a sign and a text", () => {
    for (const [kind] of KINDS) {
      expect(catalogue).toHaveProperty([`card.${kind}`]);
      expect(catalogue).toHaveProperty([`does.${kind}`]);
      expect(SIGNS).toHaveProperty([`p_${kind}`]);
    }
  });

  test("every kind of decision has its question", () => {
    const says = context(views[FIRST]!);
    expect(words.asks(position(views[FIRST]!), says)).toBe("You have two actions.");
    expect(words.asks(position(views[FIRST + 1]!), says)).toBe("One more action.");
    expect(words.asks(position(before("explore g6")), says)).toBe("Carpentry: place a tile on any petrified forest.");
    expect(words.asks(position(views[FIRST]!, ["pass"]), says)).toBe("No action is possible: pass.");
    const powers = ["swap", "tile-on-forest", "tile-on-forbidden", "move-tile", "open-token", "remove-one", "remove-two", "deliver", "draw-contract", "shed-tiles"];
    for (const power of powers) expect(catalogue).toHaveProperty([`asks.${power}`]);
  });

  test("every action and every log entry of the rules has a sentence", () => {
    const texts = [
      "craftsman h7", "site f7a", "explore f8", "carry h7 f7a", "take wood", "build f7a store-a", "spend wood+wood", "swap f7a wood clay",
      "lift f8", "open h7", "remove storage wood", "deliver f7a wood", "use", "skip", "pass",
    ];
    for (const text of texts) {
      expect(words.action(text, context(views[FIRST]!)), text).not.toBe(text);
      expect(words.log(entry(text), context(views[FIRST]!)), text).toContain("Lena");
    }
    expect(words.log(entry("turn-up mayor-a", -1), context(views[FIRST]!))).toContain("Mayor");
    expect(words.log(entry("deal 2 ?", -1), context(views[FIRST]!))).toBe("Mira is dealt a private contract.");
    expect(words.log(entry("plan ?", -1, { seat: 1 }), context(views[FIRST]!))).toBe("Mira draws a secret contract.");
    expect(words.log(entry("token b1 wood-3a", -1), context(views[FIRST]!))).toBeNull();
  });

  test("what an action did is told from the views before and after it", () => {
    const line = (action: string, seat = 0) => {
      const made = entry(action, seat);
      return words.log({ ...made, facts: words.facts(made, before(action), after(action)) }, context(views[FIRST]!));
    };
    expect(line("craftsman h7")).toBe("Lena sends a craftsman to h7: 2 clay, 1 point.");
    expect(line("carry e7 f7a")).toBe("Lena transports from e7 to f7a: food.");
    expect(line("build f7a carpentry-d")).toBe("Lena builds on f7a: Carpentry.");
  });

  test("reasons why not", () => {
    const why = (word: string, view: ViaNebulaView) => words.whyNot({ word }, position(view), context(view))?.text;
    const start = views[FIRST]!;
    expect(why("a2", start)).toBe("A tile must be next to an empty meadow or something of yours.");
    expect(why("j6", start)).toBe("You have no building site to transport resources to.");
    expect(why("c4", start)).toBe("Only Adventurers can place a tile here.");
    expect(why("store-b", start)).toBe("Store needs a site with clay, wheat.");
    const later = before("carry e7 f7a");
    expect(why("carpentry-d", later)).toBe("Carpentry: f7a still needs food.");
    expect(why("d9a", later)).toBe("This building site belongs to Mira.");
    expect(why("e6", later)).toBe("A petrified forest takes two actions; you have one left.");
    expect(words.whyNot({ verb: "build" }, position(start), context(start))).toEqual({ text: "None of your sites can fulfil a contract.", rule: "4.7" });
  });

  test("a turn ends with its second action, not with its first", () => {
    const [first, second, third] = [views[FIRST]!, views[FIRST + 1]!, views[FIRST + 2]!].map((view) => position(view));
    expect(words.ends("craftsman h7", first!, second!)).toBe(false);
    expect(words.ends("site f7a", second!, third!)).toBe(true);
    expect(words.ends("explore g6", position(before("explore g6")), position(after("explore g6")))).toBe(false);
  });

  test("the points of a guild add up, with what lies on the map set apart", () => {
    for (const view of views.slice(FIRST))
      for (const { seat, score } of view.guilds) {
        const sum = words.count(view, seat);
        expect(sum.tokens + sum.contracts + sum.explorers + sum.end + sum.storage + sum.lying).toBe(score);
        expect(sum.contracts).toBe(view.guilds[seat]!.contracts.reduce((all, card) => all + card.points, 0));
      }
    expect(words.earned(after("build f7a carpentry-d"), 0)).toBe(3);
  });

  test("the rows of the results add up to the points, but for the buildings, which are counted", () => {
    const view = views.at(-1)!;
    const [buildings, ...points] = words.results(view, context(view)).toReversed();
    expect(view.guilds.map((guild) => points.reduce((sum, { values }) => sum + (values[guild.seat] as number), 0))).toEqual(view.guilds.map(({ score }) => score));
    expect(buildings!.values).toEqual(view.guilds.map((guild) => `${5 - guild.buildings} / 5`));
  });

  test("no message is there for nothing", () => {
    const source = Object.values(import.meta.glob<string>("../*.{svelte,ts}", { eager: true, query: "?raw", import: "default" })).join("\n");
    const made = /^(game|rules|card|does|asks|tool|hex|do|log|doubt|editor|map\.name)\.|^(wood|stone|clay|wheat|food|known|likely|reconstructed|2-equal|3-different)$/;
    expect(Object.keys(en).filter((key) => !made.test(key) && !source.includes(`"${key}"`) && !source.includes(`'${key}'`))).toEqual([]);
  });
});

describe("the first match", () => {
  const { recording, steps } = tutorial;

  test("every awaited action is the recording's, and may be played", () => {
    for (const step of steps) {
      if (!step.await) continue;
      const frame = recording.frames[step.ply]!;
      expect(said(frame.entry)).toBe(step.await);
      expect(frame.legal).toContain(step.await);
      expect(frame.to_play).toBe(recording.seat);
    }
  });

  test("each of the learner's actions is awaited once, in order", () => {
    const own = recording.frames.flatMap((frame, ply) => (frame.to_play === recording.seat && frame.entry ? [ply] : []));
    expect(steps.filter((step) => step.await).map((step) => step.ply)).toEqual(own);
    expect(steps.map((step) => step.ply)).toEqual([...steps.map((step) => step.ply)].sort((a, b) => a - b));
  });

  test("every step has its text, and what it points at is there", () => {
    for (const step of steps) {
      expect(catalogue).toHaveProperty([step.text]);
      const view = views[step.ply]!;
      const known = new Set([
        ...view.hexes.flatMap((hex) => [`word:${hex.id}`, ...hex.places.map((place) => `word:${place.id}`)]),
        ...view.display.map((card) => `word:${card?.id}`),
        "pile0-0",
        "guild0",
      ]);
      for (const spot of step.show ?? []) expect(known, `${step.text}: ${spot}`).toContain(spot);
    }
  });
});

describe("a finger", () => {
  const grid = new Grid(true);
  const hexes = views.at(-1)!.hexes;
  const all = reachable(hexes, grid, () => true);
  const centre = (id: string) => grid.centre(hexes.find((hex) => hex.id === hexOf(id))!);

  test("means what it comes down on", () => {
    for (const [word, spot] of all) expect(nearestTo(spot, all, 60)).toBe(word);
  });

  test("means the nearest thing that may be chosen, if it is near", () => {
    const some = reachable(hexes, grid, (word) => word === "c4");
    const [x, y] = centre("c4");
    expect(nearestTo([x + 100, y], some, 120)).toBe("c4");
    expect(nearestTo([x + 130, y], some, 120)).toBeNull();
  });

  test("takes the whole ruin where only one of its places may be chosen", () => {
    const ruin = hexes.find((hex) => hex.places.length > 0)!;
    const [a, b] = [`${ruin.id}a`, `${ruin.id}b`];
    const halves = [{ ...ruin, places: [a, b].map((id) => ({ ...ruin.places[0]!, id })) }];
    const [x, y] = centre(a);
    expect(reachable(halves, grid, (word) => word === b)).toEqual([[b, [x, y]]]);
    const both = reachable(halves, grid, () => true);
    expect([nearestTo([x, y - 20], both, 100), nearestTo([x, y + 20], both, 100)]).toEqual([a, b]);
  });
});

describe("certainty", () => {
  /** The view, as it is with a component table in which everything is known. */
  const known = (view: ViaNebulaView) => JSON.parse(JSON.stringify(view).replace(/"(likely|reconstructed)"/g, '"known"')) as ViaNebulaView;

  test("is the table's in use, and a table where all is known shows no marks", () => {
    const view = views[FIRST]!;
    expect([doubts(view), mapDoubt(view)]).toEqual([["likely", "reconstructed"], "reconstructed"]);
    expect([doubts(known(view)), mapDoubt(known(view))]).toEqual([[], null]);
  });

  test("of the map is that of its least certain hex", () => {
    const view = known(views[FIRST]!);
    view.hexes[7]!.certainty = "likely";
    expect([doubts(view), mapDoubt(view)]).toEqual([["likely"], "likely"]);
  });

  test("of a card is told where it is not known", () => {
    const [card] = known(views[FIRST]!).display;
    const label = (certainties: Partial<ViaNebulaCard>) => words.cardLabel({ ...card!, ...certainties }, context(views[FIRST]!).t).replace(/^[^(]*/, "");
    expect([label({}), cardDoubt(card!)]).toEqual(["", null]);
    expect(label({ points_certainty: "likely" })).toBe("(points likely)");
    expect(label({ cost_certainty: "reconstructed", points_certainty: "likely" })).toBe("(cost reconstructed, points likely)");
    expect(cardDoubt({ ...card!, cost_certainty: "reconstructed", points_certainty: "likely" })).toBe("reconstructed");
  });
});
