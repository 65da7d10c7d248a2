import { bestLanguage, LANGUAGES } from "../i18n/languages";
import { PSEUDO, type Tongue } from "../i18n/translate";

/** What may be chosen, what is usual first. */
const CHOICES = {
  theme: ["system", "dark", "light"],
  motion: ["system", "full", "still"],
  confirm: ["turn", "always", "never"], // when a turn that is complete waits for a click on Confirm
  pace: ["calm", "quick"], // at which the others' actions are shown
} as const;

type Choices = typeof CHOICES;
export type Values = { language: Tongue } & { [Key in keyof Choices]: Choices[Key][number] };

/** The user's preferences: what the address asks for, what was saved, what is usual. Neither of the first two is trusted:
 * the address comes from anywhere, and what was saved may be damaged or from another version. */
export function valuesFrom(asked: URLSearchParams, saved: unknown, languages: readonly string[]): Values {
  const kept = (typeof saved === "object" && saved !== null ? saved : {}) as Readonly<Record<string, unknown>>;
  const choose = <Key extends keyof Choices>(key: Key, ...wishes: unknown[]): Values[Key] => {
    const choices: readonly unknown[] = CHOICES[key];
    return (wishes.find((wish) => choices.includes(wish)) ?? choices[0]) as Values[Key];
  };
  return {
    language: [asked.get("language"), kept["language"]].find(isTongue) ?? bestLanguage(languages),
    theme: choose("theme", asked.get("theme"), kept["theme"]),
    motion: choose("motion", asked.get("motion"), kept["motion"]),
    confirm: choose("confirm", kept["confirm"]),
    pace: choose("pace", kept["pace"]),
  };
}

function isTongue(wish: unknown): wish is Tongue {
  return typeof wish === "string" && (Object.hasOwn(LANGUAGES, wish) || wish === PSEUDO);
}
