import { speech } from "../i18n/language.svelte";
import { valuesFrom, type Values } from "./values";

export type { Values } from "./values";
export type Confirm = Values["confirm"];

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
  let saved: unknown = null;
  try {
    saved = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null");
  } catch {
    // storage is blocked, or what is there is no JSON
  }
  return valuesFrom(new URLSearchParams(location.search), saved, navigator.languages);
}

function watch(query: string, changed: (on: boolean) => void): void {
  matchMedia(query).addEventListener("change", (event) => changed(event.matches));
}

export const preferences = new Preferences();
