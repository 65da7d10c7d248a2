import { describe, expect, test } from "vitest";
import { commitment, hex, hmac, pick, plainHmac, plainSha256, sha256 } from "../src/dice";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("the dice, done again in the browser", () => {
  test("the fingerprint is the one the package publishes", async () => {
    expect((await commitment("7")).slice(0, 16)).toBe("7902699be42c8a8e"); // as in plenilune/dice.py
  });

  test("our own SHA-256 and HMAC say what WebCrypto says, at every length round a block", async () => {
    for (const length of [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 200]) {
      const text = "moon".repeat(60).slice(0, length);
      expect(hex(plainSha256(bytes(text)))).toBe(hex(await sha256(bytes(text))));
      expect(hex(plainHmac(bytes(text || "k"), bytes("12.0")))).toBe(hex(await hmac(text || "k", "12.0")));
    }
  });

  test("rolls are those of the package: seed apollo of Moon Leap rolls 4, then 3", async () => {
    const faces = ["1", "2", "3", "4", "5", "*"];
    expect(faces[(await pick("apollo", 0, 6)).index]).toBe("4");
    expect(faces[(await pick("apollo", 2, 6)).index]).toBe("3");
  });
});
