/** What a component table in which everything is known looks like: no word of doubt in the rules. */
import { render } from "svelte/server";
import { beforeAll, describe, expect, test } from "vitest";
import { speech } from "../../../i18n/language.svelte";
import words from "../messages/en";
import Rules from "../Rules.svelte";

beforeAll(() => speech.learn("moon-leap", { en: async () => words }));

describe("the rules", () => {
  const found = (uncertain: boolean) => {
    const props = { t: speech.of("moon-leap"), game: "moon-leap", uncertain } as never;
    return render(Rules, { props }).body.match(/certain|likely|reconstruct|our guess/g) ?? [];
  };
  test("tell what is not certain", () => expect(found(true)).not.toEqual([]));
  test("say nothing of it where all is known", () => expect(found(false)).toEqual([]));
});
