import { expect, test } from "vitest";
import { sections, spans } from "../src/play/generic/markdown";

const RULES = `# Lanterns

A game for
two.

## 1. Setup

1. Take a lantern:
   any of them.
2. Hang it.

- one

\`\`\`
a b

c
\`\`\`
`;

test("rules are sections with paragraphs, lists and code", () => {
  expect(sections(RULES)).toEqual([
    { title: "Lanterns", level: 1, blocks: [{ kind: "text", text: "A game for two." }] },
    {
      title: "1. Setup",
      level: 2,
      blocks: [
        { kind: "list", ordered: true, items: ["Take a lantern: any of them.", "Hang it."] },
        { kind: "list", ordered: false, items: ["one"] },
        { kind: "code", text: "a b\n\nc" },
      ],
    },
  ]);
});

test("nothing is not a section", () => expect(sections("\n\n")).toEqual([]));

test("bold, emphasis and code are told apart, and a link is its text", () => {
  expect(spans("the **moon** is `c4`, see *[rules](RULES.md)*")).toEqual([
    { kind: "text", text: "the " },
    { kind: "bold", text: "moon" },
    { kind: "text", text: " is " },
    { kind: "code", text: "c4" },
    { kind: "text", text: ", see " },
    { kind: "italic", text: "rules" },
  ]);
});
