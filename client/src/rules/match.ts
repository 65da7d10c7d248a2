/** A match, and its file (`plenilune/match.py`): a position, the actions that led to it, and perhaps dice that play chance. */
import { diceKey, pick } from "../dice/dice";
import { Refusal } from "../protocol/refusal";
import { gameInfo, loadRules, NoRules } from "./load";
import type { IndexedGame, Manifest } from "./manifest";
import { Position } from "./position";
import { BadMatch, compare, isSeed, quoted, refuse, Replay, STANDARD } from "./replay";
import { CHANCE, OVER, type Rules } from "./rules";

export { BadMatch } from "./replay";

/** Dice: a seed, and what the players added to it. */
export interface Seed {
  seed: string;
  nonces: readonly string[];
}

const NONCE = /^[0-9a-f]{32}$/;

/** Where rules come from. */
export interface RulesSource {
  info: (game: string) => Promise<IndexedGame>;
  rules: (game: string, version: number) => Promise<Rules>;
}

const FETCHED: RulesSource = { info: gameInfo, rules: loadRules };

/** A match with a seed plays chance by itself; without one, chance waits to be played like any seat. */
export class Match {
  readonly options: Readonly<Record<string, string>>;
  readonly positions: Position[]; // before each action, and after the last
  readonly history: string[] = []; // actions
  /** What a saved match holds besides the match: further headers, comments. */
  private said = new Replay();
  private key = "";

  constructor(
    readonly rules: Rules,
    readonly seats: number,
    options: Readonly<Record<string, string>>,
    private dice: Seed | null = null,
  ) {
    this.options = rules.chosen(options);
    this.positions = [Position.begin(rules, seats, options)];
    this.take(dice);
  }

  get position(): Position {
    return this.positions.at(-1)!;
  }

  get seed(): Seed | null {
    return this.dice;
  }

  /** Play an action, and then chance's if there is a seed. */
  play(text: string): void {
    this.step(text);
    this.roll();
  }

  /** The match as text, with everything that is hidden in it. */
  save(): string {
    const { rules, seats, options, dice, position } = this;
    const saved = new Replay();
    const scores = position.toPlay === OVER ? position.standing().scores : null;
    saved.say(standardHeaders(rules.manifest, seats, options, dice, scores));
    for (const [key, value] of this.said.headers) if (!(STANDARD as readonly string[]).includes(key)) saved.headers.set(key, value);
    saved.actions.push(...this.history);
    for (const [place, lines] of this.said.comments) saved.comments.set(place, lines);
    for (const [ply, remark] of this.said.remarks) saved.remarks.set(ply, remark);
    return saved.text();
  }

  /** Play a saved match again. Its chance actions are played as they stand; `checkDice` compares each of them with what
   * the seed gives. */
  static async load(text: string, checkDice = false, source: RulesSource = FETCHED): Promise<Match> {
    const replay = Replay.parse(text);
    const match = await begun(replay, source);
    const dice = at(replay, "seed", () => seedOf(replay));
    for (const [ply, action] of replay.actions.entries()) at(replay, ply, () => match.replay(action, checkDice ? dice : null));
    match.said = replay;
    match.take(dice);
    compare(text, match.save());
    return match;
  }

  private replay(action: string, dice: Seed | null): void {
    if (dice && this.position.toPlay === CHANCE) {
      const rolled = this.outcome(diceKey(dice.seed, dice.nonces));
      if (rolled !== action) throw new Refusal("illegal_action", `expected ${quoted(rolled)} of this seed, not ${quoted(action)}`);
    }
    this.step(action);
  }

  private take(dice: Seed | null): void {
    this.dice = dice;
    this.key = dice ? diceKey(dice.seed, dice.nonces) : "";
    this.roll();
  }

  private roll(): void {
    while (this.dice && this.position.toPlay === CHANCE) this.step(this.outcome(this.key));
  }

  private outcome(key: string): string {
    const outcomes = this.position.legal();
    return outcomes[pick(key, this.position.ply, outcomes.length).index]!;
  }

  private step(text: string): void {
    this.positions.push(this.position.played(text));
    this.history.push(this.rules.text(this.rules.actions.parse(text))); // in its own spelling, whatever was read
  }
}

/** What every saved match says of itself; `scores` once it is over. */
export function standardHeaders(
  { game, rules, components }: Pick<Manifest, "game" | "rules" | "components">,
  seats: number,
  options: Readonly<Record<string, string>>,
  dice: Seed | null,
  scores: readonly number[] | null,
): Record<(typeof STANDARD)[number], string> {
  return {
    game,
    rules: String(rules),
    components,
    seats: String(seats),
    options: Object.entries(options)
      .map(([name, word]) => `${name}=${word}`)
      .join(" "),
    seed: dice?.seed ?? "",
    nonces: dice?.nonces.join(" ") ?? "",
    scores: scores?.join(" ") ?? "",
  };
}

/** The match before its first action. */
async function begun(replay: Replay, source: RulesSource): Promise<Match> {
  const header = (key: string) => replay.headers.get(key) ?? refuse(replay.line(key), `a header '${key}: …'`, "none");
  const [game, version, seats] = [header("game"), header("rules"), header("seats")];
  const info = await found(replay, "game", source.info(game));
  const known = Object.keys(info.modules);
  at(replay, "rules", () => expectHere(known.includes(version), `there is no version ${version} of ${game}'s rules; known: ${known.join(", ")}`));
  const rules = await found(replay, "rules", source.rules(game, Number(version)));
  at(replay, "components", () => checkComponents(rules, replay.headers.get("components") ?? ""));
  at(replay, "seats", () => expect(info.seats.map(String).includes(seats), `${game} is for ${info.seats.join(", ")} seats, not ${seats}`));
  const options = at(replay, "options", () => optionsOf(replay, info, Number(seats)));
  return new Match(rules, Number(seats), options);
}

function checkComponents(rules: Rules, playedWith: string): void {
  const { components } = rules.manifest;
  expectHere(playedWith === components, `played with components ${playedWith || "none"}; those in use are ${components || "none"}`);
}

function optionsOf(replay: Replay, info: IndexedGame, seats: number): Record<string, string> {
  const words = (replay.headers.get("options") ?? "").split(" ").filter((word) => word);
  const given = Object.fromEntries(words.map((word) => [word.split("=", 1)[0]!, word.slice(word.indexOf("=") + 1)]));
  for (const [name, word] of Object.entries(given)) {
    const choices = Object.hasOwn(info.options, name) ? info.options[name]! : null;
    if (!choices) throw new Refusal("bad_setting", `${info.name} has no option ${quoted(name)}`);
    expect(choices.includes(word), `${name} is one of ${choices.join(", ")}, not ${quoted(word)}`);
  }
  const chosen = Object.fromEntries(Object.entries(info.options).map(([name, choices]) => [name, given[name] ?? choices[0]!]));
  const fits = info.settings.some((one) => one.seats === seats && Object.entries(chosen).every(([name, word]) => one.options[name] === word));
  expect(fits, `${Object.values(chosen).join(", ")} is not for ${seats} seats`);
  return chosen;
}

function seedOf(replay: Replay): Seed | null {
  const seed = replay.headers.get("seed");
  const nonces = at(replay, "nonces", () => noncesOf(replay, seed));
  if (seed === undefined) return null;
  expect(isSeed(seed), `a seed is a line of text, not ${quoted(seed)}`);
  return { seed, nonces };
}

function noncesOf(replay: Replay, seed: string | undefined): string[] {
  const nonces = replay.headers.get("nonces")?.split(" ") ?? [];
  expect(!nonces.length || seed !== undefined, "nonces need a seed");
  for (const nonce of nonces) expect(NONCE.test(nonce), `a nonce is 32 hexadecimal digits, not ${quoted(nonce)}`);
  return nonces;
}

function expect(fine: boolean, otherwise: string): void {
  if (!fine) throw new Refusal("bad_setting", otherwise);
}

function expectHere(fine: boolean, otherwise: string): void {
  if (!fine) throw new NoRules("version", otherwise);
}

/** Name the header or the ply in whatever is refused. */
function at<T>(replay: Replay, where: string | number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw placed(replay, where, error);
  }
}

async function found<T>(replay: Replay, where: string, promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw placed(replay, where, error);
  });
}

/** That a game or a version is not there is said of the file; that it cannot be fetched is not the file's fault. */
function placed(replay: Replay, where: string | number, error: unknown): unknown {
  const itsFault = error instanceof Refusal || (error instanceof NoRules && (error.lack === "game" || error.lack === "version"));
  if (!itsFault) return error;
  const line = replay.line(where);
  return new BadMatch(`line ${line}: ${error.message}`, line, error);
}
