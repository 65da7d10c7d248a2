/** What goes wrong with matches in this browser. */
class Storage {
  /** Why it does not keep them; they last as long as their page then. */
  trouble = $state<"blocked" | "full" | null>(null);
  /** No bot can be started at present; it is tried again. */
  botless = $state(false);
}

export const storage = new Storage();
