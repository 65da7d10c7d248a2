import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { seatColour, seatShape } from "../src/play/frame/seatSigns";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const theme = new Map([...read("../src/app/theme.css").matchAll(/(--seat\d(?:-shade)?): (#\w{6});/g)].map(([, name, colour]) => [`var(${name})`, colour]));
const terminal = read("../../plenilune/core/drawing.py");
const signs = [...terminal.match(/SIGNS = "(.*)"/)![1]!];
const colours = terminal.match(/COLOURS = \((.*)\)/)![1]!.match(/#\w{6}/g)!;

describe("a seat's sign", () => {
  test("has the colour it has in the terminal, and a shade of it", () => {
    expect(colours.length).toBeGreaterThan(5);
    colours.forEach((colour, seat) => {
      expect(theme.get(seatColour(seat))).toBe(colour);
      expect(theme.has(seatColour(seat).replace(")", "-shade)"))).toBe(true);
    });
    expect(theme.size).toBe(2 * colours.length);
  });

  test("has a shape of its own wherever the terminal's has", () => {
    expect(new Set(signs.map((_, seat) => seatShape(seat))).size).toBe(signs.length);
    expect(seatShape(signs.length)).toBe(seatShape(0));
  });

  test("is no other's up to the product of both", () => {
    const many = signs.length * colours.length;
    expect(new Set(Array.from({ length: many }, (_, seat) => seatShape(seat) + seatColour(seat))).size).toBe(many);
  });
});
