import { expect, test } from "vitest";

const catalogues = import.meta.glob<Record<string, string>>("../messages/*.ts", { import: "default", eager: true });

/** What newcomers stumble over without, and how each language says it; shown, as are all paragraphs of these sections. */
const FACTS: Record<string, Record<string, RegExp>> = {
  "rules.site.1": { en: /three building sites/, de: /drei Baustellen/, es: /tres obras/, fr: /trois chantiers/, nl: /drie bouwplaatsen/, ru: /три стройки/ },
  "rules.build.1": { en: /four face up/, de: /vier offenen/, es: /cuatro expuestos/, fr: /quatre visibles/, nl: /vier open/, ru: /четырёх открытых/ },
  "rules.build.2": {
    en: /spend return to the supply/,
    de: /bezahlten Rohstoffe kommen in den Vorrat zurück/,
    es: /pagados vuelven a la reserva/,
    fr: /payées retournent dans la réserve/,
    nl: /betaalde grondstoffen gaan terug naar de voorraad/,
    ru: /Уплаченные ресурсы возвращаются в запас/,
  },
  "rules.end.1": { en: /end card, worth 2 points/, de: /Schlusskarte, die 2 Punkte wert ist/, es: /carta final, que vale 2 puntos/, fr: /carte fin de partie, qui vaut 2 points/, nl: /eindkaart, die 2 punten waard is/, ru: /карту конца партии, она приносит 2 очка/ },
};
const languages = Object.keys(FACTS["rules.end.1"]!);

test.each(languages)("the rules in %s say how many sites and open contracts there are, where resources go, and what the end card is worth", (language) => {
  const catalogue = catalogues[`../messages/${language}.ts`]!;
  for (const [key, said] of Object.entries(FACTS)) expect(catalogue[key], key).toMatch(said[language]!);
});
