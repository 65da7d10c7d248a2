import { expect, test } from "vitest";
import { Refusal, reasonOf } from "../src/net/api";
import { delay, insist, passes } from "../src/net/backoff";

test("tries come less and less often, at most every twenty-one seconds, and never all at the same moment", () => {
  expect(delay(0, 0.5)).toBeLessThan(500);
  expect(delay(4, 0.5)).toBeGreaterThan(delay(3, 0.5));
  expect(delay(50, 1)).toBeLessThanOrEqual(21_000);
  expect(delay(3, 0)).not.toBe(delay(3, 1));
});

test("a busy server is asked again, one that refuses for good is not", () => {
  for (const reason of ["unreachable", "unavailable", "too_often"] as const) expect(passes(new Refusal(reason, ""))).toBe(true);
  for (const reason of ["banned", "not_found", "too_many", "forbidden"] as const) expect(passes(new Refusal(reason, ""))).toBe(false);
  expect(passes(new Error("a mistake of ours"))).toBe(false);
});

test("somebody insists until it works, waiting longer and longer", async () => {
  const waits: number[] = [];
  let tries = 0;
  const work = async () => {
    if (++tries < 5) throw new Refusal("unavailable", "busy");
    return "done";
  };
  const told: unknown[] = [];
  const found = await insist(work, { failed: (error) => told.push(error), abandoned: () => false, wait: async (time) => void waits.push(time) });
  expect([found, tries, told.length]).toEqual(["done", 5, 4]);
  expect(waits[3]!).toBeGreaterThan(waits[0]!);
});

test("nobody insists on what is refused, or once nobody needs it", async () => {
  const quiet = { failed: () => undefined, wait: async () => undefined };
  await expect(insist(() => Promise.reject(new Refusal("banned", "")), { ...quiet, abandoned: () => false })).rejects.toThrow();
  await expect(insist(() => Promise.reject(new Refusal("unavailable", "")), { ...quiet, abandoned: () => true })).rejects.toThrow();
});

test("a proxy's answer without a reason has one after all", () => {
  expect([503, 502, 500, 429, 413, 404, 403, 400].map(reasonOf)).toEqual(["unavailable", "unavailable", "unavailable", "too_often", "too_large", "not_found", "forbidden", "bad_request"]);
});
