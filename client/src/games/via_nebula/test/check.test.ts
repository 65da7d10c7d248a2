import { expect, test } from "vitest";
import { problems, readRows, SHIPPED, uncertain } from "../editor/check";
import corpus from "./corpus.json";

const LINES = SHIPPED.split("\n");

test.each(corpus)("the editor finds the same as Python: $name", ({ before, after, lines, problems: found, uncertain: unsure }) => {
  const text = [...LINES.slice(0, before), ...lines, ...LINES.slice(LINES.length - after)].join("\n");
  const rows = readRows(text);
  expect(problems(rows).map(({ line, key, words }) => [line, key, words])).toEqual(found);
  expect(uncertain(rows).map((row) => row.line)).toEqual(unsure);
});
