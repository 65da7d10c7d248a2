/** What is said of the trouble with keeping matches. */
export const UNKEPT = { blocked: "here.blocked", full: "here.full", newer: "here.newer" } as const;

/** What goes wrong with matches in this browser. */
class Storage {
  /** Why it does not keep them; they last as long as their page then. */
  trouble = $state<keyof typeof UNKEPT | null>(null);
  /** No bot can be started at present; it is tried again. */
  botless = $state(false);
}

export const storage = new Storage();
