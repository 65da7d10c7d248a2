"""Positions written as text, so that tests read like the rulebook's examples.

A position names spots and what is on them; seats are numbers from 1:

    c7 wood-4a        a token                     d7 tile           a tile
    c7 1 wood clay    an exploitation of seat 1   c7 open           a meadow that has been emptied
    c7 wood clay      a neutral exploitation      c6a 1 wood clay   a site of seat 1 with what lies on it
    c6a free          a free place                c6a 1 store-a     its building, and the contract it was built with

Whatever is not named is as the setup left it: the plain tokens lie on the meadows in the order of the table, and four
meadows far from every ruin are the neutral exploitations of the special tokens.

>>> match = position("c7 2 wood, d7 tile, f7a 1 stone, c6a 1")
>>> may(match, "carry")
{'c7 c6a'}
>>> match.play("carry c7 c6a")
>>> match.drawing
'c7 open, d7 tile, f7a 1 stone, c6a 1 wood'
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from plenilune import Match
from plenilune.core.record import SPECTATOR
from plenilune.games import via_nebula
from plenilune.games.via_nebula import hexes
from plenilune.games.via_nebula.state import (
    BUILT,
    HAND,
    IN_BOX,
    NOBODY,
    NONE,
    PLACE_SPOT,
    STORAGE_SPOT,
    TAKEN,
)
from tests.oracles.via_nebula import RESOURCES, Box, read_map
from tests.rulebook import table_rows

HOME = Path(via_nebula.__file__).parent
TABLE = HOME / "via-nebula.table"
RULES = (HOME / "RULES.md").read_text("utf-8")
BOX = Box(TABLE)  # the shipped table, read by other eyes than the rules'
COLUMNS = "abcdefghijkl"
BARE = ("mist", "forest", "forbidden")  # what a position may say of ground without a tile
SPECIAL_AT = {"beginner": "b1 c1 g1 k1", "expert": "h1 k1 k2 j5"}  # none of them touches a ruin
SPECIALS = ["wood-5", "stone-5", "clay-5", "wheat-5"]
QUIET = "abundance-a abundance-b adventurers-a adventurers-b"  # contracts that ask for four resources

Each = str | dict[int, str]  # for seat 1 alone, or by seat


class DrawnMatch(Match):
    """A match begun at a position; chance waits, so `turn-up store-a` is played like any action."""

    def __init__(self, drawing: str, seats: int, map: str) -> None:
        super().__init__("via-nebula", seats, map=map)
        self.hexes = read_map(BOX.maps[map])
        self.spots = dict(item.split(maxsplit=1) for item in drawing.replace("\n", ",").split(",") if item.strip())

    @property
    def drawing(self) -> str:
        """The spots of the first drawing as they are now."""
        now = picture(self)
        return ", ".join(f"{spot} {now[spot]}" for spot in self.spots)

    def at(self, spot: str) -> str:
        """What is on a hex or a place, in the words of a position; bare ground by its name."""
        return picture(self)[spot]

    def acts(self, script: str) -> DrawnMatch:
        """Play several actions, written as in `build c6a store-a; skip; turn-up airway-a`."""
        for action in script.split(";"):
            self.play(action)
        return self


def position(
    drawing: str = "",
    seats: int = 2,
    map: str = "beginner",
    *,
    turn: int = 1,
    left: int = 2,
    display: str = "",
    hand: Each = "",
    took: Each = "",
    storage: Each = "",
    tiles: int | dict[int, int] | None = None,
    reserve: int | None = None,
    end_card: int = 0,
) -> DrawnMatch:
    """A match begun at this drawing.

    `left` actions are left to the seat whose `turn` it is. The `display` and the hands hold at least the cards named
    (private ones for the hands; who has built with one does not hold it). `took` names tokens that a seat has taken;
    their meadows are used up. `tiles` are left on the seat's guild board; those drawn on the map come from the reserve.
    """
    match = DrawnMatch(drawing, seats, map)
    set_up(match, {seat: hand_of(match, seat, by_seat(hand).get(seat, "")) for seat in range(1, seats + 1)}, display)
    write(match)
    for seat in range(1, seats + 1):
        taken, kept = by_seat(took).get(seat, ""), by_seat(storage).get(seat, "")
        write_guild(match, seat - 1, taken, kept, by_seat(tiles).get(seat))
    if reserve is not None:
        match.state.reserve = reserve
    write_turn(match, turn, left, end_card)
    return match


def by_seat(given: Any) -> dict[int, Any]:
    return given if isinstance(given, dict) else {1: given}


def covering(map: str, ground: str, what: str) -> str:
    """A drawing of all hexes of a ground, with this on them.

    >>> covering("beginner", "x", "tile")
    'c4 tile, j5 tile, f6 tile'
    """
    return ", ".join(f"{hex.name} {what}" for hex in read_map(BOX.maps[map]).values() if hex.ground == ground)


# The setup, played


def set_up(match: DrawnMatch, hands: dict[int, list[str]], display: str) -> None:
    """Play the setup so that tokens, hands and display become what the position asks for."""
    specials = dict(zip(SPECIAL_AT[match.options["map"]].split(), SPECIALS, strict=True))
    named = specials | {spot: drawn for spot, drawn in match.spots.items() if drawn in BOX.tokens}
    match.play("without food")
    for hex in match.hexes.values():
        if hex.ground == "m":
            match.play(f"token {hex.name} {named.get(hex.name) or unnamed(match, named.values())[0]}")
    for number in range(2):
        for seat, cards in hands.items():
            others = unnamed(match, [card for hand in hands.values() for card in hand])
            match.play(f"deal {seat} {cards[number] if number < len(cards) else others[-1]}")
    used = [card for _, card in buildings(match).values()]
    for card in [card for card in dict.fromkeys(f"{display} {QUIET}".split()) if card not in used][:4]:
        match.play(f"turn-up {card}")


def unnamed(match: Match, named: Collection[str]) -> list[str]:
    """The tokens or cards that chance may play, but for those that are to be elsewhere."""
    return [word for word in (action.split()[-1] for action in match.legal()) if word not in named]


def hand_of(match: DrawnMatch, seat: int, hand: str) -> list[str]:
    """The private contracts a seat is dealt: those in its hand, and those it has built with."""
    built = [card for owner, card in buildings(match).values() if owner == seat]
    return hand.split() + [card for card in built if card in BOX.cards("private")]


def buildings(match: DrawnMatch) -> dict[str, tuple[int, str]]:
    """The places drawn with a building, with its seat and contract."""
    words = {spot: word.split() for spot, word in match.spots.items()}
    return {spot: (int(w[0]), w[1]) for spot, w in words.items() if len(w) == 2 and w[1] in BOX.costs}


# Asking


def may(match: Match, verb: str) -> set[str]:
    """What may follow this verb now."""
    return {action.partition(" ")[2] for action in match.legal() if action.split()[0] == verb}


def verbs(match: Match) -> set[str]:
    """The first words of what may be done now."""
    return {action.split()[0] for action in match.legal()}


def neighbours(hex: str) -> set[str]:
    """The hexes that touch this one, as far as the map has them (RULES 1.5)."""
    column, row = COLUMNS.index(hex[0]), int(hex[1:])
    d = -1 if row % 2 else 0
    beside = [(column - 1, row), (column + 1, row)]
    beside += [(column + d + side, row + up) for up in (-1, 1) for side in (0, 1)]
    return {f"{COLUMNS[c]}{r}" for c, r in beside if 0 <= c < len(COLUMNS)}


def paragraph(number: str) -> str:
    """A paragraph of RULES.md, with the table or the drawing that follows it."""
    after = RULES.partition(f"\n**{number}")[2]
    return after.partition("\n\n**")[0].partition("\n## ")[0]


def rules_table(number: str) -> list[list[str]]:
    return table_rows(paragraph(number))


# Reading and writing: all that knows the record and the view


def picture(match: Match) -> dict[str, str]:
    """What is on every hex and place, in the words of a position."""
    spots = {}
    for hex in match.view().hexes:
        spots[hex.id] = ground_words(hex)
        spots |= {place.id: place_words(place) for place in hex.places}
    return spots


def ground_words(hex: Any) -> str:
    if hex.tile:
        return "tile"
    if hex.token:
        return str(hex.token.id)
    if hex.exploitation:
        return owned(hex.exploitation.seat, words(hex.exploitation.resources))
    return "open" if hex.open else str(hex.ground)


def place_words(place: Any) -> str:
    if place.holds == "nothing":
        return "free"
    return owned(place.seat, "building" if place.holds == "building" else words(place.resources))


def owned(seat: int | None, what: str) -> str:
    return what if seat is None else f"{seat + 1} {what}".strip()


def words(resources: Mapping[str, int]) -> str:
    return " ".join(kind for kind in RESOURCES for _ in range(resources[kind]))


def guild(match: Match, seat: int, viewer: int = SPECTATOR) -> Any:
    return match.view(viewer).guilds[seat - 1]


def home(match: Match, seat: int = 1) -> str:
    """What a seat has on its guild board."""
    own = guild(match, seat)
    return f"{own.craftsmen} craftsmen, {own.sites} sites, {own.buildings} buildings, {sum(own.piles)} tiles"


def explorers(match: Match, seat: int = 1) -> int:
    """How many of the seat's explorers are revealed."""
    return sum(guild(match, seat).explorers)


def stored(match: Match, seat: int = 1) -> str:
    return words(guild(match, seat).storage)


def hand(match: Match, seat: int = 1) -> set[str]:
    """The cards a seat holds, as it sees them itself."""
    return {card.id for card in guild(match, seat, viewer=seat - 1).hand}


def hands_in(state: Any) -> list[set[str]]:
    """The cards in every hand of a state in which nothing is hidden."""
    cards = np.array(list(BOX.costs))
    return [set(cards[state.card_at == HAND + seat].tolist()) for seat in range(state.seats)]


def built(match: Match, seat: int = 1) -> set[str]:
    """The contracts a seat has built with."""
    return {card.id for card in guild(match, seat).contracts}


def tokens(match: Match, seat: int = 1) -> set[str]:
    """The tokens a seat has taken."""
    return {token.id for token in guild(match, seat).tokens}


def holds_end_card(match: Match) -> list[int]:
    return [own.seat + 1 for own in match.view().guilds if own.end_card]


def face_up(match: Match) -> list[str]:
    """The display; nothing where there is a gap."""
    return [card.id if card else "" for card in match.view().display]


def in_deck(match: Match) -> int:
    return int(match.view().deck)


def in_reserve(match: Match) -> int:
    return int(match.view().reserve)


def left(match: Match) -> int:
    """How many actions are left of the turn."""
    return int(match.view().actions_left)


def write(match: DrawnMatch) -> None:
    """Put what is drawn on the map, and take it from the guild boards and the reserve."""
    for spot, drawn in match.spots.items():
        seat, what = (int(drawn[0]) - 1, drawn[1:].split()) if drawn[0].isdecimal() else (NOBODY, drawn.split())
        if spot not in match.hexes:
            write_place(match, spot, seat, what)
        elif drawn == "tile":
            assert match.hexes[spot].ground in ".fx", f"no tile lies on {spot}"
            match.state.reserve -= 1
            write_open(match, spot)
        elif drawn not in BOX.tokens and drawn not in BARE:
            write_meadow(match, spot, seat, what)


def write_meadow(match: DrawnMatch, spot: str, seat: int, what: list[str]) -> None:
    assert match.hexes[spot].ground == "m", f"{spot} is not a meadow"
    s, meadow = match.state, [hex.name for hex in match.hexes.values() if hex.ground == "m"].index(spot)
    lay_aside(match, meadow)
    s.craftsman[meadow] = seat
    s.goods[meadow] = [0 if what == ["open"] else what.count(kind) for kind in RESOURCES]
    if seat != NOBODY:
        s.players[seat].craftsmen -= 1
    if what == ["open"]:
        write_open(match, spot)


def lay_aside(match: DrawnMatch, meadow: int) -> None:
    """A token that lies there goes to the box."""
    if match.state.token[meadow] != NONE:
        match.state.token_at[match.state.token[meadow]] = IN_BOX
        match.state.token[meadow] = NONE


def write_open(match: DrawnMatch, spot: str) -> None:
    cell = hexes.GRID.cell(hexes.COLUMNS.index(spot[0]), int(spot[1:]))
    match.state.open |= np.array(hexes.board([cell]), np.int64)


def write_place(match: DrawnMatch, spot: str, seat: int, what: list[str]) -> None:
    s, ruins = match.state, [hex.name for hex in match.hexes.values() if hex.ground == "r"]
    place = 2 * ruins.index(spot[:-1]) + "ab".index(spot[-1])
    if what == ["free"]:
        return
    if what and what[0] in BOX.costs:
        card = list(BOX.costs).index(what[0])
        s.building[place] = seat
        s.players[seat].buildings -= 1
        s.players[seat].privates -= s.card_at[card] == HAND + seat
        s.card_at[card] = BUILT + seat
    else:
        s.site[place] = seat
        s.players[seat].sites -= 1
        s.goods[PLACE_SPOT + place] = [what.count(kind) for kind in RESOURCES]


def write_guild(match: DrawnMatch, seat: int, took: str, storage: str, tiles: int | None) -> None:
    s = match.state
    for token in map(list(BOX.tokens).index, took.split()):
        for meadow in np.flatnonzero(s.token == token):
            lay_aside(match, int(meadow))
            write_open(match, [hex.name for hex in match.hexes.values() if hex.ground == "m"][meadow])
        s.token_at[token] = TAKEN + seat
    s.goods[STORAGE_SPOT + seat] = [storage.split().count(kind) for kind in RESOURCES]
    if tiles is not None:
        s.reserve += s.players[seat].tiles - tiles
        s.players[seat].tiles = tiles


def write_turn(match: DrawnMatch, turn: int, left: int, end_card: int) -> None:
    match.state.mover = match.state.to_play = turn - 1
    match.state.actions_left = left
    match.state.end_card = end_card - 1 if end_card else NOBODY
