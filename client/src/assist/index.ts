/** What a page that is connected to a server computes itself: loaded when it is first needed. */
import type { ReviewRemark, TableInfo } from "../protocol/messages";
import { Bots } from "../bots/bots";
import { gameInfo, loadRules } from "../rules/load";
import { Match } from "../rules/match";
import type { Rules } from "../rules/rules";
import { Assistant, type Surroundings } from "./assistant";

/** An assistant for this table, or null if there can be none: the game has secrets, or its rules are not here. */
export async function assistantFor(table: TableInfo, around: Omit<Surroundings, "hireBots">): Promise<Assistant | null> {
  const rules = await rulesOf(table);
  return rules && new Assistant(rules, { ...around, hireBots: (rules) => Promise.resolve(new Bots(rules)) });
}

async function rulesOf({ game, rules: version, components }: TableInfo): Promise<Rules | null> {
  try {
    if ((await gameInfo(game)).secrets) return null;
    const rules = await loadRules(game, version);
    return rules.manifest.components === components ? rules : null;
  } catch {
    return null; // the server is there
  }
}

/** A remark on every action of a match that is over. Throws if the match cannot be replayed here. */
export async function* review(file: string, stop: AbortSignal): AsyncGenerator<ReviewRemark> {
  const match = await Match.load(file);
  const bots = new Bots(match.rules);
  try {
    yield* bots.review(match, stop);
  } finally {
    bots.close();
  }
}
