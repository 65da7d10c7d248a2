/**
 * Which messages come first: those that a table is opened with. The rest comes while one plays, and with whatever says
 * it. `games.plugin.ts` cuts every catalogue in two by this; `test/parts.test.ts` checks that nothing is missed.
 */
export type Part = "first" | "later";

/** Why the server refuses; the details that say more come later. */
const REASONS =
  "stale bad_request too_large wrong_origin unknown_guest forbidden not_found bad_setting bad_secret seat_taken not_started over not_over " +
  "not_your_turn unknown_action illegal_action cannot_continue resigned out_of_time banned too_often too_many unavailable";

/** What a table says, and what is said when something goes wrong there: these messages, and those that begin so. */
const AT_A_TABLE: readonly string[] = [
  ..."bot chat.removed curtain do drawer.log drawer.open drawer.unread ending.show error fair.breach fair.details guest".split(" "),
  ..."here.badFile here.blocked here.full here.newer here.botless here.save hint home.description home.offline home.patience home.preparing lack link".split(" "),
  ..."menu.open menu.return phrase reader.open rematch seat turn whynot".split(" "),
  ...REASONS.split(" ").map((reason) => `refused.${reason}`),
];

/** What a game's rules, its lesson and its editor say. */
const BESIDE_A_TABLE = /^(rules|page|learn|tutorial|editor)\./;

/** Of a message that belongs to no game. */
export function partOf(key: string): Part {
  return AT_A_TABLE.some((one) => key === one || key.startsWith(`${one}.`)) ? "first" : "later";
}

/** Of a game's message. */
export function gamePartOf(key: string): Part {
  return BESIDE_A_TABLE.test(key) ? "later" : "first";
}
