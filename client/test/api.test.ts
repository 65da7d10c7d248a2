import { describe, expect, test } from "vitest";
import { api, endpoint } from "../src/net/api";

describe("what a link says stays one word of what is asked", () => {
  test.each(["../keys", "a/resign?", "a#b", "%2e%2e"])("%s", (word) => {
    const url = new URL(endpoint`/api/daily/${word}`, "http://here");
    expect(url.pathname.split("/")).toHaveLength(4);
    expect([url.search, url.hash]).toEqual(["", ""]);
    expect(decodeURIComponent(url.pathname.split("/")[3]!)).toBe(word);
  });

  test("and ids are as they are", () => {
    expect(api.matchFile("abcd234efgh567kk")).toBe("/api/tables/abcd234efgh567kk/match");
  });
});
