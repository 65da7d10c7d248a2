import { explain } from "./explain";

/** What may fail, one at a time: whether it is under way, and why the last one failed. */
export class Attempts {
  busy = $state(false);
  problem = $state<string | null>(null);

  /** `failed` is told instead of `problem`. */
  constructor(private readonly failed: (error: unknown) => void = (error) => (this.problem = explain(error))) {}

  /** Does nothing while another one is under way. */
  readonly make = async (work: () => Promise<unknown>): Promise<void> => {
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    try {
      await work();
    } catch (error) {
      this.failed(error);
    } finally {
      this.busy = false;
    }
  };
}
