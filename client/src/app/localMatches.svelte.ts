import { explain } from "../net/explain";
import { here } from "../net/here";
import type { TableRow } from "../protocol/messages";

/** The matches of this browser, kept up to date while somebody looks. */
export class LocalMatches {
  rows = $state.raw<readonly TableRow[] | null>(null); // null: nobody knows yet
  damaged = $state.raw<readonly string[]>([]); // ids of those that cannot be read
  problem = $state<string | null>(null); // why none is shown
  private closed = false;
  private unwatch = () => {};

  constructor() {
    void this.begin().catch((error: unknown) => (this.problem = explain(error)));
  }

  private async begin(): Promise<void> {
    const { watch } = await here();
    if (!this.closed) this.unwatch = watch(() => void this.refresh());
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const { rows, damaged } = await (await here()).listing();
    this.rows = rows;
    this.damaged = damaged;
  }

  async remove(id: string): Promise<void> {
    await (await here()).remove(id);
    await this.refresh();
  }

  close(): void {
    this.closed = true;
    this.unwatch();
  }
}
