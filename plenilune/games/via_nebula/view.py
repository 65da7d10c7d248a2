"""What a seat sees of Via Nebula, as plain data; drawing.py makes a text of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from plenilune.games.via_nebula import count, hexes
from plenilune.games.via_nebula.legal import legal
from plenilune.games.via_nebula.state import (
    ACTIONS,
    BUILT,
    CARDS,
    CONTRACTS,
    DEAL,
    HALVES,
    HAND,
    LANDS,
    MEADOW_AT,
    MEADOW_CELL,
    NOBODY,
    NONE,
    PHASES,
    PILES,
    PLACE_SPOT,
    PLACES_IN_A_RUIN,
    RESOURCES_LESS,
    RUIN_CELL,
    STORAGE_SPOT,
    TAKEN,
    TILES_IN_A_PILE,
    TOKENS,
    State,
    place_name,
)
from plenilune.games.via_nebula.tables import BOX, RESOURCES
from plenilune.record import CHANCE, OVER


@dataclass(frozen=True)
class Token:
    id: str  # `wood-3a`
    resource: str
    printed: int
    yields: int  # what it opens with this number of seats (RULES 1.11)
    points: int
    special: bool
    certainty: str


@dataclass(frozen=True)
class Exploitation:
    seat: int | None  # whose craftsman stands there; None if it is neutral
    resources: dict[str, int]  # every kind, in the order of RULES 1.1, also those of which there is none


@dataclass(frozen=True)
class Place:
    id: str  # `e1a`
    holds: str  # `nothing`, `site` or `building`
    seat: int | None  # whose it is
    resources: dict[str, int]  # on a site: every kind; otherwise empty


@dataclass(frozen=True)
class Hex:
    id: str  # `c4`
    column: int  # 0 is a
    row: int  # 1 is the top row; even rows lie half a hex to the right
    ground: str  # as printed: `meadow`, `mist`, `forest`, `forbidden` or `ruin`
    certainty: str
    tile: bool
    open: bool  # RULES 1.7
    token: Token | None
    exploitation: Exploitation | None
    places: list[Place]  # of a ruin; otherwise none


@dataclass(frozen=True)
class Card:
    id: str  # `store-a`
    kind: str
    deck: str  # `contract` or `private`
    cost: str  # as in the table: `wood+stone`, `2-equal`, `3-different`
    cost_certainty: str
    points: int
    for_each: str  # as in the table: `once`, `contract`, `token`, `small-building`, `hidden-explorer`
    points_certainty: str
    power: str  # as in the table: `swap` …, or `none`


@dataclass(frozen=True)
class Guild:
    """A guild board and what its seat has won."""

    seat: int
    piles: list[int]  # tiles in each pile, the leftmost first
    explorers: list[bool]  # by pile: whether its explorer is revealed
    craftsmen: int  # at home, as the next two
    sites: int
    buildings: int
    storage: dict[str, int]  # every kind
    tokens: list[Token]  # taken
    contracts: list[Card]  # built with
    hand: list[Card]  # those the viewer knows
    privates_held: int  # how many cards of either kind the hand holds, known or not
    plans_held: int
    end_card: bool
    score: int  # as if the match ended now
    place: int


@dataclass(frozen=True)
class Pending:
    """What a ply is about that is not an action ply. Whatever does not apply is None."""

    hex: str | None  # take: the exploitation; lay: where the tile was lifted
    place: str | None  # take: the site carried to; spend: the site built on
    card: str | None  # spend: the card to be built with; power, plan: the card whose power is used
    seat: int | None  # deal: who is dealt a card
    removals: int  # power of Caravan and Export: how many resources may still be removed


@dataclass(frozen=True)
class Choice:
    text: str  # the action
    verb: str
    targets: list[str]  # its words: the hex, place, card, resource … to be chosen one after the other
    path: list[str]  # carry: the hexes it goes along, from the exploitation to the ruin; otherwise none


@dataclass(frozen=True)
class View:
    to_play: int
    mover: int  # the seat whose turn it is, also while chance plays
    asks: str  # the kind of ply: without, token, deal, turn-up, action, take, spend, power, lay, plan or over
    actions_left: int
    extra: bool  # the next action is a Distillery's, and may be skipped
    pending: Pending
    last_round: bool
    map: str
    hexes: list[Hex]  # in reading order
    guilds: list[Guild]  # by seat
    display: list[Card | None]  # None in a gap that chance is to fill
    deck: int  # how many contracts
    reserve: int  # how many tiles
    choices: list[Choice]  # what the seat to play may do, if the viewer knows that seat's hand (RULES 9.5)


def view(s: State) -> View:
    places = np.zeros(s.seats, np.int32)
    count.places(s, places)
    return View(
        to_play=int(s.to_play),
        mover=int(s.mover),
        asks=PHASES[s.phase],
        actions_left=int(s.actions_left),
        extra=bool(s.extra),
        pending=_pending(s),
        last_round=bool(s.end_card != NOBODY),
        map=LANDS[s.map].name,
        hexes=_hexes(s),
        guilds=[_guild(s, seat, int(places[seat])) for seat in range(s.seats)],
        display=[None if card == NONE else _card(int(card)) for card in s.display],
        deck=_deck(s),
        reserve=int(s.reserve),
        choices=_choices(s),
    )


def _pending(s: State) -> Pending:
    cell = int(s.lifted) if s.meadow == NONE else int(MEADOW_CELL[s.map, s.meadow])
    return Pending(
        hex=hexes.NAMES.get(cell),
        place=None if s.place == NONE else _place_name(s, int(s.place)),
        card=None if s.card == NONE else BOX.cards[s.card].name,
        seat=int(s.dealt % s.seats) if s.phase == DEAL else None,
        removals=int(s.removals),
    )


# The map


def _hexes(s: State) -> list[Hex]:
    opened = set(hexes.cells_of(s.open))
    return [_hex(s, cell, cell in opened) for cell in LANDS[s.map].ground]


def _hex(s: State, cell: int, is_open: bool) -> Hex:
    column, row = hexes.POSITIONS[cell]
    ground = LANDS[s.map].ground[cell]
    meadow = int(MEADOW_AT[s.map, cell])
    token = NONE if meadow == NONE else int(s.token[meadow])
    return Hex(
        id=hexes.NAMES[cell],
        column=column,
        row=row,
        ground=ground,
        certainty=LANDS[s.map].certainties[row],
        tile=is_open and ground != "meadow",
        open=is_open,
        token=None if token == NONE else _token(s, token),
        exploitation=None if meadow == NONE else _exploitation(s, meadow),
        places=_places(s, LANDS[s.map].cells("ruin").index(cell)) if ground == "ruin" else [],
    )


def _exploitation(s: State, meadow: int) -> Exploitation | None:
    resources = _resources(s, meadow)
    return Exploitation(_seat(s.craftsman[meadow]), resources) if any(resources.values()) else None


def _places(s: State, ruin: int) -> list[Place]:
    return [_place(s, HALVES * ruin + half) for half in range(PLACES_IN_A_RUIN[s.seats])]


def _place(s: State, place: int) -> Place:
    if s.site[place] != NOBODY:
        resources = _resources(s, PLACE_SPOT + place)
        return Place(_place_name(s, place), "site", _seat(s.site[place]), resources)
    holds = "nothing" if s.building[place] == NOBODY else "building"
    return Place(_place_name(s, place), holds, _seat(s.building[place]), {})


def _place_name(s: State, place: int) -> str:
    return place_name(int(RUIN_CELL[s.map, place // HALVES]), place % HALVES)


def _resources(s: State, spot: int) -> dict[str, int]:
    return {name: int(s.goods[spot, kind]) for kind, name in enumerate(RESOURCES)}


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else int(seat)


# Tokens, cards and guild boards


def _token(s: State, number: int) -> Token:
    token = BOX.tokens[number]
    yields = token.printed - int(RESOURCES_LESS[s.seats])
    return Token(token.name, token.resource, token.printed, yields, token.points, token.special, token.certainty)


def _card(number: int) -> Card:
    card = BOX.cards[number]
    points = BOX.points[card.kind]
    return Card(
        id=card.name,
        kind=card.kind,
        deck=card.deck,
        cost=card.cost,
        cost_certainty=card.certainty,
        points=points.figure,
        for_each=points.for_each,
        points_certainty=points.certainty,
        power=card.power,
    )


def _guild(s: State, seat: int, place: int) -> Guild:
    p, pile = s.players[seat], int(TILES_IN_A_PILE[s.seats])
    # RULES 5.1: tiles are taken from the left, so the piles on the right are full
    piles = [min(max(int(p.tiles) - pile * later, 0), pile) for later in reversed(range(PILES))]
    return Guild(
        seat=seat,
        piles=piles,
        explorers=[tiles == 0 for tiles in piles],
        craftsmen=int(p.craftsmen),
        sites=int(p.sites),
        buildings=int(p.buildings),
        storage=_resources(s, STORAGE_SPOT + seat),
        tokens=[_token(s, token) for token in range(TOKENS) if s.token_at[token] == TAKEN + seat],
        contracts=_cards_at(s, BUILT + seat),
        hand=_cards_at(s, HAND + seat),
        privates_held=int(p.privates),
        plans_held=int(p.plans),
        end_card=bool(s.end_card == seat),
        score=int(count.score(s, seat)),
        place=place,
    )


def _cards_at(s: State, where: int) -> list[Card]:
    return [_card(card) for card in range(CARDS) if s.card_at[card] == where]


def _deck(s: State) -> int:
    """How many contracts the deck holds: all that are neither in sight nor in a hand."""
    in_sight = sum(len([c for c in _cards_at(s, BUILT + seat) if c.deck == "contract"]) for seat in range(s.seats))
    in_hands = sum(int(s.players[seat].plans) for seat in range(s.seats))
    return CONTRACTS - in_sight - in_hands - sum(int(card) != NONE for card in s.display)


# What may be done


def _choices(s: State) -> list[Choice]:
    """RULES 9.5: only for one who knows what the seat to play holds."""
    if s.to_play in (CHANCE, OVER) or not _knows_hand(s, int(s.to_play)):
        return []
    out = np.zeros(ACTIONS.size, np.int32)
    numbers = sorted(map(int, out[: legal(s, out)]))
    return [_choice(s, ACTIONS.text(number)) for number in numbers]


def _knows_hand(s: State, seat: int) -> bool:
    return len(_cards_at(s, HAND + seat)) == s.players[seat].privates + s.players[seat].plans


def _choice(s: State, text: str) -> Choice:
    verb, *targets = text.split()
    return Choice(text, verb, targets, _path(s, *targets) if verb == "carry" else [])


def _path(s: State, start: str, place: str) -> list[str]:
    """A shortest way along open hexes, the first in reading order from hex to hex."""
    cells = {name: cell for cell, name in hexes.NAMES.items()}
    ruin, is_open = cells[place[:-1]], set(hexes.cells_of(s.open))
    came_from = {cells[start]: NONE}
    edge = [cells[start]]
    for cell in edge:
        for near in hexes.neighbours(cell):
            if near not in came_from and (near in is_open or near == ruin):
                came_from[near] = cell
                if near != ruin:  # nothing goes through a ruin
                    edge.append(near)
    return [hexes.NAMES[cell] for cell in _back(came_from, ruin)][::-1]


def _back(came_from: dict[int, int], cell: int) -> Iterable[int]:
    while cell != NONE:
        yield cell
        cell = came_from[cell]
