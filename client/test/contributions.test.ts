import { describe, expect, test } from "vitest";
import { blindContribution, breach, check, contribution, forget, keep, recall, witnessed, type Store } from "../src/dice/contributions";
import { newNonce } from "../src/dice/nonce";

const seen = { commitment: "c0", nonces: ["ada"] };
const mine = contribution("ben", seen, false);
const last = contribution("ben", seen, true);
const begun = { commitment: "c0", nonces: ["ada", "ben", "cleo"] };

function store(): Store & { items: Map<string, string> } {
  const items = new Map<string, string>();
  return { items, getItem: (key) => items.get(key) ?? null, setItem: (key, value) => void items.set(key, value) };
}

test("a nonce is 128 random bits", () => {
  const nonces = Array.from({ length: 50 }, newNonce);
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(nonces).size).toBe(50);
});

describe("what an honest server shows is accepted", () => {
  test("others may add their nonces after mine, while seats are free", () => {
    expect(breach(mine, { commitment: "c0", nonces: ["ada", "ben"] })).toBe(null);
    expect(breach(mine, begun)).toBe(null);
  });

  test("nobody adds one after me if I took the last free seat", () => {
    expect(breach(last, { commitment: "c0", nonces: ["ada", "ben"] })).toBe(null);
    expect(witnessed(last, { commitment: "c0", nonces: ["ada", "ben"] }, true)).toEqual(last);
  });

  test("and once the match has begun, the same list again and again", () => {
    expect(breach(witnessed(mine, begun, true), begun)).toBe(null);
  });
});

describe("a server is caught that", () => {
  test("shows another commitment than before", () => {
    expect(breach(mine, { commitment: "c1", nonces: ["ada", "ben"] })).toBe("commitment");
  });

  test("leaves my nonce out", () => {
    expect(breach(mine, { commitment: "c0", nonces: ["ada"] })).toBe("nonce");
    expect(breach(mine, { commitment: "c0", nonces: [] })).toBe("nonce");
  });

  test("changes, drops or reorders a nonce that I saw before I added mine", () => {
    expect(breach(mine, { commitment: "c0", nonces: ["eve", "ben"] })).toBe("nonces");
    expect(breach(mine, { commitment: "c0", nonces: ["ben"] })).toBe("nonces");
    expect(breach(mine, { commitment: "c0", nonces: ["ben", "ada"] })).toBe("nonces");
    expect(breach(contribution("ben", { commitment: "c0", nonces: [] }, true), begun)).toBe("nonces");
  });

  test("adds a nonce once it has read mine, which took the last free seat: it could have chosen it to get the dice it wants", () => {
    expect(breach(last, { commitment: "c0", nonces: ["ada", "ben", "eve"] })).toBe("nonces");
    expect(breach(last, { commitment: "c0", nonces: ["ada", "eve", "ben"] })).toBe("nonces");
  });

  test("slips a nonce in before mine", () => {
    expect(breach(mine, { commitment: "c0", nonces: ["ada", "eve", "ben"] })).toBe("nonces");
  });

  test("does so to a browser that kept its nonce before it knew the place", () => {
    const older = { nonce: "ben", commitment: "c0", nonces: ["ada"], fixed: false, blind: false };
    expect(breach(older, begun)).toBe(null);
    expect(breach(older, { commitment: "c0", nonces: ["eve", "ben"] })).toBe("nonces");
    expect(breach(older, { commitment: "c0", nonces: ["ada"] })).toBe("nonce");
  });

  test("uses a nonce with a commitment that came later: it is marked, and may not change again", () => {
    const blind = blindContribution("ben", begun);
    expect(blind).toMatchObject({ commitment: "c0", blind: true });
    expect(breach(blind, begun)).toBe(null);
    expect(breach(blind, { ...begun, commitment: "c1" })).toBe("commitment");
  });

  test("changes a nonce that I saw after mine", () => {
    const later = witnessed(mine, begun, false);
    expect(breach(later, { commitment: "c0", nonces: ["ada", "ben", "eve"] })).toBe("nonces");
  });

  test("adds a nonce after the match has begun", () => {
    const fixed = witnessed(mine, begun, true);
    expect(breach(fixed, { commitment: "c0", nonces: [...begun.nonces, "eve"] })).toBe("nonces");
  });
});

describe("contributions are kept in the browser", () => {
  test("and checked whenever the server shows the dice", () => {
    const place = store();
    keep("m1", mine, place);
    expect(check("m1", { commitment: "c0", nonces: ["ada", "ben"] }, false, place)).toBe(null);
    expect(check("m1", begun, true, place)).toBe(null);
    expect(recall("m1", place)).toMatchObject({ nonces: begun.nonces, fixed: true });
    expect(check("m1", { commitment: "c0", nonces: ["ada", "ben"] }, true, place)).toBe("nonces");
    expect(check("m1", begun, true, place)).toBe(null); // what was wrong is not remembered as if it were right
  });

  test("a match that this browser added nothing to cannot be checked", () => {
    expect(check("m2", begun, true, store())).toBe(null);
  });

  test("the oldest are forgotten after two hundred matches", () => {
    const place = store();
    for (let i = 0; i < 230; i++) keep(`m${i}`, mine, place);
    expect(recall("m29", place)).toBe(null);
    expect(recall("m30", place)).toEqual(mine);
    expect(JSON.parse([...place.items.values()][0]!)).toHaveLength(200);
  });

  test("one match is kept once, and can be forgotten", () => {
    const place = store();
    keep("m1", mine, place);
    keep("m1", { ...mine, nonce: "new" }, place);
    expect(JSON.parse([...place.items.values()][0]!)).toHaveLength(1);
    forget("m1", place);
    expect(recall("m1", place)).toBe(null);
  });

  test("a browser that keeps nothing, or nonsense, goes on without", () => {
    const full: Store = { getItem: () => "{", setItem: () => { throw new Error("full"); } }; // prettier-ignore
    expect(() => keep("m1", mine, full)).not.toThrow();
    expect(recall("m1", full)).toBe(null);
  });

  test.each([[1], [[1]], [["m1"]], [["m1", null]], [["m1", 7]], [["m1", {}]], [["m1", { ...mine, nonces: [1] }]], [["m1", { ...mine, fixed: undefined }]], { m1: mine }, null, "m1"])(
    "what is no contribution is forgotten, and what is one is kept: %j",
    (damaged) => {
      const entries = Array.isArray(damaged) ? [...damaged, ["m2", mine]] : damaged;
      const place: Store = { getItem: () => JSON.stringify(entries), setItem: () => undefined };
      expect(recall("m1", place)).toBe(null);
      expect(check("m1", begun, true, place)).toBe(null);
      expect(recall("m2", place)).toEqual(Array.isArray(damaged) ? mine : null);
      expect(() => forget("m1", place)).not.toThrow();
    },
  );
});
