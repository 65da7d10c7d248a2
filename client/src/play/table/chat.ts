import type { LookUp } from "../../i18n/translate";
import type { ChatLine } from "../../protocol/messages";

const MOST = 200; // lines

/** The chat with one more line; a line that is known already is replaced. */
export function withLine(chat: readonly ChatLine[], line: ChatLine): readonly ChatLine[] {
  const at = chat.findIndex((known) => known.number === line.number);
  if (at >= 0) return chat.with(at, line);
  return [...chat, line].sort((a, b) => a.number - b.number).slice(-MOST);
}

/** What a line says, in the reader's language if it is a quick phrase. */
export function saying(line: ChatLine, lookUp: LookUp): string {
  if (line.deleted) return lookUp("chat.removed") ?? "";
  return line.phrase ? (lookUp(`phrase.${line.phrase}`) ?? line.phrase) : line.text;
}

/** How many lines came after the last one that was read. Numbers may have gaps. */
export function unreadIn(chat: readonly ChatLine[], read: number): number {
  return chat.filter((line) => line.number > read && !line.deleted).length;
}
