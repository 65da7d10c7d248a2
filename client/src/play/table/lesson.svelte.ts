import type { GameModule, Position, RecordedFrame, SeatInfo, Tutorial, TutorialStep } from "../board";
import { speech } from "../../i18n/language.svelte";
import { followed, type View } from "../patch";
import { RecordedMatch } from "./recorded.svelte";
import { botName, withFacts } from "./sentences";

/** Every position of a recording. */
function positionsOf(frames: readonly RecordedFrame[]): Position[] {
  let view: View = {};
  return frames.map((frame, ply) => {
    const { legal, to_play, scores, places } = frame;
    view = followed(view, frame);
    return { ply, view, legal, to_play, scores, places };
  });
}

/** A first match: a recording walked along, with steps that explain and actions that the learner takes. */
export class Lesson extends RecordedMatch {
  /** Of the steps at this ply, the one that is shown. */
  private step = $state(0);
  done = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    game: GameModule,
    private readonly tutorial: Tutorial,
    me: string,
  ) {
    const { recording } = tutorial;
    const positions = positionsOf(recording.frames);
    const entries = recording.frames.flatMap(({ entry }, i) => (entry ? [withFacts(game, entry, positions[i]!.view, positions[i + 1]!.view)] : []));
    const seats = Array.from({ length: recording.seats }, (_, seat) => seatInfo(seat, recording.seat, me));
    super(game, seats, recording.seat, [recording.seat], positions, entries, {
      preview: (ply, actions) => this.ahead(ply, actions),
      play: async () => this.go(this.at + 1),
      whyNot: () => this.say(speech.t("lesson.other")),
    });
    this.begin();
  }

  readonly steps: readonly TutorialStep[] = $derived.by(() => this.tutorial.steps.filter((step) => step.ply === this.turn.committed.ply));
  readonly current: TutorialStep | null = $derived(this.steps[this.step] ?? null);
  readonly number = $derived.by(() => (this.current ? this.tutorial.steps.indexOf(this.current) + 1 : 0));

  get count(): number {
    return this.tutorial.steps.length;
  }

  override go(at: number): void {
    clearTimeout(this.timer);
    this.step = 0;
    super.go(at);
    this.rest();
  }

  /** On to the next explanation, or to what the others do. */
  next(): void {
    this.step++;
    this.turn.arrive(this.offered(this.positions[this.at]!));
    this.rest();
  }

  /** Where something is explained first: nobody needs to watch the table being laid. */
  begin(): void {
    this.done = false;
    this.go(this.tutorial.steps[0]?.ply ?? 0);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Where nothing is explained the match goes on by itself. */
  private rest(): void {
    if (this.current) return;
    if (this.at >= this.last) {
      this.done = true;
      return;
    }
    const chance = this.positions[this.at]!.to_play < 0;
    this.timer = setTimeout(() => this.go(this.at + 1), chance ? 260 : 1000);
  }

  /** Only what the step asks for lights up. */
  protected override offered(position: Position): Position {
    const asked = this.tutorial.steps.filter((step) => step.ply === position.ply)[this.step]?.await;
    return { ...position, legal: asked ? [asked] : [] };
  }

  private ahead(ply: number, actions: readonly string[]): Promise<Position> {
    const next = this.positions[ply + actions.length];
    return next ? Promise.resolve(next) : Promise.reject(new Error(speech.t("lesson.other")));
  }
}

function seatInfo(seat: number, learner: number, me: string): SeatInfo {
  const person = seat === learner;
  return {
    seat,
    held_by: "person",
    name: person ? me || speech.t("guest.names").split(" ")[0]! : botName(seat || learner),
    person: null,
    bot: null,
    connected: true,
    absent: false,
    resigned: false,
    reserved: null,
  };
}
