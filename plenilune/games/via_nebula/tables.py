"""Via Nebula's maps, cards, tokens and counts, as `via-nebula.table` (or a player's own) has them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plenilune.core import components
from plenilune.core.components import Row, Table
from plenilune.games.via_nebula.checking import MOST_COLUMNS, Column, Form, Schema, grid_of, ground_of, problems
from plenilune.games.via_nebula.grid import ROOM

CERTAINTIES = ("known", "likely", "reconstructed")
RESOURCES = ("wood", "stone", "clay", "wheat", "food")
MAPS = ("beginner", "expert")
GROUNDS = {"m": "meadow", ".": "mist", "f": "forest", "x": "forbidden", "r": "ruin"}
NO_HEX = "-"
MEADOWS, FEWEST_RUINS = 24, 1
TOKENS = MEADOWS + 1  # one special token goes back to the box (RULES 2.1), the others lie on the meadows
FEWEST_PRINTED, MOST_PRINTED, MOST_PRINTED_TOGETHER = 2, 9, 120
MOST_POINTS, LONGEST_COST = 99, 9
ANY_EQUAL, ANY_DIFFERENT = "2-equal", "3-different"
FOR_EACH = ("once", "contract", "token", "small-building", "hidden-explorer")

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
KIND_OF = {f"{kind}-{'abcdef'[copy]}": kind for kind, (_, copies, _) in KINDS.items() for copy in range(copies)}


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


@dataclass(frozen=True)
class Map:
    name: str
    ground: dict[int, str]  # by cell, in reading order
    certainties: dict[int, str]  # by row

    def cells(self, *grounds: str) -> list[int]:
        return [cell for cell, ground in self.ground.items() if ground in grounds]


def _token_columns(most_points: int) -> tuple[Column, ...]:
    return (
        Column("NAME", "name"),
        Column("RESOURCE", "word", RESOURCES),
        Column("PRINTED", "number", low=FEWEST_PRINTED, high=MOST_PRINTED),
        Column("POINTS", "number", low=0, high=most_points),
    )


CERTAINTY = Column("CERTAINTY", "word", CERTAINTIES)
SCHEMA = Schema(
    forms={
        "count": Form(
            (Column("WHAT", "word", tuple(COUNTS)), Column("FIGURE", "any")),
            known={what: str(figure) for what, figure in COUNTS.items()},
            every=tuple(COUNTS),
        ),
        "seats": Form(
            (Column("WHAT", "word", tuple(BY_SEATS)), *(Column(seats, "any") for seats in ("TWO", "THREE", "FOUR"))),
            known={what: " ".join(map(str, figures)) for what, figures in BY_SEATS.items()},
            every=tuple(BY_SEATS),
        ),
        "kind": Form(
            (Column("NAME", "word", tuple(KINDS)), *(Column(what, "any") for what in ("DECK", "COPIES", "POWER"))),
            known={kind: " ".join(map(str, words)) for kind, words in KINDS.items()},
            every=tuple(KINDS),
        ),
        "token": Form(_token_columns(MOST_POINTS), alike="special"),
        "special": Form(_token_columns(0), alike="token"),
        "points": Form(
            (
                Column("NAME", "word", (*KINDS, *KIND_OF)),
                Column("POINTS", "number", low=0, high=MOST_POINTS),
                Column("FOR-EACH", "word", FOR_EACH),
            ),
        ),
        "card": Form(
            (
                Column("NAME", "any"),
                Column("COST", "cost", (ANY_EQUAL, ANY_DIFFERENT), high=LONGEST_COST, resources=RESOURCES),
            ),
            every=tuple(KIND_OF),
            ordered=True,
        ),
    },
    certainty=CERTAINTY,
    tokens=TOKENS,
    printed=MOST_PRINTED_TOGETHER,
    kinds=KIND_OF,
    map_row="row",
    maps=MAPS,
    signs=GROUNDS,
    no_hex=NO_HEX,
    meadows=MEADOWS,
    ruins=FEWEST_RUINS,
    closed="r",
    columns=MOST_COLUMNS,
    room=ROOM,
)


class Box:
    """Everything in the box, and how certain each figure is."""

    def __init__(self, table: Table) -> None:
        for problem in problems(table, SCHEMA):
            table.refuse(problem.sentence, problem.line)
        self.table = table
        rows = {word: [row.words[1:] for row in table.rows if row.words[0] == word] for word in SCHEMA.forms}
        tokens = [(words, False) for words in rows["token"]] + [(words, True) for words in rows["special"]]
        self.tokens = [_token(words, special) for words, special in tokens]  # the plain ones, then the special ones
        printed = {name: Points(int(figure), each, certainty) for name, figure, each, certainty in rows["points"]}
        self.points = {card: printed.get(card) or printed[kind] for card, kind in KIND_OF.items()}  # by card
        self.cards = [Card(name, KIND_OF[name], cost, certainty) for name, cost, certainty in rows["card"]]
        drawn = {name: [row for row in table.rows if row.words[:2] == ("row", name)] for name in MAPS}
        self.grid = grid_of(drawn)
        self.maps = {name: self._map(name, rows) for name, rows in drawn.items()}

    def _map(self, name: str, rows: list[Row]) -> Map:
        ground = {self.grid.cell(*at): GROUNDS[sign] for at, sign in ground_of(rows, SCHEMA).items()}
        return Map(name, ground, {at: row.words[-1] for at, row in enumerate(rows, 1)})


def _token(words: tuple[str, ...], special: bool) -> Token:
    name, resource, printed, points, certainty = words
    return Token(name, resource, int(printed), int(points), special, certainty)


TABLE = components.table(Path(__file__).parent)
BOX = Box(TABLE)
