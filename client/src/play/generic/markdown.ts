/** The part of Markdown that rules are written in: headings, paragraphs, lists, code, bold and emphasis. */

interface Section {
  title: string;
  level: number; // of its heading; 0 before the first one
  blocks: Block[];
}

type Block = { kind: "text"; text: string } | { kind: "code"; text: string } | { kind: "list"; ordered: boolean; items: string[] };

interface Span {
  kind: "text" | "code" | "bold" | "italic";
  text: string;
}

const ITEM = /^\s*(?:[-*]|(\d+)\.)\s+(.*)$/;

export function sections(markdown: string): Section[] {
  const found: Section[] = [{ title: "", level: 0, blocks: [] }];
  for (const chunk of chunks(markdown)) {
    const heading = /^(#+)\s+(.*)$/.exec(chunk[0]!);
    if (heading) found.push({ title: heading[2]!, level: heading[1]!.length, blocks: [] });
    else found.at(-1)!.blocks.push(block(chunk));
  }
  return found.filter((section) => section.title || section.blocks.length > 0);
}

/** Lines that belong together: separated by blank lines, headings, and fences around code. */
function chunks(markdown: string): string[][] {
  const found: string[][] = [];
  let open: string[] | null = null;
  for (const line of markdown.split("\n")) {
    const fenced: boolean = open?.[0]?.startsWith("```") ?? false;
    if (!fenced && (line.trim() === "" || line.startsWith("#"))) {
      if (line.startsWith("#")) found.push([line]);
      open = null;
    } else if (open) open.push(line);
    else found.push((open = [line]));
    if (fenced && line.startsWith("```")) open = null;
  }
  return found;
}

function block(lines: readonly string[]): Block {
  if (lines[0]!.startsWith("```")) return { kind: "code", text: lines.slice(1, -1).join("\n") };
  if (lines[0]!.startsWith("|")) return { kind: "code", text: lines.join("\n") };
  const first = ITEM.exec(lines[0]!);
  if (!first) return { kind: "text", text: joined(lines) };
  return { kind: "list", ordered: first[1] !== undefined, items: items(lines) };
}

function items(lines: readonly string[]): string[] {
  const found: string[][] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item) found.push([item[2]!]);
    else found.at(-1)!.push(line);
  }
  return found.map(joined);
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(" ");
}

/** A line's parts; a link is its text. */
export function spans(text: string): Span[] {
  const plain = text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
  return plain
    .split(/(\*\*[^*]+\*\*|`[^`]+`|\*[^*]+\*)/)
    .filter((part) => part)
    .map((part): Span => {
      if (part.startsWith("**")) return { kind: "bold", text: part.slice(2, -2) };
      if (part.startsWith("`")) return { kind: "code", text: part.slice(1, -1) };
      return part.length > 2 && part.startsWith("*") && part.endsWith("*") ? { kind: "italic", text: part.slice(1, -1) } : { kind: "text", text: part };
    });
}
