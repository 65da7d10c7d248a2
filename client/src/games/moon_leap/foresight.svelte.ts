import type { Scene } from "../../play/scene";
import type { MoonLeapView } from "./view";
import type { Position } from "../../play/turn.svelte";
import { outlook, type Outlook } from "./outlook";

/** Where each of the few choices leads, asked as soon as there is a choice: a finger does not hover. */
export class Foresight {
  private known = $state.raw<{ position: Position<MoonLeapView>; outlooks: ReadonlyMap<string, Outlook> } | null>(null);

  constructor(private readonly scene: Scene) {}

  /** What may be played this turn, also while one choice waits to be confirmed. */
  readonly choices: readonly string[] = $derived.by(() => {
    const { committed } = this.scene.turn;
    return this.scene.mine.includes(committed.to_play) ? committed.legal : [];
  });

  of(action: string | null | undefined): Outlook | null {
    if (!action || this.known?.position !== this.scene.turn.committed) return null;
    return this.known.outlooks.get(action) ?? null;
  }

  async update(): Promise<void> {
    const position = this.scene.turn.committed as Position<MoonLeapView>;
    const choices = this.choices;
    if (this.known?.position === position) return;
    const found = await Promise.all(choices.map((action) => this.ask(action, position.view)));
    if (this.scene.turn.committed !== position) return;
    this.known = { position, outlooks: new Map(found.filter((one) => one !== null).map((one) => [one.action, one])) };
  }

  private async ask(action: string, before: MoonLeapView): Promise<Outlook | null> {
    try {
      const position = (await this.scene.turn["preview"]([action])) as Position<MoonLeapView>;
      return outlook(action, before, position.view);
    } catch {
      return null; // without it the choice is shown plainly
    }
  }
}
