import type { RulesText } from "./text";

export const text: RulesText = {
  sections: {
    goal: {
      title: "De quoi il s’agit",
      text: [
        "La brume couvre la vallée et ses villes sont en ruine. Chacun mène une guilde : elle ouvre des exploitations, dégage des chemins, transporte des ressources jusqu’à ses chantiers et relève les villes grâce aux contrats.",
        "Un chemin ou une exploitation ouverts par une guilde servent aussi à toutes les autres. Qui a le plus de points à la fin gagne.",
      ],
    },
    valley: {
      title: "La vallée",
      text: [
        "Chaque case est imprimée plaine, brume, forêt pétrifiée, zone interdite ou ruine. Au début un jeton couvre chaque plaine ; les jetons spéciaux sont aussitôt remplacés par leurs ressources : des exploitations neutres, à personne.",
        "Une case est libre si une tuile y est posée, ou si c’est une plaine sans jeton ni ressource. Les cases libres forment une même feuille verte : ce qui paraît relié est relié.",
      ],
      caption: "Plaine avec un jeton, brume, forêt, zone interdite, ruine. Le jeton donne deux bois et vaut un point.",
    },
    turn: {
      title: "Le tour",
      text: [
        "Un tour, c’est deux actions, deux fois la même si vous voulez. Il y en a six : artisan, chantier, brume, forêt, transport, construction. Une forêt prend les deux actions.",
        "Si vous pouvez agir, vous devez agir. On ne passe que si rien n’est possible, et le reste du tour est perdu.",
      ],
    },
    craftsman: {
      title: "Artisan",
      text: [
        "Posez un de vos artisans sur n’importe quelle case avec un jeton. Le jeton est à vous, avec ses points ; ses ressources sont mises sur la case, qui devient votre exploitation.",
        "L’artisan revient quand la dernière ressource est partie, qui que ce soit qui l’ait prise. La case est alors libre.",
      ],
      caption: "Un artisan ouvre le jeton : ses deux pierres sont sur la case.",
    },
    site: {
      title: "Chantier",
      text: [
        "Posez un chantier sur un emplacement libre de n’importe quelle ruine. Une ruine a deux emplacements, un seul à deux joueurs ; les deux peuvent être à vous.",
        "Vous ne pouvez pas avoir plus de chantiers sur la carte que de bâtiments qui restent à construire.",
      ],
      caption: "À trois ou quatre, deux guildes peuvent partager une ruine. Ici l’une a un chantier, l’autre un bâtiment.",
    },
    explore: {
      title: "Explorer la brume et la forêt",
      text: [
        "Posez une tuile sur une case de brume qui touche une case libre, ouverte par qui que ce soit, ou une case avec un artisan, un chantier ou un bâtiment à vous.",
        "La forêt pétrifiée suit la même règle, mais prend les deux actions du tour.",
      ],
      caption: "Les cases dorées touchent une case libre ou votre artisan. La brume de droite ne touche ni l’une ni l’autre.",
    },
    tiles: {
      title: "Tuiles et explorateurs",
      text: [
        "Une tuile vient de la pile non vide la plus à gauche de votre plateau de guilde ; le plateau vide, de la réserve. Sans tuile, pas d’exploration.",
        "Quand une pile est vide, son explorateur apparaît : 2 points à la fin.",
      ],
    },
    carry: {
      title: "Transporter",
      text: [
        "Une ressource va d’une exploitation, à vous, à un autre ou neutre, jusqu’à un de vos chantiers, par des cases libres seulement, aussi loin que vous voulez. Si l’exploitation touche la ruine, nul besoin de chemin.",
        "Rien ne traverse une ruine, un jeton, une exploitation non vide, la brume, la forêt ou une zone interdite. Ce qui est sur un chantier n’en bouge plus.",
      ],
      caption: "Le blé passe par deux tuiles jusqu’au chantier.",
    },
    build: {
      title: "Construire",
      text: [
        "Choisissez un de vos chantiers et un contrat, visible ou de votre main, dont le chantier contient au moins le coût. Le chantier revient, un bâtiment prend sa place pour de bon.",
        "Le coût retourne à la boîte. Tout le reste va dans votre zone de ressources, où chaque ressource coûte un point à la fin.",
        "Puis vous pouvez utiliser le pouvoir du contrat, maintenant ou jamais. Enfin un nouveau contrat est révélé.",
      ],
      caption: "Le contrat coûte bois et pierre. Le blé est de trop et va dans la zone de ressources.",
    },
    powers: {
      title: "Les contrats",
      text: [
        "33 contrats sont communs, 8 sont privés : chacun en reçoit deux. Un pouvoir ne coûte pas d’action. « Vos » ressources sont celles de vos chantiers, de vos exploitations et, pour la Caravane et l’Exportation seulement, de votre zone de ressources.",
        "L’action de la Distillerie est la toute prochaine ; elle peut se joindre à celle qui reste pour une forêt. La Voie des airs déplace n’importe quelle tuile. Le Magasin peut mélanger une exploitation ; qui transporte choisit alors.",
      ],
    },
    end: {
      title: "La fin",
      text: [
        "Le premier à construire un cinquième bâtiment prend la carte fin de partie. Le pouvoir peut encore servir, puis le tour est fini, et chacun des autres joue un tour complet.",
        "Toutes les ressources de vos chantiers et de vos exploitations vont alors elles aussi dans votre zone de ressources, et on compte. À égalité, qui y a le moins de ressources passe devant ; sinon la place est partagée.",
      ],
    },
    seats: {
      title: "À deux, trois ou quatre",
      text: ["Quelques nombres dépendent du nombre de joueurs."],
    },
    secrets: {
      title: "Ce qui est secret",
      text: ["Seulement les cartes en main. Combien il y en a, et tout le reste, se voit. La partie finie, tout est ouvert."],
    },
    fine: {
      title: "Points de détail",
      text: [
        "Les ressources ne manquent jamais, les contrats non plus.",
        "S’il reste une action et que seule une forêt est possible, on passe.",
        "Si tous passent un tour entier l’un après l’autre, la partie est finie : plus rien ne pourrait changer.",
        "L’Architecte se compte lui-même. Le Bourgmestre compte les contrats d’exactement deux ressources, d’après leur coût, celui de l’Explorateur aussi. Les cartes en main ne comptent pas.",
        "Le cinquième bâtiment d’un second joueur au dernier tour n’arrête pas son tour et ne donne pas de carte.",
      ],
    },
    sure: {
      title: "Ce qui est sûr",
      text: [
        "Toutes les images de la boîte ne nous sont pas connues. Une pleine lune marque ce qui est connu, une demi-lune ce qui est probable, un anneau en tirets ce que nous avons reconstitué : les deux cartes et la plupart des coûts. Les règles et les pouvoirs sont connus.",
      ],
    },
  },
  seats: {
    head: "Joueurs",
    tiles: "Tuiles dans chacune des quatre piles",
    reserve: "Tuiles dans la réserve",
    craftsmen: "Artisans de chacun",
    places: "Emplacements par ruine",
    less: "Un jeton donne",
    full: "ce qu’il porte",
    lessOne: "un de moins",
  },
  count: { tokens: "chaque jeton : ses points", contracts: "chaque contrat construit : ses points", explorer: "chaque explorateur trouvé", end: "la carte fin de partie", storage: "chaque ressource dans la zone" },
};
