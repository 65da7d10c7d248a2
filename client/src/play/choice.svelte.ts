import * as choosing from "./choosing";
import type { Chosen, Pick } from "./choosing";

/** How an element stands to what may be done: `swap` could be chosen if an earlier pick of this turn were taken back. */
export type PickState = "legal" | "picked" | "swap" | "no";

/** What a choice asks of the turn it belongs to. */
export interface ChoiceOwner {
  /** The legal actions of this turn's earlier plies, the latest first: picking one of them goes back there. */
  earlier(): readonly (readonly string[])[];
  goBack(plies: number): void;
  act(action: string): void;
  refuse(pick: Pick, element: Element | null): void;
}

/** The attributes that make an element a target; spread them: `<g {...choice.target({ word: "c4" }, t("hex", …))}>`. */
export interface TargetAttributes extends Handlers {
  "data-pick": string;
  "data-state": PickState;
  role: "button";
  tabindex: number;
  "aria-label": string;
  "aria-pressed": boolean;
  "aria-disabled": boolean;
}

interface Handlers {
  onclick: (event: MouseEvent) => void;
  onkeydown: (event: KeyboardEvent) => void;
  onpointerenter: (event: PointerEvent) => void;
  onpointerleave: () => void;
  onfocus: (event: FocusEvent) => void;
  onblur: () => void;
}

export class Choice {
  legal = $state.raw<readonly string[]>([]);
  chosen = $state.raw<Chosen>(choosing.NOTHING);
  /** What the pointer or the focus is on. */
  aim = $state.raw<Pick | null>(null);
  /** The target that Tab reaches; arrow keys hand it on. */
  roving = $state.raw<string | null>(null);

  private readonly handlers = new Map<string, Handlers>();

  constructor(private readonly owner: ChoiceOwner) {}

  readonly left = $derived(choosing.matches(this.legal, this.chosen));
  readonly verbs = $derived(choosing.verbs(this.legal, this.chosen));
  readonly empty = $derived(choosing.isNothing(this.chosen));
  /** The action that is aimed at: what a click would play. */
  readonly aimed = $derived(this.aim && this.actionOf(this.aim));

  /** The words that could stand at that position. */
  wordsAt(at: number): string[] {
    return choosing.wordsAt(this.legal, this.chosen, at);
  }

  private readonly offered = $derived(new choosing.Offer(this.legal, this.chosen));
  /** What could be chosen instead of something chosen in this turn. */
  private readonly instead = $derived.by(() => {
    const bare = { verb: this.chosen.verb, words: [] };
    const now = this.empty ? [] : [new choosing.Offer(this.legal, bare), new choosing.Offer(this.legal, choosing.NOTHING)];
    return [...now, ...this.owner.earlier().map((legal) => new choosing.Offer(legal, choosing.NOTHING))];
  });

  state(pick: Pick): PickState {
    if (!this.empty && choosing.holds(this.chosen, pick)) return "picked";
    if (this.offered.has(pick)) return "legal";
    return this.instead.some((offer) => offer.has(pick)) ? "swap" : "no";
  }

  choose(pick: Pick, element: Element | null = null): void {
    if (!this.empty && choosing.holds(this.chosen, pick)) {
      this.chosen = choosing.without(this.chosen, pick);
      return;
    }
    let more = choosing.addOrChange(this.legal, this.chosen, pick);
    if (!more) {
      const back = this.earlier(pick);
      if (!back) return this.owner.refuse(pick, element);
      this.owner.goBack(back);
      more = choosing.add(this.legal, choosing.NOTHING, pick);
      if (!more) return;
    }
    const action = choosing.complete(this.legal, more);
    this.chosen = action ? choosing.NOTHING : more;
    if (action) this.owner.act(action);
  }

  clear(): void {
    this.chosen = choosing.NOTHING;
  }

  /** The action that this pick would complete. */
  actionOf(pick: Pick): string | null {
    const more = choosing.add(this.legal, this.chosen, pick);
    return more && choosing.complete(this.legal, more);
  }

  /** Everything an element needs to be chosen by mouse, touch and keyboard, and to be read aloud. */
  target(pick: Pick, label: string): TargetAttributes {
    const id = key(pick);
    const state = this.state(pick);
    return {
      "data-pick": id,
      "data-state": state,
      role: "button",
      tabindex: this.roving === id ? 0 : -1,
      "aria-label": label,
      "aria-pressed": state === "picked",
      "aria-disabled": state === "no",
      ...this.handlersOf(id, pick),
    };
  }

  /** The same functions for the same pick, so that an element whose state changes keeps its listeners. */
  private handlersOf(id: string, pick: Pick): Handlers {
    let known = this.handlers.get(id);
    if (!known) this.handlers.set(id, (known = this.handle(id, pick)));
    return known;
  }

  private handle(id: string, pick: Pick): Handlers {
    const choose = (element: EventTarget | null) => this.choose(pick, element as Element | null);
    return {
      onclick: (event) => {
        event.stopPropagation();
        choose(event.currentTarget);
      },
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        choose(event.currentTarget);
      },
      // A finger does not hover: what it touches is chosen. (A ghost drawn under it would swallow the tap.)
      onpointerenter: (event) => {
        if (event.pointerType !== "touch") this.aim = pick;
      },
      onpointerleave: () => this.unaim(id),
      onfocus: (event) => {
        this.roving = id;
        if ((event.currentTarget as Element).matches(":focus-visible")) this.aim = pick;
      },
      onblur: () => this.unaim(id),
    };
  }

  private unaim(id: string): void {
    if (this.aim && key(this.aim) === id) this.aim = null;
  }

  private earlier(pick: Pick): number {
    const plies = this.owner.earlier().findIndex((legal) => choosing.add(legal, choosing.NOTHING, pick) !== null);
    return plies + 1;
  }
}

/** What an element is found by: `word:c4`, `verb:refill`, `action:split 3 1`. */
export function key(pick: Pick): string {
  if ("action" in pick) return `action:${pick.action}`;
  if (!("word" in pick)) return `verb:${pick.verb}`;
  return `word:${[pick.verb, pick.word, pick.at].filter((part) => part !== undefined).join(":")}`;
}
