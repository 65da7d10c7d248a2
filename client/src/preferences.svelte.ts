import { LANGUAGES, type Tongue } from "./i18n/translate";
import { speech } from "./i18n/language.svelte";
import type { Confirm } from "./turn.svelte";

export interface Wishes {
  language: Tongue;
  theme: "dark" | "light" | "system";
  motion: "system" | "full" | "still";
  confirm: Confirm;
  pace: "calm" | "quick"; // at which the others' actions are shown
}

const PLACE = "plenilune.preferences";

/** What one likes, kept in this browser; all its tabs agree. */
class Preferences {
  private wishes = $state<Wishes>(read());
  private quiet = $state(matchMedia("(prefers-reduced-motion: reduce)").matches);
  private light = $state(matchMedia("(prefers-color-scheme: light)").matches);

  readonly theme = $derived(this.wishes.theme === "system" ? (this.light ? "light" : "dark") : this.wishes.theme);
  readonly still = $derived(this.wishes.motion === "system" ? this.quiet : this.wishes.motion === "still");

  constructor() {
    watch("(prefers-reduced-motion: reduce)", (on) => (this.quiet = on));
    watch("(prefers-color-scheme: light)", (on) => (this.light = on));
    addEventListener("storage", (event) => {
      if (event.key === PLACE) this.take(read());
    });
  }

  get<K extends keyof Wishes>(key: K): Wishes[K] {
    return this.wishes[key];
  }

  set<K extends keyof Wishes>(key: K, value: Wishes[K]): void {
    this.take({ ...this.wishes, [key]: value });
    try {
      localStorage.setItem(PLACE, JSON.stringify(this.wishes));
    } catch {
      // a browser that keeps nothing: the wish holds for this page
    }
  }

  /** Show the page as wished. */
  async apply(): Promise<void> {
    document.documentElement.dataset["theme"] = this.theme;
    document.documentElement.dataset["motion"] = this.wishes.motion;
    if (speech.tongue !== this.wishes.language) await speech.speak(this.wishes.language);
  }

  private take(wishes: Wishes): void {
    this.wishes = wishes;
    void this.apply();
  }
}

function read(): Wishes {
  const asked = new URLSearchParams(location.search);
  let kept: Partial<Wishes> = {};
  try {
    kept = JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Wishes>;
  } catch {
    // what is kept makes no sense: begin anew
  }
  return {
    language: (asked.get("language") as Tongue | null) ?? kept.language ?? ownLanguage(),
    theme: (asked.get("theme") as Wishes["theme"] | null) ?? kept.theme ?? "system",
    motion: (asked.get("motion") as Wishes["motion"] | null) ?? kept.motion ?? "system",
    confirm: kept.confirm ?? "turn",
    pace: kept.pace ?? "calm",
  };
}

function ownLanguage(): Tongue {
  const known = navigator.languages.map((tag) => tag.split("-")[0]!).find((tag) => tag in LANGUAGES);
  return (known as Tongue | undefined) ?? "en";
}

function watch(query: string, tell: (on: boolean) => void): void {
  matchMedia(query).addEventListener("change", (event) => tell(event.matches));
}

export const preferences = new Preferences();
