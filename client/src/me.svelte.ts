import { api } from "./net/api";
import { clock } from "./frame/clock.svelte";
import type { Me } from "./protocol";

const PLACE = "plenilune.name";

/** Who I am to the server: a name and a cookie, asked for when it is first needed. */
class Myself {
  me = $state.raw<Me | null>(null);
  name = $state(kept());
  private asked: Promise<void> | null = null;

  meet(): Promise<void> {
    this.asked ??= this.ask();
    return this.asked;
  }

  /** Make sure that the server knows me, before I sit down somewhere. */
  async introduce(): Promise<void> {
    await this.meet();
    if (!this.me) await this.rename(this.name || fallback());
  }

  async rename(name: string): Promise<void> {
    const wish = name.trim().slice(0, 24);
    if (!wish || wish === this.me?.name) return;
    this.me = await api.introduce(wish);
    this.name = this.me.name;
    try {
      localStorage.setItem(PLACE, this.name);
    } catch {
      // a browser that keeps nothing
    }
  }

  /** Remove what this browser keeps of me, except what I like. */
  forget(): void {
    this.me = null;
    this.name = "";
    try {
      const mine = Object.keys(localStorage).filter((key) => key.startsWith("plenilune.") && key !== "plenilune.preferences");
      for (const key of mine) localStorage.removeItem(key);
    } catch {
      // a browser that keeps nothing
    }
  }

  private async ask(): Promise<void> {
    try {
      const { me, now } = await api.whoami();
      clock.set(now);
      this.me = me;
      if (me) this.name = me.name;
    } catch (error) {
      this.asked = null;
      throw error;
    }
  }
}

function kept(): string {
  try {
    return localStorage.getItem(PLACE) ?? "";
  } catch {
    return "";
  }
}

/** Somebody who has not said a name yet gets one of the sky's. */
const STARS = ["Vega", "Rigel", "Deneb", "Altair", "Spica", "Mira", "Capella", "Antares", "Castor", "Electra", "Maia", "Atlas"];
function fallback(): string {
  return STARS[Math.floor(Math.random() * STARS.length)]!;
}

export const myself = new Myself();
