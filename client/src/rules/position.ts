/**
 * A match at one ply, as `plenilune/position.py` has it: what is true, what each seat may know of it, and where actions
 * would lead. It never changes, and it knows no dice.
 */
import { CHANCE, SPECTATOR, type Ahead, type Rules, type Standing, type State } from "./rules";
import type { View } from "./view";

/** One action that was played. */
export interface Step {
  text: string;
  actor: number;
  known: readonly number[] | null; // how many words each viewer may read, the spectator first; null: everybody all
}

export class Position {
  private readonly seenBy = new Map<number, State>();

  private constructor(
    readonly rules: Rules,
    readonly state: State,
    readonly ply: number,
  ) {}

  static begin(rules: Rules, seats: number, options: Readonly<Record<string, string>>): Position {
    return new Position(rules, rules.begin(seats, options), 0);
  }

  get toPlay(): number {
    return this.rules.toPlay(this.state);
  }

  get secrets(): boolean {
    return this.rules.manifest.secrets;
  }

  // Playing

  /** The legal actions of the seat to play, or of chance, as texts in the order of their numbers. */
  legal(): string[] {
    return this.rules.legal(this.state).map((number) => this.rules.text(number));
  }

  /** What playing an action would leave in the log. */
  step(text: string): Step {
    const number = this.rules.actions.parse(text);
    const viewers = Array.from({ length: this.rules.seats(this.state) + 1 }, (_, i) => i + SPECTATOR);
    const known = viewers.map((viewer) => this.rules.words(this.state, number, viewer));
    return { text: this.rules.text(number), actor: this.toPlay, known: known.includes(null) ? null : (known as number[]) };
  }

  /** The position after an action of the seat to play, or of chance. */
  played(text: string): Position {
    return new Position(this.rules, this.rules.apply(this.state, this.rules.check(this.state, text)), this.ply + 1);
  }

  standing(): Standing {
    return this.rules.standing(this.state);
  }

  // Seeing

  private eyes(viewer: number): number {
    return this.secrets ? viewer : SPECTATOR;
  }

  /** The state as the viewer knows it. */
  seen(viewer: number): State {
    const eyes = this.eyes(viewer);
    let seen = this.seenBy.get(eyes);
    if (!seen) this.seenBy.set(eyes, (seen = this.rules.seen(this.state, eyes)));
    return seen;
  }

  view(viewer: number): View {
    return this.rules.view(this.seen(viewer));
  }

  /** Scores and places, as far as the viewer can tell. */
  standingFor(viewer: number): Standing {
    return this.rules.standing(this.seen(viewer));
  }

  digest(viewer: number): string {
    return this.rules.digest(this.seen(viewer));
  }

  /** What the viewer may play, judged by what it has seen. */
  legalFor(viewer: number): string[] {
    return this.rules.legalTexts(this.seen(viewer), viewer);
  }

  /** Where a seat's actions would lead, as far as it can tell. */
  ahead(seat: number, texts: readonly string[]): Ahead {
    return this.rules.ahead(this.seen(seat), seat, texts);
  }
}

/** Every roll, with all that could have been rolled. */
export function rollsOf(beginning: Position, actions: readonly string[]): { ply: number; outcomes: string[]; outcome: string }[] {
  const rolls = [];
  let position = beginning;
  for (const outcome of actions) {
    if (position.toPlay === CHANCE) rolls.push({ ply: position.ply, outcomes: position.legal(), outcome });
    position = position.played(outcome);
  }
  return rolls;
}
