/** Messages and their plurals. A catalogue is a plain object; English is the one that all others must match. */

/** A language's tag, such as `fr`, or that of the pseudo-language: English, longer and with accents, which shows what is
 * cut off or was never translated. */
export type Tongue = string;
export const PSEUDO: Tongue = "qq";
/** As `Intl` knows it, for dates, numbers and plurals. */
export const localeOf = (tongue: Tongue): string => (tongue === PSEUDO ? "en" : tongue);

interface Plural {
  one?: string;
  few?: string;
  many?: string;
  other: string;
}
export type Message = string | Plural;
export type Catalogue = Readonly<Record<string, Message>>;

type Holes<S extends string> = S extends `${string}{${infer Hole}}${infer Rest}` ? Hole | Holes<Rest> : never;
/** A message with plurals is chosen by `n`. */
type HolesOf<M> = M extends string ? Holes<M> : "n" | Holes<Extract<M[keyof M], string>>;
type Arguments<M> = [HolesOf<M>] extends [never] ? [] : [Readonly<Record<HolesOf<M>, string | number>>];

/** Fetches a catalogue. */
export type Load = () => Promise<Catalogue>;
/** Catalogues by language; where one is missing, English is shown. */
export type Catalogues = Readonly<Record<string, Load>>;

/** Every language has all of English's keys. */
export type Translation<English> = { readonly [Key in keyof English]: Message };

/** `t("tokens.left", { n: 3 })`; keys and arguments are checked by the compiler. */
export type Translate<C> = <Key extends keyof C & string>(key: Key, ...args: Arguments<C[Key]>) => string;

/** For keys that come as data, such as those of log entries: an unknown key gives null. */
export type LookUp = (key: string, args?: Readonly<Record<string, string | number>>) => string | null;

export function format(message: Message, args: Readonly<Record<string, string | number>>, tongue: Tongue): string {
  const text = typeof message === "string" ? message : plural(message, Number(args["n"]), tongue);
  return text.replace(/\{(\w+)\}/g, (whole, hole: string) => show(args[hole] ?? whole, tongue));
}

export function holes(message: Message): Set<string> {
  const texts = typeof message === "string" ? [message] : ["{n}", ...Object.values(message)];
  return new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!)));
}

function plural(message: Plural, n: number, tongue: Tongue): string {
  const form = rules(tongue).select(n) as keyof Plural;
  return message[form] ?? message.other;
}

function show(value: string | number, tongue: Tongue): string {
  return typeof value === "number" ? numbers(tongue).format(value) : value;
}

const cached = <T>(make: (locale: string) => T) => {
  const made = new Map<Tongue, T>();
  return (tongue: Tongue): T => {
    let found = made.get(tongue);
    if (!found) made.set(tongue, (found = make(localeOf(tongue))));
    return found;
  };
};
const rules = cached((locale) => new Intl.PluralRules(locale));
const numbers = cached((locale) => new Intl.NumberFormat(locale));

/** `[Ťåķé ǫñé öƒ ťħé ťħŕéé ťîļéš ~~~~~~]`: two fifths longer, as German or Russian may be. */
export function pseudo(message: Message): Message {
  if (typeof message !== "string")
    return Object.fromEntries(Object.entries(message).map(([form, text]) => [form, pseudo(text)])) as unknown as Plural;
  const accented = message.replace(/\{\w+\}|[a-z]/gi, (found) => ACCENTS[found] ?? found);
  return `[${accented}${" ~".repeat(Math.ceil(message.length * 0.2))}]`;
}
const ACCENTS: Record<string, string> = Object.fromEntries(
  [..."aceghiklnoprstuyzAEIOUCNST"].map((letter, i) => [letter, [..."åçéĝħîķļñöþŕšťûýžÅÉÎÖÛÇÑŠŤ"][i]!]),
);
