import type { RulesText } from "./text";

export const text: RulesText = {
  sections: {
    goal: {
      title: "Waar het om gaat",
      text: [
        "Mist bedekt de vallei en haar steden liggen in puin. Iedere speler leidt een gilde: het opent winplaatsen, maakt wegen vrij, vervoert grondstoffen naar zijn bouwplaatsen en herbouwt de steden met contracten.",
        "Een weg of een winplaats die het ene gilde opent, dient ook alle andere. Wie aan het eind de meeste punten heeft, wint.",
      ],
    },
    valley: {
      title: "De vallei",
      text: [
        "Elk vak is gedrukt als weide, mist, versteend bos, verboden grond of ruïne. Aan het begin ligt op elke weide een fiche; de speciale worden meteen door hun grondstoffen vervangen: neutrale winplaatsen, van niemand.",
        "Een vak is open als er een tegel op ligt, of als het een weide is zonder fiche en zonder grondstof. Open grond is één groen vel: wat verbonden lijkt, is verbonden.",
      ],
      caption: "Weide met een fiche, mist, bos, verboden grond, ruïne. Het fiche geeft twee hout en is één punt waard.",
    },
    turn: {
      title: "De beurt",
      text: [
        "Een beurt is twee acties, tweemaal dezelfde mag. Er zijn er zes: ambachtsman, bouwplaats, mist, bos, vervoeren, bouwen. Een bos kost beide acties.",
        "Wie iets kan, moet iets doen. Je past alleen als er niets kan, en dan is de rest van de beurt voorbij.",
      ],
    },
    craftsman: {
      title: "Ambachtsman",
      text: [
        "Zet een eigen ambachtsman op een vak met een fiche, waar ook. Het fiche is van jou, met zijn punten; de grondstoffen komen op het vak, dat nu jouw winplaats is.",
        "Hij komt thuis als de laatste grondstof weg is, wie die ook nam. Het vak is vanaf dan open.",
      ],
      caption: "Een ambachtsman opent het fiche: de twee stenen liggen op het vak.",
    },
    site: {
      title: "Bouwplaats",
      text: [
        "Leg een bouwplaats op een vrije plek van een ruïne, waar ook. Een ruïne heeft twee plekken, met twee spelers maar één; beide mogen van jou zijn.",
        "Je mag niet meer bouwplaatsen op de kaart hebben dan gebouwen die je nog moet bouwen.",
      ],
      caption: "Met drie of vier spelers kunnen twee gilden een ruïne delen. Hier heeft het ene een bouwplaats, het andere een gebouw.",
    },
    explore: {
      title: "Mist en bos verkennen",
      text: [
        "Leg een tegel op een mistvak dat open grond raakt, wie die ook opende, of een vak met een ambachtsman, bouwplaats of gebouw van jou.",
        "Voor een versteend bos geldt hetzelfde, maar het kost beide acties van de beurt.",
      ],
      caption: "De gouden vakken raken open grond of je ambachtsman. De mist rechts raakt geen van beide.",
    },
    tiles: {
      title: "Tegels en verkenners",
      text: [
        "Een tegel komt van de meest linkse stapel van je gildebord die er nog heeft; is het bord leeg, uit de voorraad. Zonder tegels valt er niets te verkennen.",
        "Is een stapel leeg, dan verschijnt de verkenner: 2 punten aan het eind.",
      ],
    },
    carry: {
      title: "Vervoeren",
      text: [
        "Eén grondstof gaat van een winplaats, van jou, van een ander of neutraal, naar een eigen bouwplaats, alleen over open grond, zo ver je wilt. Raakt de winplaats de ruïne, dan is er geen weg nodig.",
        "Niets gaat door een ruïne, een fiche, een winplaats waar nog iets ligt, mist, bos of verboden grond. Wat op een bouwplaats ligt, gaat nooit verder.",
      ],
      caption: "Het graan gaat over twee tegels naar de bouwplaats.",
    },
    build: {
      title: "Bouwen",
      text: [
        "Kies een eigen bouwplaats en een contract, open of uit je hand, waarvan de bouwplaats ten minste de kosten heeft. De bouwplaats komt thuis en een gebouw komt er voorgoed te staan.",
        "De kosten gaan terug in de doos. Al het andere gaat naar je opslag, waar elke grondstof aan het eind een punt kost.",
        "Dan mag je de kracht van het contract gebruiken, nu of nooit. Ten slotte wordt een nieuw contract opengelegd.",
      ],
      caption: "Het contract kost hout en steen. Het graan is over en gaat naar de opslag.",
    },
    powers: {
      title: "De contracten",
      text: [
        "33 contracten zijn er voor iedereen, 8 zijn privé: ieder krijgt er twee. Een kracht kost geen actie. ‘Jouw’ grondstoffen liggen op je bouwplaatsen, je winplaatsen en, alleen voor Karavaan en Uitvoer, in je opslag.",
        "De actie van de Stokerij is de eerstvolgende; met een die over is kan ze een bos zijn. De Luchtweg verlegt iedere tegel, van wie ook. De Winkel kan een winplaats gemengd maken; wie dan vervoert, kiest.",
      ],
    },
    end: {
      title: "Het einde",
      text: [
        "Wie als eerste een vijfde gebouw bouwt, pakt de eindkaart. De kracht mag nog, dan is de beurt voorbij, en ieder ander heeft nog één hele beurt.",
        "Dan gaan alle grondstoffen op je bouwplaatsen en je winplaatsen ook naar je opslag, en wordt er geteld. Bij gelijke stand wint wie minder in de opslag heeft; is ook dat gelijk, dan delen ze de plaats.",
      ],
    },
    seats: {
      title: "Met twee, drie of vier",
      text: ["Enkele getallen hangen af van het aantal spelers."],
    },
    secrets: {
      title: "Wat geheim is",
      text: ["Alleen de kaarten in een hand. Hoeveel het er zijn, en al het andere, ziet iedereen. Na afloop is alles open."],
    },
    fine: {
      title: "Fijne punten",
      text: [
        "Grondstoffen raken nooit op, contracten ook niet.",
        "Is er één actie over en kan alleen een bos, dan pas je.",
        "Passen allen na elkaar een hele beurt, dan is de partij uit: er zou niets meer veranderen.",
        "De Architect telt zichzelf mee. De Burgemeester telt contracten van precies twee grondstoffen, naar hun kosten, ook dat van de Verkenner. Kaarten in de hand tellen niet.",
        "Een tweede vijfde gebouw in de laatste ronde beëindigt de beurt niet en geeft geen kaart.",
      ],
    },
    sure: {
      title: "Hoe zeker dit is",
      text: [
        "Niet alle plaatjes uit de doos zijn ons bekend. Een volle maan betekent bekend, een halve waarschijnlijk, een gestreepte ring door ons gereconstrueerd: beide kaarten en de meeste kosten. De regels en de krachten zijn bekend.",
      ],
    },
  },
  seats: {
    head: "Spelers",
    tiles: "Tegels in elk van vier stapels",
    reserve: "Tegels in de voorraad",
    craftsmen: "Ambachtslieden van ieder",
    places: "Plekken in een ruïne",
    less: "Een fiche geeft",
    full: "wat erop staat",
    lessOne: "één minder",
  },
  count: { tokens: "elk fiche: zijn punten", contracts: "elk gebouwd contract: zijn punten", explorer: "elke gevonden verkenner", end: "de eindkaart", storage: "elke grondstof in de opslag" },
};
