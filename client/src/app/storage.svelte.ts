/** Whether this browser keeps what is played in it; if not, matches last as long as their page. */
class Storage {
  trouble = $state<"blocked" | "full" | null>(null);
}

export const storage = new Storage();
