/** Where rules say what a number names: elements carry the numbers of RULES.md in `data-rules`, "4.5 4.6" or "7". */

/** The element for a paragraph, or else for its chapter. */
export function cited(within: ParentNode, rule: string): HTMLElement | null {
  const all = [...within.querySelectorAll<HTMLElement>("[data-rules]")];
  const numbered = (number: string) => all.find((element) => element.dataset["rules"]!.split(" ").includes(number));
  return numbered(rule) ?? numbered(rule.split(".")[0]!) ?? null;
}

/** The number with which a paragraph of RULES.md begins: "**4.5 Carry.** …", "5.6 This holds …", "4. The six actions". */
export function numberOf(text: string): string | undefined {
  return /^(?:\*\*)?(\d+(?:\.\d+)*)\.?[\s*]/.exec(text)?.[1];
}
