import { en, type English } from "./messages/en";
import { format, pseudo, type Catalogue, type Look, type Tongue, type Translate } from "./translate";

/** What a game's words are asked for with; `t` is `look` that always answers. */
interface Voice {
  look: Look;
  t: (key: string, args?: Parameters<Look>[1]) => string;
}

type Load = () => Promise<Catalogue>;

const HOUSE: Record<Tongue, Load> = {
  en: async () => en,
  fr: async () => (await import("./messages/fr")).fr,
  nl: async () => (await import("./messages/nl")).nl,
  ru: async () => (await import("./messages/ru")).ru,
  qq: async () => distort(en),
};

/** The language everything is shown in, with the catalogues that are loaded. */
class Speech {
  tongue = $state<Tongue>("en");
  private house = $state.raw<Catalogue>(en);
  private games = $state.raw<Readonly<Record<string, Catalogue>>>({});
  private voices: Record<string, Voice> = {};
  private loaders: Record<string, (tongue: Tongue) => Promise<Catalogue>> = {};

  /** For dates and numbers. */
  get locale(): string {
    return this.tongue === "qq" ? "en" : this.tongue;
  }

  readonly t: Translate<English> = (key, ...args) => format(this.house[key] ?? key, args[0] ?? {}, this.tongue);

  async speak(tongue: Tongue): Promise<void> {
    const names = Object.keys(this.loaders);
    const [house, ...games] = await Promise.all([HOUSE[tongue](), ...names.map((name) => this.loaders[name]!(tongue))]);
    this.house = house!;
    this.games = Object.fromEntries(names.map((name, i) => [name, games[i]!]));
    this.tongue = tongue;
    document.documentElement.lang = tongue === "qq" ? "en" : tongue;
  }

  /** Learn a game's words; its catalogue is loaded for the language in use, and again when that changes. */
  async learn(game: string, messages: Record<Exclude<Tongue, "qq">, Load>): Promise<void> {
    this.loaders[game] = async (tongue) => (tongue === "qq" ? distort(await messages.en()) : messages[tongue]());
    const words = await this.loaders[game](this.tongue);
    this.games = { ...this.games, [game]: words };
  }

  /** The words of a game, and behind them those of the house. */
  of<C extends Catalogue>(game: string): Translate<C & English> {
    return this.voice(game).t as Translate<C & English>;
  }

  look(game: string): Look {
    return this.voice(game).look;
  }

  /** One pair of functions a game: a new one would have all that is written with it written again. */
  private voice(game: string): Voice {
    const look: Look = (key, args = {}) => {
      const message = this.games[game]?.[key] ?? this.house[key];
      return message === undefined ? null : format(message, args, this.tongue);
    };
    return (this.voices[game] ??= { look, t: (key, args) => look(key, args) ?? key });
  }
}

function distort(catalogue: Catalogue): Catalogue {
  return Object.fromEntries(Object.entries(catalogue).map(([key, message]) => [key, pseudo(message)]));
}

export const speech = new Speech();
