import { CATALOGUES } from "./languages";
import type { English } from "./messages/en";
import { format, localeOf, pseudo, PSEUDO, type Catalogue, type Catalogues, type LookUp, type Tongue, type Translate } from "./translate";

/** What a game's words are asked for with; `t` is `lookUp` that always answers. */
interface Voice {
  lookUp: LookUp;
  t: (key: string, args?: Parameters<LookUp>[1]) => string;
}

const SHELL = ""; // whose words these are: the application's, or a game's by its name

/** The language everything is shown in, with the catalogues that are loaded. */
class Speech {
  tongue = $state<Tongue>("en");
  private words = $state.raw<Readonly<Record<string, Catalogue>>>({});
  private voices: Record<string, Voice> = {};
  private readonly learned = new Map<Catalogues, { whose: string; words: Catalogue }>([[CATALOGUES.first, { whose: SHELL, words: {} }]]);
  private wanted: Tongue = "en";
  private speaks = false; // before that there are no words

  /** For dates and numbers. */
  get locale(): string {
    return localeOf(this.tongue);
  }

  moment(at: number): string {
    return new Date(at).toLocaleString(this.locale, { dateStyle: "medium", timeStyle: "short" });
  }

  day(at: number | Date, dateStyle: "medium" | "long" = "medium", timeZone?: string): string {
    return new Date(at).toLocaleDateString(this.locale, { dateStyle, timeZone });
  }

  percent(share: number): string {
    return share.toLocaleString(this.locale, { style: "percent", maximumFractionDigits: 0 });
  }

  /** "Ada, Noor and Piet". */
  list(words: readonly string[]): string {
    return new Intl.ListFormat(this.locale).format(words);
  }

  /** "2d". */
  days(n: number): string {
    return n.toLocaleString(this.locale, { style: "unit", unit: "day", unitDisplay: "narrow" });
  }

  /** How long ago that was: "5 min ago". */
  ago(milliseconds: number): string {
    const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
    const relative = new Intl.RelativeTimeFormat(this.locale, { style: "short", numeric: minutes < 1 ? "auto" : "always" });
    if (minutes < 1) return relative.format(0, "second");
    if (minutes < 60) return relative.format(-minutes, "minute");
    return minutes < 48 * 60 ? relative.format(-Math.floor(minutes / 60), "hour") : relative.format(-Math.floor(minutes / 1440), "day");
  }

  readonly t: Translate<English> = (key, ...args) => format(this.words[SHELL]?.[key] ?? key, args[0] ?? {}, this.tongue);

  /** Show everything in this language; in the one before, if this one cannot be loaded. */
  async speak(tongue: Tongue): Promise<void> {
    if (this.speaks && tongue === this.wanted) return;
    this.wanted = tongue;
    const all = [...this.learned];
    try {
      const found = await Promise.all(all.map(([messages]) => fetchCatalogue(messages, tongue)));
      if (this.wanted !== tongue) return; // another one was chosen meanwhile
      all.forEach(([, source], i) => (source.words = found[i]!));
    } catch (error) {
      this.wanted = this.tongue;
      throw error;
    }
    this.tongue = tongue;
    this.speaks = true;
    this.tell();
    document.documentElement.lang = this.locale;
    document.querySelector('meta[name="description"]')?.setAttribute("content", this.t("home.description"));
  }

  /** Learn more words of a game's, or of the application's: in the language in use, and again when that changes. */
  async learn(whose: string, messages: Catalogues): Promise<void> {
    while (!this.learned.has(messages)) {
      const tongue = this.wanted;
      const words = await fetchCatalogue(messages, tongue);
      if (tongue !== this.wanted || this.learned.has(messages)) continue;
      this.learned.set(messages, { whose, words });
      this.tell();
    }
  }

  /** What the application says beside tables, too. */
  learnAll(): Promise<void> {
    return this.learn(SHELL, CATALOGUES.later);
  }

  private tell(): void {
    const words: Record<string, Catalogue> = {};
    for (const source of this.learned.values()) words[source.whose] = { ...words[source.whose], ...source.words };
    this.words = words;
  }

  /** The words of a game, and behind them the application's. */
  of<C extends Catalogue>(game: string): Translate<C & English> {
    return this.voice(game).t as Translate<C & English>;
  }

  lookUp(game: string): LookUp {
    return this.voice(game).lookUp;
  }

  /** One pair of functions a game: a new one would have all that is written with it written again. */
  private voice(game: string): Voice {
    const lookUp: LookUp = (key, args = {}) => {
      const message = this.words[game]?.[key] ?? this.words[SHELL]?.[key];
      return message === undefined ? null : format(message, args, this.tongue);
    };
    return (this.voices[game] ??= { lookUp, t: (key, args) => lookUp(key, args) ?? key });
  }
}

async function fetchCatalogue(catalogues: Catalogues, tongue: Tongue): Promise<Catalogue> {
  if (tongue === PSEUDO) return distort(await fetchCatalogue(catalogues, "en"));
  return (await (catalogues[tongue] ?? catalogues["en"])?.()) ?? {};
}

function distort(catalogue: Catalogue): Catalogue {
  return Object.fromEntries(Object.entries(catalogue).map(([key, message]) => [key, pseudo(message)]));
}

export const speech = new Speech();
