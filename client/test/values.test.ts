import { expect, test } from "vitest";
import { valuesFrom } from "../src/browser/values";

const USUAL = { language: "nl", theme: "system", motion: "system", confirm: "turn", pace: "calm" };
const from = (asked: string, saved: unknown) => valuesFrom(new URLSearchParams(asked), saved, ["nl-BE", "en"]);

test("what was saved holds, and what the address asks for before it", () => {
  const saved = { language: "ru", theme: "light", motion: "still", confirm: "never", pace: "quick" };
  expect(from("", saved)).toEqual(saved);
  expect(from("language=qq&theme=dark&motion=full", saved)).toEqual({ ...saved, language: "qq", theme: "dark", motion: "full" });
});

test.each([null, "null", 7, [], "dark", { language: "xx", theme: "purple", motion: 1, confirm: null, pace: {} }, { language: "constructor" }])("what is damaged counts for nothing: %j", (saved) => {
  expect(from("", saved)).toEqual(USUAL);
});

test("nor does what an address asks for that there is not", () => {
  expect(from("language=toString&theme=purple&motion=", null)).toEqual(USUAL);
  expect(from("theme=purple", { theme: "dark" }).theme).toBe("dark");
});
