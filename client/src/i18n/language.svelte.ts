import { CATALOGUES } from "./languages";
import en, { type English } from "./messages/en";
import { format, localeOf, pseudo, PSEUDO, type Catalogue, type Catalogues, type LookUp, type Tongue, type Translate } from "./translate";

/** What a game's words are asked for with; `t` is `lookUp` that always answers. */
interface Voice {
  lookUp: LookUp;
  t: (key: string, args?: Parameters<LookUp>[1]) => string;
}

// English is here already. To import its file would be to wait for the page's first script, which waits for this.
const SHELL: Catalogues = { ...CATALOGUES, en: async () => en };

/** The language everything is shown in, with the catalogues that are loaded. */
class Speech {
  tongue = $state<Tongue>("en");
  private shell = $state.raw<Catalogue>(en);
  private games = $state.raw<Readonly<Record<string, Catalogue>>>({});
  private voices: Record<string, Voice> = {};
  private loaders: Record<string, (tongue: Tongue) => Promise<Catalogue>> = {};

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

  readonly t: Translate<English> = (key, ...args) => format(this.shell[key] ?? key, args[0] ?? {}, this.tongue);

  async speak(tongue: Tongue): Promise<void> {
    const names = Object.keys(this.loaders);
    const [shell, ...games] = await Promise.all([fetchCatalogue(SHELL, tongue), ...names.map((name) => this.loaders[name]!(tongue))]);
    this.shell = shell!;
    this.games = Object.fromEntries(names.map((name, i) => [name, games[i]!]));
    this.tongue = tongue;
    document.documentElement.lang = this.locale;
    document.querySelector('meta[name="description"]')?.setAttribute("content", this.t("home.description"));
  }

  /** Learn a game's words; its catalogue is loaded for the language in use, and again when that changes. */
  async learn(game: string, messages: Catalogues): Promise<void> {
    this.loaders[game] = (tongue) => fetchCatalogue(messages, tongue);
    const words = await this.loaders[game](this.tongue);
    this.games = { ...this.games, [game]: words };
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
      const message = this.games[game]?.[key] ?? this.shell[key];
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
