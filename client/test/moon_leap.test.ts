import { describe, expect, test } from "vitest";
import type { Position, Telling } from "../src/board";
import { en } from "../src/games/moon_leap/messages/en";
import { fr } from "../src/games/moon_leap/messages/fr";
import { nl } from "../src/games/moon_leap/messages/nl";
import { ru } from "../src/games/moon_leap/messages/ru";
import { landings, outlook, worth } from "../src/games/moon_leap/outlook";
import { distance, layTrail, pieces, radius, wayOf, type Box } from "../src/games/moon_leap/places";
import * as telling from "../src/games/moon_leap/telling";
import { tutorial } from "../src/games/moon_leap/tutorial";
import { en as house } from "../src/i18n/messages/en";
import { format, holes, type Catalogue, type Language, type Message } from "../src/i18n/translate";
import { patched } from "../src/patch";
import type { LogEntry, MoonLeapView } from "../src/protocol";

const CATALOGUES: Record<Language, Catalogue> = { en, fr, nl, ru };

/** Every position of the first match. */
const match: Position<MoonLeapView>[] = [];
for (const frame of tutorial.recording.frames) {
  const view = patched(match.at(-1)?.view, frame.view) as MoonLeapView;
  match.push({ ...frame, ply: match.length, view });
}
const entries = tutorial.recording.frames.flatMap(({ entry }) => (entry ? [entry] : []));
const actionAt = (ply: number) => [entries[ply]!.key.split(".")[1], ...entries[ply]!.args].join(" ");
const lookAt = (ply: number) => outlook(actionAt(ply), match[ply]!.view, match[ply + 1]!.view);

function teller(language: Language, view: MoonLeapView): Telling<MoonLeapView, typeof en> {
  const words: Catalogue = CATALOGUES[language];
  const look = (key: string, args = {}) => format(words[key] ?? `missing ${key}`, args, language);
  return { t: (key, ...args) => look(key, args[0] ?? {}), look, name: (seat) => ["Lena", "Mira"][seat]!, view, mine: [0] };
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
  const at = (ply: number, legal = match[ply]!.legal) => telling.asks({ ...match[ply]!, legal }, english);

  test("what is asked, for every kind of roll", () => {
    expect(at(1)).toBe("Bring astronaut 3 in.");
    expect(at(9)).toBe("Leap with astronaut 3.");
    expect(at(5)).toBe("A star: any one of yours may go.");
    expect(at(27)).toBe("Go with 3, or split it: 1 and 2.");
    expect(at(31)).toBe("Go with 5, or split it: 1 and 4 or 2 and 3.");
    expect(at(31, ["split 2 3"])).toBe("Split the 5: 2 and 3.");
    expect(at(31, ["pass"])).toBe("Astronaut 5 cannot go on: pass.");
  });

  test("log lines, with and without what the action did", () => {
    const entry = (ply: number): LogEntry => ({ ...entries[ply]!, facts: telling.facts(entries[ply]!, match[ply]!.view, match[ply + 1]!.view) });
    expect(telling.log(entries[0]!, english)).toBe("The die shows 3");
    expect(telling.log(entry(4), english)).toBe("Lena rolls ✱");
    expect(telling.log(entries[27]!, english)).toBe("Lena goes with 1, then with 2");
    expect(telling.log(entry(17), english)).toBe("Lena: 5 takes a step – an extra turn");
    expect(telling.log(entry(25), english)).toBe("Mira: 2 leaps over two and passes the post");
    expect(telling.log(entry(59), english)).toBe("Lena: 1 leaps over three, then 4 leaps over three, and the match is over");
    expect(telling.log({ ...entry(59), key: "moon-leap.pass", args: [] }, english)).toBe("Lena has to pass");
  });

  test("why not", () => {
    const why = (word: string, ply: number) => telling.whyNot({ word }, match[ply]!, english);
    expect(why("2", 9)).toBe("The die shows 3, so your 3 goes. It can be split once somebody has passed the post.");
    expect(why("4", 27)).toBe("The die shows 3: go with 3, or with 1 and 2.");
    expect(why("2.5", 9)).toBe("That is Mira’s astronaut. You move your own.");
    expect(why("crater-30", 9)).toMatch(/^Choose an astronaut/);
    expect(why("crater-1", 9)).toMatch(/^One astronaut a crater/);
    expect(why("post", 27)).toMatch(/^The post for 2 players is passed/);
  });

  test("no language leaves a hole unfilled anywhere in a match", () => {
    for (const language of Object.keys(CATALOGUES) as Language[])
      match.slice(0, -1).forEach((position, ply) => {
        const entry = { ...entries[ply]!, facts: telling.facts(entries[ply]!, position.view, match[ply + 1]!.view) };
        const told = teller(language, position.view);
        const said = [telling.log(entry, told), telling.action(actionAt(ply), told), telling.how(lookAt(ply), told)];
        if (position.to_play === 0) said.push(telling.asks(position, told));
        for (const line of said) expect(line).not.toMatch(/[{}]|missing/);
      });
  });

  test("results add up", () => {
    const view = match.at(-1)!.view;
    const rows = telling.results(view, english);
    expect(view.scores.map((_, seat) => rows.reduce((sum, row) => sum + Number(row.values[seat]), 0))).toEqual([145, 58]);
  });
});

describe("four languages", () => {
  for (const [language, catalogue] of Object.entries(CATALOGUES)) {
    test(`${language} has every message, with the same holes`, () => {
      expect(Object.keys(catalogue)).toEqual(Object.keys(en));
      for (const [key, message] of Object.entries(catalogue)) expect([key, holes(message)]).toEqual([key, holes((en as Catalogue)[key]!)]);
    });
    test(`${language} has the plural forms its grammar needs`, () => {
      const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories.filter((form) => !(language === "fr" && form === "many"));
      for (const [key, message] of Object.entries(catalogue) as [string, Message][])
        if (typeof message !== "string") expect([key, Object.keys(message).sort()]).toEqual([key, [...needed].sort()]);
    });
  }
  test("no key is one of the house's own", () => expect(Object.keys(en).filter((key) => key in house)).toEqual([]));
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
