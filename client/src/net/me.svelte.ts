import { api } from "./api";
import { clock } from "./clock.svelte";
import { speech } from "../i18n/language.svelte";
import type { Me } from "../protocol/messages";
import { hasServer } from "../browser/server";

const STORAGE_KEY = "plenilune.name";

/** Who I am to the server: a name and a cookie, asked for when it is first needed. */
class Myself {
  me = $state.raw<Me | null>(null);
  name = $state(storedName());
  private asked: Promise<void> | null = null;

  async meet(): Promise<void> {
    if (!hasServer) return;
    this.asked ??= this.ask();
    return this.asked;
  }

  /** Make sure that the server knows me, before I sit down somewhere. */
  async introduce(): Promise<void> {
    await this.meet();
    if (!this.me) await this.rename(this.name || fallback());
  }

  async rename(name: string): Promise<void> {
    const wanted = name.trim().slice(0, 24);
    if (!wanted || wanted === (hasServer ? this.me?.name : this.name)) return;
    if (hasServer) this.me = await api.introduce(wanted);
    this.keep(this.me?.name ?? wanted);
  }

  /** My name at a table in this page, where nobody need know me. */
  called(): string {
    if (!this.name) this.keep(fallback());
    return this.name;
  }

  private keep(name: string): void {
    this.name = name;
    try {
      localStorage.setItem(STORAGE_KEY, name);
    } catch {
      // storage is blocked
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
      // storage is blocked
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

function storedName(): string {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}

/** Somebody who has not said a name yet is called after a star. */
function fallback(): string {
  const stars = speech.t("guest.names").split(" ");
  return stars[Math.floor(Math.random() * stars.length)]!;
}

export const myself = new Myself();
