import { expect, test } from "vitest";
import type { ChatLine } from "../src/protocol/messages";
import { saying, unreadIn, withLine } from "../src/play/table/chat";

const line = (number: number, more: Partial<ChatLine> = {}): ChatLine => ({ kind: "chat", number, person: "ada", name: "Ada", seat: 0, text: `line ${number}`, phrase: null, at: 0, deleted: false, ...more });
const numbers = (chat: readonly ChatLine[]) => chat.map((one) => one.number);
const lookUp = (key: string) => ({ "phrase.hello": "Hallo!", "chat.removed": "Verwijderd" })[key] ?? null;

test("a new line comes last; numbers may start anywhere and have gaps", () => {
  expect(numbers(withLine([line(41), line(44)], line(47)))).toEqual([41, 44, 47]);
});

test("a line that comes late finds its place", () => {
  expect(numbers(withLine([line(41), line(44)], line(42)))).toEqual([41, 42, 44]);
});

test("a line that a moderator removed takes the place of the one that was said", () => {
  const after = withLine([line(1), line(2)], line(1, { text: "", deleted: true }));
  expect(numbers(after)).toEqual([1, 2]);
  expect(saying(after[0]!, lookUp)).toBe("Verwijderd");
});

test("only the last lines are kept", () => {
  let chat: readonly ChatLine[] = [];
  for (let number = 1; number <= 250; number++) chat = withLine(chat, line(number));
  expect([chat.length, chat[0]!.number]).toEqual([200, 51]);
});

test("a quick phrase is said in the reader's language, an unknown one as it is", () => {
  expect(saying(line(1, { text: "", phrase: "hello" }), lookUp)).toBe("Hallo!");
  expect(saying(line(1, { text: "", phrase: "howdy" }), lookUp)).toBe("howdy");
  expect(saying(line(1), lookUp)).toBe("line 1");
});

test("unread is what came after the last line read, without what was removed", () => {
  expect(unreadIn([line(41), line(44), line(47), line(48, { deleted: true })], 41)).toBe(2);
  expect(unreadIn([line(41)], 41)).toBe(0);
});
