import { bestLanguage, LANGUAGES } from "../i18n/languages";
import { PSEUDO, type Tongue } from "../i18n/translate";
import { speech } from "../i18n/language.svelte";

/** When a turn that is complete waits for a click on Confirm. */
export type Confirm = "always" | "turn" | "never";

export interface Values {
  language: Tongue;
  theme: "dark" | "light" | "system";
  motion: "system" | "full" | "still";
  confirm: Confirm;
  pace: "calm" | "quick"; // at which the others' actions are shown
}

const STORAGE_KEY = "plenilune.preferences";

/** The user's preferences, stored in this browser and shared by its tabs. */
class Preferences {
  private values = $state<Values>(stored());
  private quiet = $state(matchMedia("(prefers-reduced-motion: reduce)").matches);
  private light = $state(matchMedia("(prefers-color-scheme: light)").matches);

  readonly theme = $derived(this.values.theme === "system" ? (this.light ? "light" : "dark") : this.values.theme);
  readonly still = $derived(this.values.motion === "system" ? this.quiet : this.values.motion === "still");

  constructor() {
    watch("(prefers-reduced-motion: reduce)", (on) => (this.quiet = on));
    watch("(prefers-color-scheme: light)", (on) => (this.light = on));
    addEventListener("storage", (event) => {
      if (event.key === STORAGE_KEY) this.take(stored());
    });
  }

  get<K extends keyof Values>(key: K): Values[K] {
    return this.values[key];
  }

  set<K extends keyof Values>(key: K, value: Values[K]): void {
    this.take({ ...this.values, [key]: value });
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(this.values));
    } catch {
      // storage is blocked: it holds for this page
    }
  }

  /** Apply them to the page. */
  async apply(): Promise<void> {
    document.documentElement.dataset["theme"] = this.theme;
    document.documentElement.dataset["motion"] = this.values.motion;
    await speech.speak(this.values.language);
  }

  private take(values: Values): void {
    this.values = values;
    void this.apply();
  }
}

function stored(): Values {
  const asked = new URLSearchParams(location.search);
  let saved: Partial<Values> = {};
  try {
    saved = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") as Partial<Values>;
  } catch {
    // what is stored cannot be parsed: use the defaults
  }
  return {
    language: known(asked.get("language")) ?? known(saved.language) ?? bestLanguage(navigator.languages),
    theme: (asked.get("theme") as Values["theme"] | null) ?? saved.theme ?? "system",
    motion: (asked.get("motion") as Values["motion"] | null) ?? saved.motion ?? "system",
    confirm: saved.confirm ?? "turn",
    pace: saved.pace ?? "calm",
  };
}

function known(tongue: string | null | undefined): Tongue | null {
  return tongue && (tongue in LANGUAGES || tongue === PSEUDO) ? tongue : null;
}

function watch(query: string, changed: (on: boolean) => void): void {
  matchMedia(query).addEventListener("change", (event) => changed(event.matches));
}

export const preferences = new Preferences();
