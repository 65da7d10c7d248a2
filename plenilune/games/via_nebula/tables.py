"""Via Nebula's maps, cards, tokens and counts, as `via-nebula.table` (or a player's own) has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from plenilune.core import components
from plenilune.core.components import Row, Table
from plenilune.games.via_nebula import hexes

CERTAINTIES = ("known", "likely", "reconstructed")
RESOURCES = ("wood", "stone", "clay", "wheat", "food")
MAPS = ("beginner", "expert")
GROUNDS = {"m": "meadow", ".": "mist", "f": "forest", "x": "forbidden", "r": "ruin"}
NO_HEX = "-"
MEADOWS, FEWEST_RUINS = 24, 10
TOKENS, SPECIALS = 20, len(RESOURCES)
FEWEST_PRINTED, MOST_PRINTED, MOST_PRINTED_TOGETHER = 2, 9, 120
MOST_POINTS, LONGEST_COST = 99, 9
ANY_EQUAL, ANY_DIFFERENT = "2-equal", "3-different"
FOR_EACH = ("once", "contract", "token", "small-building", "hidden-explorer")
NAME = re.compile(r"[a-z][a-z0-9-]*")

# What is known of the box (RULES 11.5): a table may not say otherwise.
COUNTS = {
    "actions-a-turn": 2,
    "contracts-face-up": 4,
    "tiles": 60,
    "piles": 4,
    "points-an-explorer": 2,
    "points-for-the-end-card": 2,
    "points-lost-a-resource": 1,
}
SEAT_COUNTS = (2, 3, 4)
BY_SEATS = {
    "tiles-in-a-pile": (5, 4, 3),
    "craftsmen": (3, 2, 2),
    "sites": (3, 3, 3),
    "buildings": (5, 5, 5),
    "places-in-a-ruin": (1, 2, 2),
    "resources-less": (1, 1, 0),
    "private-contracts-dealt": (2, 2, 2),
}
KINDS = {  # deck, copies, power
    "store": ("contract", 6, "swap"),
    "carpentry": ("contract", 4, "tile-on-forest"),
    "distillery": ("contract", 6, "extra-action"),
    "airway": ("contract", 4, "move-tile"),
    "abundance": ("contract", 2, "open-token"),
    "adventurers": ("contract", 2, "tile-on-forbidden"),
    "caravan": ("contract", 2, "remove-one"),
    "export": ("contract", 2, "remove-two"),
    "architect": ("contract", 1, "none"),
    "merchant": ("contract", 1, "none"),
    "mayor": ("contract", 1, "none"),
    "explorer": ("contract", 1, "none"),
    "priest": ("contract", 1, "none"),
    "quiet-town": ("private", 2, "none"),
    "express-delivery": ("private", 2, "deliver"),
    "secret-plan": ("private", 2, "draw-contract"),
    "shortcut": ("private", 2, "shed-tiles"),
}
CARD_NAMES = [f"{kind}-{'abcdef'[copy]}" for kind, (_, copies, _) in KINDS.items() for copy in range(copies)]


@dataclass(frozen=True)
class Token:
    name: str
    resource: str
    printed: int
    points: int
    special: bool
    certainty: str


@dataclass(frozen=True)
class Points:
    figure: int
    for_each: str
    certainty: str


@dataclass(frozen=True)
class Card:
    name: str
    kind: str
    cost: str  # resources joined by +, ANY_EQUAL or ANY_DIFFERENT
    certainty: str

    @property
    def deck(self) -> str:
        return KINDS[self.kind][0]

    @property
    def power(self) -> str:
        return KINDS[self.kind][2]

    @property
    def resources(self) -> int:
        """How many it takes to build."""
        return {ANY_EQUAL: 2, ANY_DIFFERENT: 3}.get(self.cost) or self.cost.count("+") + 1


@dataclass
class Map:
    name: str
    ground: dict[int, str] = field(default_factory=dict)  # by cell, in reading order
    rows: dict[int, Row] = field(default_factory=dict)
    certainties: dict[int, str] = field(default_factory=dict)  # by row

    def cells(self, *grounds: str) -> list[int]:
        return [cell for cell, ground in self.ground.items() if ground in grounds]

    def refuse(self, cell: int, reason: str) -> None:
        self.rows[hexes.POSITIONS[cell][1]].refuse(f"map {self.name}, {hexes.NAMES[cell]}: {reason}")

    def check(self) -> None:
        """RULES 11.5: 24 meadows, ruins enough, and a way from every ruin to every meadow."""
        meadows, ruins = self.cells("meadow"), self.cells("ruin")
        if len(meadows) > MEADOWS:
            self.refuse(meadows[MEADOWS], f"one meadow too many: expected {MEADOWS}, found {len(meadows)}")
        if len(meadows) < MEADOWS:
            last = f", the last of them in {hexes.NAMES[meadows[-1]]}" if meadows else ""
            self.rows[max(self.rows)].refuse(f"map {self.name}: expected {MEADOWS} meadows, found {len(meadows)}{last}")
        if len(ruins) < FEWEST_RUINS:
            last = f", the last of them in {hexes.NAMES[ruins[-1]]}" if ruins else ""
            reason = f"expected at least {FEWEST_RUINS} ruins, found {len(ruins)}{last}"
            self.rows[max(self.rows)].refuse(f"map {self.name}: {reason}")
        for ruin in ruins:
            near = self._within_reach(ruin)
            for meadow in meadows:
                if meadow not in near:
                    self.refuse(meadow, f"no way through mist and forest from the ruin in {hexes.NAMES[ruin]}")

    def _within_reach(self, ruin: int) -> set[int]:
        """The cells that touch the ruin, or a hex that can be reached from it through mist and forest."""
        near, edge = set(), [ruin]
        while edge:
            fresh = [cell for cell in hexes.neighbours(edge.pop()) if cell not in near]
            near.update(fresh)
            edge += [cell for cell in fresh if self.ground.get(cell) in ("mist", "forest")]
        return near


class Box:
    """Everything in the box, and how certain each figure is."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.counts: dict[str, str] = {}  # the certainty of each, as in the next two
        self.seats: dict[str, str] = {}
        self.kinds: dict[str, str] = {}
        self.tokens: list[Token] = []  # the plain ones, then the special ones
        self.points: dict[str, Points] = {}  # by kind
        self.cards: list[Card] = []
        self.maps = {name: Map(name) for name in MAPS}
        readers: dict[str, Callable[[Row], None]] = {
            "count": self._count,
            "seats": self._seats,
            "token": self._token,
            "special": self._token,
            "kind": self._kind,
            "points": self._points,
            "card": self._card,
            "row": self._row,
        }
        for row in table.rows:
            readers[row.one_of(row.words[0], tuple(readers))](row)
        self.tokens.sort(key=lambda token: token.special)
        self._check()

    def _count(self, row: Row) -> None:
        what, figure, certainty = row.expect("WHAT", "FIGURE", "CERTAINTY")
        self._only_one(row, what, COUNTS, self.counts)
        if figure != str(COUNTS[what]):
            row.refuse(f"{what} is known to be {COUNTS[what]}, not {figure}")
        self.counts[what] = row.one_of(certainty, CERTAINTIES)

    def _seats(self, row: Row) -> None:
        what, *figures, certainty = row.expect("WHAT", "TWO", "THREE", "FOUR", "CERTAINTY")
        self._only_one(row, what, BY_SEATS, self.seats)
        if figures != [str(figure) for figure in BY_SEATS[what]]:
            known = " ".join(map(str, BY_SEATS[what]))
            row.refuse(f"{what} is known to be {known}, not {' '.join(figures)}")
        self.seats[what] = row.one_of(certainty, CERTAINTIES)

    def _kind(self, row: Row) -> None:
        kind, *what, certainty = row.expect("NAME", "DECK", "COPIES", "POWER", "CERTAINTY")
        self._only_one(row, kind, KINDS, self.kinds)
        known = " ".join(map(str, KINDS[kind]))
        if " ".join(what) != known:
            row.refuse(f"{kind} is known to be '{known}', not '{' '.join(what)}'")
        self.kinds[kind] = row.one_of(certainty, CERTAINTIES)

    def _token(self, row: Row) -> None:
        name, resource, printed, points, certainty = row.expect("NAME", "RESOURCE", "PRINTED", "POINTS", "CERTAINTY")
        special = row.words[0] == "special"
        if not NAME.fullmatch(name):
            row.refuse(f"a token's name is small letters, digits and hyphens, not {name!r}")
        if any(token.name == name for token in self.tokens):
            row.refuse(f"a second token {name!r}")
        if special and any(token.special and token.resource == resource for token in self.tokens):
            row.refuse(f"a second special token of {resource}")
        token = Token(
            name,
            row.one_of(resource, RESOURCES),
            row.number(printed, FEWEST_PRINTED, MOST_PRINTED),
            row.number(points, 0, 0 if special else MOST_POINTS),
            special,
            row.one_of(certainty, CERTAINTIES),
        )
        if sum(other.printed for other in self.tokens) + token.printed > MOST_PRINTED_TOGETHER:
            row.refuse(f"with {name} the tokens have more than {MOST_PRINTED_TOGETHER} resources together")
        self.tokens.append(token)

    def _points(self, row: Row) -> None:
        kind, figure, for_each, certainty = row.expect("NAME", "POINTS", "FOR-EACH", "CERTAINTY")
        self._only_one(row, kind, KINDS, self.points)
        self.points[kind] = Points(
            row.number(figure, 0, MOST_POINTS),
            row.one_of(for_each, FOR_EACH),
            row.one_of(certainty, CERTAINTIES),
        )

    def _card(self, row: Row) -> None:
        name, cost, certainty = row.expect("NAME", "COST", "CERTAINTY")
        if len(self.cards) == len(CARD_NAMES):
            row.refuse(f"a card too many: {name!r}")
        if name != CARD_NAMES[len(self.cards)]:
            row.refuse(f"expected the card {CARD_NAMES[len(self.cards)]!r}, not {name!r}")
        if cost not in (ANY_EQUAL, ANY_DIFFERENT):
            for resource in cost.split("+"):
                row.one_of(resource, (*RESOURCES, ANY_EQUAL, ANY_DIFFERENT))
            if "-" in cost or len(cost.split("+")) > LONGEST_COST:
                row.refuse(f"a cost is {ANY_EQUAL}, {ANY_DIFFERENT} or 1 to {LONGEST_COST} resources, not {cost!r}")
        self.cards.append(Card(name, name.rpartition("-")[0], cost, row.one_of(certainty, CERTAINTIES)))

    def _row(self, row: Row) -> None:
        if len(row.words) < 4:
            row.expect("MAP", "ROW", "CELLS", "CERTAINTY")
        _, name, number, *letters, certainty = row.words
        land = self.maps[row.one_of(name, MAPS)]
        if row.number(number, 1, hexes.ROWS) != len(land.rows) + 1:
            row.refuse(f"expected row {len(land.rows) + 1} of map {name}, not {number}")
        at = int(number)
        if len(letters) != hexes.width(at):
            row.refuse(f"expected {hexes.width(at)} cells in row {at}, not {len(letters)}")
        for column, letter in enumerate(letters):
            if letter not in (*GROUNDS, NO_HEX):
                signs = ", ".join((*GROUNDS, NO_HEX))
                row.refuse(f"map {name}, {hexes.name(column, at)}: expected one of {signs}, not {letter!r}")
            if letter != NO_HEX:
                land.ground[hexes.cell(column, at)] = GROUNDS[letter]
        land.rows[at], land.certainties[at] = row, row.one_of(certainty, CERTAINTIES)

    @staticmethod
    def _only_one(row: Row, name: str, names: Iterable[str], found: Iterable[str]) -> None:
        if row.one_of(name, tuple(names)) in found:
            row.refuse(f"a second row '{row.words[0]} {name}'")

    def _check(self) -> None:
        wanted: list[tuple[str, Iterable[str], Iterable[str]]] = [
            ("count", COUNTS, self.counts),
            ("seats", BY_SEATS, self.seats),
            ("kind", KINDS, self.kinds),
            ("points", KINDS, self.points),
        ]
        for word, names, found in wanted:
            for name in names:
                if name not in found:
                    self.table.refuse(f"expected a row '{word} {name}'")
        for word, special, number in (("token", False, TOKENS), ("special", True, SPECIALS)):
            found_number = sum(token.special == special for token in self.tokens)
            if found_number != number:
                self.table.refuse(f"expected {number} rows '{word}', found {found_number}")
        if len(self.cards) < len(CARD_NAMES):
            self.table.refuse(f"expected a row 'card {CARD_NAMES[len(self.cards)]}'")
        for land in self.maps.values():
            if not land.rows:
                self.table.refuse(f"expected rows of the map {land.name}")
            land.check()


TABLE = components.table(Path(__file__).parent)
BOX = Box(TABLE)
