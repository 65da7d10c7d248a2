import { describe, expect, test } from "vitest";
import type { LogEntry, Position, SentenceContext } from "../../../play/board";
import en, { type Words } from "../messages/en";
import { landings, outlook, worth } from "../outlook";
import { distance, FINGER, layTrail, pieces, radius, wayOf, type Box } from "../places";
import * as context from "../sentences";
import { tutorial } from "../tutorial";
import { format, type Catalogue } from "../../../i18n/translate";
import { followed, type View } from "../../../play/patch";
import type { MoonLeapView } from "../view";

const files = import.meta.glob<Catalogue>("../messages/*.ts", { import: "default", eager: true });
const CATALOGUES: Record<string, Catalogue> = Object.fromEntries(Object.entries(files).map(([path, words]) => [path.split("/").at(-1)!.slice(0, 2), words]));

/** Every position of the first match. */
const match: Position<MoonLeapView>[] = [];
for (const frame of tutorial.recording.frames) {
  const view = followed((match.at(-1)?.view ?? {}) as View, frame) as unknown as MoonLeapView;
  match.push({ ...frame, ply: match.length, view });
}
const entries = tutorial.recording.frames.flatMap(({ entry }) => (entry ? [entry] : []));
const actionAt = (ply: number) => [entries[ply]!.key.split(".")[1], ...entries[ply]!.args].join(" ");
const lookAt = (ply: number) => outlook(actionAt(ply), match[ply]!.view, match[ply + 1]!.view);

function teller(language: string, view: MoonLeapView): SentenceContext<MoonLeapView, Words> {
  const words = CATALOGUES[language]!;
  const lookUp = (key: string, args = {}) => format(words[key] ?? `missing ${key}`, args, language);
  return { t: (key, ...args) => lookUp(key, args[0] ?? {}), lookUp, name: (seat) => ["Lena", "Mira"][seat]!, view, mine: [0] };
}
const english = teller("en", match[0]!.view);

describe("the trail", () => {
  const STAGES: [string, Box, boolean][] = [
    ["a desk", { x: 0, y: 0, w: 1064, h: 844 }, false],
    ["a laptop", { x: 0, y: 0, w: 904, h: 664 }, false],
    ["4K", { x: 0, y: 0, w: 2900, h: 2104 }, false],
    ["a phone", { x: 0, y: 0, w: 390, h: 484 }, true],
    ["a narrow phone", { x: 0, y: 0, w: 360, h: 380 }, true],
    ["a tablet", { x: 0, y: 0, w: 820, h: 760 }, true],
  ];
  for (const [name, box, narrow] of STAGES)
    for (const count of [20, 37, 60])
      test(`${count} craters fit ${name} and do not touch`, () => {
        const trail = layTrail(box, count, narrow);
        const spots = Array.from({ length: count }, (_, i) => trail.at(i + 1));
        spots.forEach((spot, i) => {
          const r = radius(trail, i + 1);
          expect(spot.x - r).toBeGreaterThan(box.x);
          expect(spot.x + r).toBeLessThan(box.x + box.w);
          expect(spot.y - r).toBeGreaterThan(box.y + 40); // below the status line
          expect(spot.y + r).toBeLessThan(box.y + box.h);
          spots.slice(i + 1).forEach((other, j) => expect(distance(spot, other)).toBeGreaterThan(0.98 * (r + radius(trail, i + j + 2))));
        });
      });

  test("craters are large enough for a finger on a phone", () => {
    expect(2 * layTrail({ x: 0, y: 0, w: 390, h: 484 }, 37, true).r).toBeGreaterThan(36);
  });

  test("a finger finds the first of a full row on a phone, although the screen ends beside it", () => {
    for (const w of [360, 390, 430]) {
      const placed = pieces(match[0]!.view, layTrail({ x: 0, y: 0, w, h: 484 }, 37, true), 0);
      expect(Math.min(...placed.map(({ x }) => x))).toBeGreaterThanOrEqual(FINGER / 2 - 0.1);
    }
  });

  test("everybody stands somewhere else, also while all wait", () => {
    const trail = layTrail({ x: 0, y: 0, w: 390, h: 484 }, 37, true);
    for (const { view } of [match[0]!, match[20]!, match.at(-1)!]) {
      const placed = pieces(view, trail, 0);
      expect(placed.map(({ id }) => id)).toEqual(view.pawns.map(({ id }) => id));
      placed.forEach((one, i) => placed.slice(i + 1).forEach((other) => expect(distance(one, other)).toBeGreaterThan(15)));
    }
  });

  test("four seats' twenty astronauts wait beside the track, not on it", () => {
    const view = { ...match[0]!.view, pawns: [0, 1, 2, 3].flatMap((seat) => [1, 2, 3, 4, 5].map((number) => ({ id: `${seat + 1}.${number}`, seat, number, space: 0 }))) };
    for (const [, box, narrow] of STAGES) {
      const trail = layTrail(box, 37, narrow);
      for (const piece of pieces(view, trail, 2)) {
        expect(piece.x - piece.size / 2).toBeGreaterThan(box.x - 3);
        expect(piece.x + piece.size / 2).toBeLessThan(trail.at(1).x - trail.r);
      }
    }
  });

  test("a leap ends at the rim of its crater, near or far", () => {
    const trail = layTrail({ x: 0, y: 0, w: 1064, h: 844 }, 37, false);
    for (const leap of [{ from: 1, to: 4 }, { from: 8, to: 10 }, { from: 5, to: 19 }, { from: 0, to: 3 }, { from: 0, to: 14 }, { from: 33, to: 37 }]) {
      const way = wayOf(trail, leap, { x: 60, y: 700 });
      expect(distance(way.end, trail.at(leap.to))).toBeCloseTo(radius(trail, leap.to), -1);
    }
  });
});

describe("what an action does", () => {
  test("a leap over three", () => expect(lookAt(9).leaps).toEqual([{ id: "1.3", seat: 0, number: 3, from: 1, to: 5, over: 3 }]));

  test("three in a row earn an extra turn", () => {
    expect(lookAt(17)).toMatchObject({ extra: true, run: [4, 6], ends: false });
    expect(lookAt(19)).toMatchObject({ extra: false, run: null });
  });

  test("the post is passed once", () => expect(entries.map((_, ply) => ply).filter((ply) => lookAt(ply).opens)).toEqual([25]));

  test("a split tells its leaps in the order they were played", () => expect(lookAt(59).leaps.map(({ number, to }) => [number, to])).toEqual([[1, 36], [4, 37]]));

  test("the last leap ends the match, and its gain is what the seat's score has risen by", () => {
    expect(lookAt(59)).toMatchObject({ ends: true, extra: false, gain: match[60]!.scores[0]! - match[59]!.scores[0]! });
  });

  test("where two choices disagree about who lands, nobody is named", () => {
    const [one, two] = [{ to: 5, number: 1 }, { to: 5, number: 2 }].map((leap) => ({ ...lookAt(9), leaps: [{ ...lookAt(9).leaps[0]!, ...leap }] }));
    expect(landings([one!, two!, one!])).toEqual(new Map([[5, null]]));
  });

  test("the astronauts' worths make the score", () => {
    for (const { view } of match)
      view.scores.forEach((score, seat) => expect([1, 2, 3, 4, 5].reduce((sum, number) => sum + worth(view, seat, number), 0)).toBe(score));
  });
});

describe("what is said", () => {
  const at = (ply: number, legal = match[ply]!.legal) => context.asks({ ...match[ply]!, legal }, english);

  test("what is asked, for every kind of roll", () => {
    expect(at(1)).toBe("Place astronaut 3.");
    expect(at(9)).toBe("Move astronaut 3.");
    expect(at(5)).toBe("A star: move any of your astronauts.");
    expect(at(27)).toBe("Move 3, or split it: 1 and 2.");
    expect(at(31)).toBe("Move 5, or split it: 1 and 4 or 2 and 3.");
    expect(at(31, ["split 2 3"])).toBe("Split the 5: 2 and 3.");
    expect(at(31, ["pass"])).toBe("Astronaut 5 can’t move: pass.");
  });

  test("log lines, with and without what the action did", () => {
    const entry = (ply: number): LogEntry => ({ ...entries[ply]!, facts: context.facts(entries[ply]!, match[ply]!.view, match[ply + 1]!.view) });
    expect(context.log(entries[0]!, english)).toBe("The die shows 3");
    expect(context.log(entry(4), english)).toBe("Lena rolls ✱");
    expect(context.log(entries[27]!, english)).toBe("Lena moves 1, then 2");
    expect(context.log(entry(17), english)).toBe("Lena: 5 moves one space – extra turn");
    expect(context.log(entry(25), english)).toBe("Mira: 2 leaps over two and passes the marker");
    expect(context.log(entry(59), english)).toBe("Lena: 1 leaps over three, then 4 leaps over three, and the game is over");
    expect(context.log({ ...entry(59), key: "moon-leap.pass", args: [] }, english)).toBe("Lena must pass");
  });

  test("why not", () => {
    const why = (word: string, ply: number) => context.whyNot({ word }, match[ply]!, english)?.text;
    expect(why("2", 9)).toBe("You rolled a 3, so your 3 must move. You can split a roll only once someone has passed the marker.");
    expect(why("4", 27)).toBe("You rolled a 3: move 3, or 1 and 2.");
    expect(why("2.5", 9)).toBe("That is Mira’s astronaut. You move your own.");
    expect(why("crater-30", 9)).toMatch(/^Choose an astronaut/);
    expect(why("crater-1", 9)).toMatch(/^Only one astronaut per crater/);
    expect(why("post", 27)).toMatch(/^The marker for 2 players has been passed/);
    expect(context.whyNot({ word: "4" }, match[27]!, english)?.rule).toBe("5.2");
  });

  test("no language leaves a hole unfilled anywhere in a match", () => {
    for (const language of Object.keys(CATALOGUES))
      match.slice(0, -1).forEach((position, ply) => {
        const entry = { ...entries[ply]!, facts: context.facts(entries[ply]!, position.view, match[ply + 1]!.view) };
        const told = teller(language, position.view);
        const said = [context.log(entry, told), context.action(actionAt(ply), told), context.how(lookAt(ply), told)];
        if (position.to_play === 0) said.push(context.asks(position, told));
        for (const line of said) expect(line).not.toMatch(/[{}]|missing/);
      });
  });

  test("results add up", () => {
    const view = match.at(-1)!.view;
    const rows = context.results(view, english);
    expect(view.scores.map((_, seat) => rows.reduce((sum, row) => sum + Number(row.values[seat]), 0))).toEqual([145, 58]);
  });
});

describe("the first match", () => {
  test("every step has its text, and they follow one another", () => {
    const plies = tutorial.steps.map(({ ply }) => ply);
    expect(plies).toEqual([...plies].sort((a, b) => a - b));
    for (const { text } of tutorial.steps) expect(en).toHaveProperty([text]);
  });

  test("what is awaited is legal there and is what the recording plays", () => {
    const awaited = tutorial.steps.filter((step) => step.await);
    expect(awaited.length).toBeGreaterThan(7);
    for (const step of awaited) {
      expect(match[step.ply]!.to_play).toBe(tutorial.recording.seat);
      expect(match[step.ply]!.legal).toContain(step.await);
      expect(actionAt(step.ply)).toBe(step.await);
    }
  });

  test("it is played to the end, and the learner wins", () => expect(match.at(-1)).toMatchObject({ to_play: -2, places: [1, 2] }));
});
