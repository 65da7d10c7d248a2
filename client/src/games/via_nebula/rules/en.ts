import type { RulesText } from "./text";

export const text: RulesText = {
  sections: {
    goal: {
      title: "What it is about",
      text: [
        "Mist covers the valley and its towns lie in ruins. Each seat leads a guild: it opens exploitations, clears paths through the mist, carries resources to its building sites and rebuilds the towns with contracts.",
        "A path or an exploitation that one guild opens serves all the others too. Whoever has the most points at the end wins.",
      ],
    },
    valley: {
      title: "The valley",
      text: [
        "Every hex is printed as meadow, mist, petrified forest, forbidden ground or ruin. At the start a token lies on every meadow; the special ones are replaced at once by their resources: neutral exploitations, which belong to nobody.",
        "A hex is open if a tile lies on it, or if it is a meadow with neither a token nor a resource. Open ground is drawn as one green sheet: what looks joined is joined.",
      ],
      caption: "Meadow with a token, mist, forest, forbidden ground, ruin. The token yields two wood and is worth one point.",
    },
    turn: {
      title: "The turn",
      text: [
        "A turn is two actions, the same one twice if you like. There are six: craftsman, site, mist, forest, carry, build. A forest takes both actions.",
        "You must act if you can. Only if nothing is possible do you pass, and then what was left of the turn is gone.",
      ],
    },
    craftsman: {
      title: "Craftsman",
      text: [
        "Put a craftsman of yours on any hex with a token. The token is yours, with its points; its resources are put on the hex, which is now your exploitation.",
        "He comes home when the last resource is gone, whoever took it. The hex is open from then on.",
      ],
      caption: "A craftsman opens the token: its two stone lie on the hex.",
    },
    site: {
      title: "Site",
      text: [
        "Lay a site on a free place of any ruin, wherever it is. A ruin has two places, with two seats only one; both may be yours.",
        "You may not have more sites on the map than buildings left to build.",
      ],
      caption: "With three or four seats two guilds can share a ruin. Here one has a site, the other a building.",
    },
    explore: {
      title: "Explore mist and forest",
      text: [
        "Lay a tile on a mist hex that touches open ground, whoever opened it, or a hex with a craftsman, a site or a building of yours.",
        "A petrified forest follows the same rule, but takes both actions of the turn.",
      ],
      caption: "The gold hexes touch open ground or your craftsman. The mist at the right touches neither.",
    },
    tiles: {
      title: "Tiles and explorers",
      text: [
        "A tile comes from the leftmost pile of your guild board that has any; when the board is empty, from the reserve. Without tiles nothing can be explored.",
        "When a pile is empty its explorer appears: 2 points at the end.",
      ],
    },
    carry: {
      title: "Carry",
      text: [
        "One resource goes from any exploitation, yours, another’s or a neutral one, to a site of yours, along open ground only, as far as you like. If the exploitation touches the ruin no path is needed.",
        "Nothing passes through a ruin, a token, an exploitation that still holds something, mist, forest or forbidden ground. What lies on a site is never moved on.",
      ],
      caption: "The wheat goes over two tiles to the site.",
    },
    build: {
      title: "Build",
      text: [
        "Choose one of your sites and a contract, from the display or from your hand, such that the site holds at least what the contract costs. The site goes home and a building takes its place for good.",
        "The cost goes back to the box. Everything else that lay on the site goes into your storage, where each resource costs a point at the end.",
        "Then you may use the contract’s power, now or never. At last the display is filled up.",
      ],
      caption: "The contract costs wood and stone. The wheat is left over and goes to storage.",
    },
    powers: {
      title: "The contracts",
      text: [
        "33 contracts are common, 8 are private: each seat is dealt two of those. Using a power takes no action. “Yours” means your sites, your exploitations and, for Caravan and Export only, your storage.",
        "Distillery’s action is the very next one you take, and can be joined with one that is left for a forest. Airway may move any tile, whoever laid it. Store may make an exploitation mixed; whoever carries from it then chooses.",
      ],
    },
    end: {
      title: "The end",
      text: [
        "Whoever builds the fifth building first takes the end card. Its power may still be used, then the turn is over, and every other seat has one full turn.",
        "Then all resources on your sites and your exploitations go into your storage too, and the points are counted. If there is a tie, the one with fewer resources in storage is ahead; if that is equal too, they share the place.",
      ],
    },
    seats: {
      title: "Two, three or four",
      text: ["Some numbers depend on how many play."],
    },
    secrets: {
      title: "What is secret",
      text: ["Only the cards in a hand. How many cards a hand holds, and everything else, can be seen by all. When the match is over, everything is open."],
    },
    fine: {
      title: "Fine points",
      text: [
        "Resources never run out, and neither do the contracts.",
        "With one action left and only a forest possible, you pass.",
        "If all seats pass a whole turn one after the other, the match is over: nothing could change any more.",
        "Architect counts itself. Mayor counts contracts of exactly two resources, by their cost, also the Explorer’s. Cards in hand count nothing.",
        "The fifth building of a second seat in the last round neither ends the turn nor earns a card.",
      ],
    },
    sure: {
      title: "How sure this is",
      text: [
        "Not all pictures of the box are known to us. A full moon marks what is known, a half moon what is likely, a dashed ring what we have reconstructed: both maps and most costs. The rules and the powers are known.",
      ],
    },
  },
  seats: {
    head: "Seats",
    tiles: "Tiles in each of four piles",
    reserve: "Tiles in the reserve",
    craftsmen: "Craftsmen of each",
    places: "Places in a ruin",
    less: "A token yields",
    full: "as printed",
    lessOne: "one less",
  },
  count: { tokens: "each token: its points", contracts: "each contract built: its points", explorer: "each explorer found", end: "the end card", storage: "each resource in storage" },
};
