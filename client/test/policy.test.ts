import { expect, test } from "vitest";

const sources = import.meta.glob<string>("../src/**/*.svelte", { eager: true, query: "?raw", import: "default" });

test("no element has a style written in the page: the server's content policy forbids it (style:name={…} is set by script, and allowed)", () => {
  const found = Object.entries(sources).flatMap(([path, text]) => (text.match(/\sstyle="[^"{]*"/g) ?? []).map((style) => `${path}: ${style.trim()}`));
  expect(found).toEqual([]);
});

test("no page asks for anything from elsewhere", () => {
  const known = /^https?:\/\/(www\.w3\.org|svelte\.dev)/;
  const found = Object.entries(sources).flatMap(([path, text]) => (text.match(/https?:\/\/[\w./-]+/g) ?? []).filter((url) => !known.test(url)).map((url) => `${path}: ${url}`));
  expect(found).toEqual([]);
});
