import { here } from "../net/here";
import type { TableRow } from "../protocol/messages";

/** The matches of this browser, kept up to date while somebody looks. */
export class LocalMatches {
  rows = $state.raw<readonly TableRow[] | null>(null); // null: nobody knows yet
  private closed = false;
  private unwatch = () => {};

  constructor() {
    void this.begin().catch(() => (this.rows = []));
  }

  private async begin(): Promise<void> {
    const { watch } = await here();
    if (!this.closed) this.unwatch = watch(() => void this.refresh());
    await this.refresh();
  }

  async refresh(): Promise<void> {
    this.rows = await (await here()).rows();
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
