/** What a component table in which everything is known looks like: no mark and no word of doubt, on the page or aloud. */
import type { Component } from "svelte";
import { render } from "svelte/server";
import { beforeAll, describe, expect, test } from "vitest";
import { speech } from "../../../i18n/language.svelte";
import Card from "../Card.svelte";
import ContractPiece from "../ContractPiece.svelte";
import ContractsSheet from "../ContractsSheet.svelte";
import MapNote from "../MapNote.svelte";
import PieceArt from "../PieceArt.svelte";
import Rules from "../Rules.svelte";
import Supply from "../Supply.svelte";
import { tutorial } from "../tutorial";
import type { ViaNebulaView } from "../view";
import words from "../messages/en";
import { followed, type View } from "../../../play/patch";

const shipped = tutorial.recording.frames.reduce((view, frame) => followed(view, frame), {} as View) as unknown as ViaNebulaView;
const known = JSON.parse(JSON.stringify(shipped).replace(/"(likely|reconstructed)"/g, '"known"')) as ViaNebulaView;

beforeAll(async () => {
  await speech.learn("via-nebula", { en: async () => words });
});

/** The marks and words of doubt in a part of the page, as readers and screen readers have it. */
function doubts(part: Component<never>, props: unknown): string[] {
  const page = render(part as Component<Record<string, unknown>>, { props: props as Record<string, unknown> }).body;
  return page.replace(/<symbol .*?<\/symbol>/g, "").match(/certain|likely|reconstruct|known|our guess/g) ?? [];
}

const t = speech.of("via-nebula");
const card = (view: ViaNebulaView) => ({ card: view.display[0]!, width: 120, height: 160, t });
const small = (view: ViaNebulaView) => ({ ...card(view), width: 64, height: 80, small: true });
const choice = { target: (_: unknown, label: string) => ({ "aria-label": label }) };
const piece = (view: ViaNebulaView) => ({ ...card(view), box: { x: 0, y: 0, w: 120, h: 160 }, small: false, holder: null, has: null, would: null, choice, hinted: false });
const token = (view: ViaNebulaView) => ({ kind: "token", seat: null, token: view.hexes.flatMap((hex) => hex.token ?? []).find((one) => one.id !== "wood-3a") });
const box = { x: 0, y: 0, w: 300, h: 90 };

describe.each<[string, unknown, (view: ViaNebulaView) => unknown]>([
  ["a card", Card, card],
  ["a small card", Card, small],
  ["a card on the table", ContractPiece, piece],
  ["a token", PieceArt, token],
  ["the map", MapNote, (view) => ({ view, map: { box }, small: false, t, onopen: () => undefined })],
  ["what lies beside the valley", Supply, (view) => ({ view, box, shape: "wide", t, name: () => "Lena" })],
  ["the contracts", ContractsSheet, (view) => ({ view, front: 0, t })],
])("%s", (_, part, props) => {
  test("bears a mark where something is not certain", () => expect(doubts(part as Component<never>, props(shipped))).not.toEqual([]));
  test("bears none where all is known", () => expect(doubts(part as Component<never>, props(known))).toEqual([]));
});

describe("the rules", () => {
  const found = (uncertain: boolean) => doubts(Rules as Component<never>, { t, game: "via-nebula", uncertain });
  test("tell what is not certain", () => expect(found(true)).not.toEqual([]));
  test("say nothing of it where all is known", () => expect(found(false)).toEqual([]));
});
