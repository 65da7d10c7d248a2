/** A match, and its file (`plenilune/match.py`): a position, the actions that led to it, and perhaps dice that play chance. */
import { diceKey, pick } from "../dice/dice";
import { Refusal } from "../protocol/refusal";
import { gameInfo, loadRules, NoRules } from "./load";
import type { IndexedGame } from "./manifest";
import { BadMatch, compare, isSeed, quoted, refuse, Replay, STANDARD } from "./replay";
import { CHANCE, OVER, type Rules, type State } from "./rules";

export { BadMatch } from "./replay";

/** Dice: a seed, and what the players added to it. */
export interface Seed {
  seed: string;
  nonces: readonly string[];
}

const NONCE = /^[0-9a-f]{32}$/;

/** Where rules come from. */
export interface Shelf {
  info: (game: string) => Promise<IndexedGame>;
  rules: (game: string, version: number) => Promise<Rules>;
}

const FETCHED: Shelf = { info: gameInfo, rules: loadRules };

/** A match with a seed plays chance by itself; without one, chance waits to be played like any seat. */
export class Match {
  readonly options: Readonly<Record<string, string>>;
  readonly actions: number[] = [];
  readonly actors: number[] = []; // a seat or CHANCE
  readonly states: State[]; // before each action, and after the last
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
    this.states = [rules.begin(seats, options)];
    this.take(dice);
  }

  get state(): State {
    return this.states.at(-1)!;
  }

  get ply(): number {
    return this.actions.length;
  }

  get toPlay(): number {
    return this.rules.toPlay(this.state);
  }

  get history(): string[] {
    return this.actions.map((action) => this.rules.text(action));
  }

  get seed(): Seed | null {
    return this.dice;
  }

  /** Play an action, and then chance's if there is a seed. */
  play(text: string): void {
    this.apply(this.rules.check(this.state, text));
    this.roll();
  }

  /** The match as text: whoever reads it knows everything. */
  save(): string {
    const saved = new Replay();
    for (const [key, value] of Object.entries(this.headers())) if (value) saved.headers.set(key, value);
    for (const [key, value] of this.said.headers) if (!(STANDARD as readonly string[]).includes(key)) saved.headers.set(key, value);
    saved.actions.push(...this.history);
    for (const [place, lines] of this.said.comments) saved.comments.set(place, lines);
    for (const [ply, remark] of this.said.remarks) saved.remarks.set(ply, remark);
    return saved.text();
  }

  private headers(): Record<(typeof STANDARD)[number], string> {
    const { game, rules, components } = this.rules.manifest;
    return {
      game,
      rules: String(rules),
      components,
      seats: String(this.seats),
      options: Object.entries(this.options)
        .map(([name, word]) => `${name}=${word}`)
        .join(" "),
      seed: this.dice?.seed ?? "",
      nonces: this.dice?.nonces.join(" ") ?? "",
      scores: this.toPlay === OVER ? this.rules.standing(this.state).scores.join(" ") : "",
    };
  }

  /** Play a saved match again. Its chance actions are played as they stand; `checkDice` compares each of them with what
   * the seed gives. */
  static async load(text: string, checkDice = false, shelf: Shelf = FETCHED): Promise<Match> {
    const replay = Replay.parse(text);
    const match = await begun(replay, shelf);
    const dice = at(replay, "seed", () => seedOf(replay));
    for (const [ply, action] of replay.actions.entries()) at(replay, ply, () => match.replay(action, checkDice ? dice : null));
    match.said = replay;
    match.take(dice);
    compare(text, match.save());
    return match;
  }

  private replay(action: string, dice: Seed | null): void {
    if (dice && this.toPlay === CHANCE) {
      const rolled = this.rules.text(this.outcome(diceKey(dice.seed, dice.nonces)));
      if (rolled !== action) throw new Refusal("illegal_action", `expected ${quoted(rolled)} of this seed, not ${quoted(action)}`);
    }
    this.apply(this.rules.check(this.state, action));
  }

  private take(dice: Seed | null): void {
    this.dice = dice;
    this.key = dice ? diceKey(dice.seed, dice.nonces) : "";
    this.roll();
  }

  private roll(): void {
    while (this.dice && this.toPlay === CHANCE) this.apply(this.outcome(this.key));
  }

  private outcome(key: string): number {
    const outcomes = this.rules.legal(this.state);
    return outcomes[pick(key, this.ply, outcomes.length).index]!;
  }

  private apply(action: number): void {
    this.actors.push(this.toPlay);
    this.actions.push(action);
    this.states.push(this.rules.apply(this.state, action));
  }
}

/** The match before its first action. */
async function begun(replay: Replay, shelf: Shelf): Promise<Match> {
  const header = (key: string) => replay.headers.get(key) ?? refuse(replay.line(key), `a header '${key}: …'`, "none");
  const [game, version, seats] = [header("game"), header("rules"), header("seats")];
  const info = await found(replay, "game", shelf.info(game));
  const known = Object.keys(info.modules);
  at(replay, "rules", () => expect(known.includes(version), `there is no version ${version} of ${game}'s rules; known: ${known.join(", ")}`));
  const rules = await found(replay, "rules", shelf.rules(game, Number(version)));
  at(replay, "components", () => checkComponents(rules, replay.headers.get("components") ?? ""));
  at(replay, "seats", () => expect(info.seats.map(String).includes(seats), `${game} is for ${info.seats.join(", ")} seats, not ${seats}`));
  const options = at(replay, "options", () => optionsOf(replay, info, Number(seats)));
  return new Match(rules, Number(seats), options);
}

function checkComponents(rules: Rules, playedWith: string): void {
  const { components } = rules.manifest;
  expect(playedWith === components, `played with components ${playedWith || "none"}; those in use are ${components || "none"}`);
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

/** Name the header or the ply in whatever is refused. */
function at<T>(replay: Replay, where: string | number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof Refusal ? placed(replay, where, error) : error;
  }
}

/** That a game or a version is not there is said of the file; that it cannot be fetched is no fault of the file. */
async function found<T>(replay: Replay, where: string, promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    const itsFault = error instanceof NoRules && (error.lack === "game" || error.lack === "version");
    throw itsFault ? placed(replay, where, error) : error;
  });
}

function placed(replay: Replay, where: string | number, error: Error): BadMatch {
  return new BadMatch(`line ${replay.line(where)}: ${error.message}`);
}
