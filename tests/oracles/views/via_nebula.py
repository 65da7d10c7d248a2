"""What a seat sees of Via Nebula, made from the state in plain Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from plenilune.core.engine import standing
from plenilune.core.record import CHANCE, OVER, SPECTATOR
from plenilune.games.via_nebula import hexes
from plenilune.games.via_nebula.grid import WORD
from plenilune.games.via_nebula.legal import legal
from plenilune.games.via_nebula.secrets import hide
from plenilune.games.via_nebula.state import (
    ACTIONS,
    BUILT,
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
    RUIN_CELL,
    STORAGE_SPOT,
    TAKEN,
    TILES_IN_A_PILE,
    TOKENS,
    State,
    place_name,
)
from plenilune.games.via_nebula.tables import BOX, RESOURCES
from plenilune.games.via_nebula.view import CARD, TOKEN, Card, Token
from tests.oracles.plain_state import plain_state

RUINS = [land.cells("ruin") for land in LANDS]
MEADOW = [{cell: int(MEADOW_AT[map, cell]) for cell in land.cells("meadow")} for map, land in enumerate(LANDS)]
CELL = {name: cell for cell, name in hexes.NAMES.items()}
KEPT = 64  # public views: of the tables at which something happens at the same time
NEIGHBOURS = {cell: hexes.neighbours(cell) for cell in hexes.NAMES}


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
    """What everybody sees is made once for all who look at the same ply; hands and choices are the viewer's own."""
    now, public = plain_state(s, "map", "to_play", "card_at", "open"), State.copy(s)
    hide(public, SPECTATOR)
    seen = _public(public)
    hands: list[list[Card]] = [[] for _ in seen.guilds]
    for card, at in enumerate(now.card_at):
        if HAND <= at < BUILT:
            hands[at - HAND].append(CARD[card])
    guilds = [_with_hand(guild, hand) for guild, hand in zip(seen.guilds, hands, strict=True)]
    return View(**vars(seen) | {"guilds": guilds, "choices": _choices(s, now, hands)})


def _with_hand(guild: Guild, hand: list[Card]) -> Guild:
    return guild if hand == guild.hand else Guild(**vars(guild) | {"hand": hand})


def _public(s: Any) -> View:
    """What a spectator sees, but no choices."""
    key = s.tobytes()
    found = _last.get(key)
    if found is None:
        if len(_last) >= KEPT:
            _last.clear()
        found = _last[key] = _make(s)
    return found


_last: dict[bytes, View] = {}


def _make(s: State) -> View:
    now, (scores, places) = plain_state(s), standing(s)
    return View(
        to_play=now.to_play,
        mover=now.mover,
        asks=PHASES[now.phase],
        actions_left=now.actions_left,
        extra=bool(now.extra),
        pending=_pending(now),
        last_round=bool(now.end_card != NOBODY),
        map=LANDS[now.map].name,
        hexes=_map(now),
        guilds=[_guild(now, seat, scores[seat], places[seat]) for seat in range(now.seats)],
        display=[None if card == NONE else CARD[card] for card in now.display],
        deck=_deck(now),
        reserve=now.reserve,
        choices=[],
    )


# In here `s` is the state as plain numbers (`plain_state`), unless it is a State.


def _pending(s: Any) -> Pending:
    cell = s.lifted if s.meadow == NONE else int(MEADOW_CELL[s.map, s.meadow])
    return Pending(
        hex=hexes.NAMES.get(cell),
        place=None if s.place == NONE else _place_name(s.map, s.place),
        card=None if s.card == NONE else BOX.cards[s.card].name,
        seat=s.dealt % s.seats if s.phase == DEAL else None,
        removals=s.removals,
    )


# The map


def _cells(board: Any) -> list[int]:
    """The cells of a board, in reading order."""
    number = int(board[0]) | int(board[1]) << WORD
    return [at for at in hexes.NAMES if number >> at & 1]


def _map(s: Any) -> list[Hex]:
    opened = set(_cells(s.open))
    found = {cell: bare[cell in opened] for cell, bare in BARE[s.map].items()}
    for cell, meadow in MEADOW[s.map].items():
        token = None if s.token[meadow] == NONE else TOKEN[s.seats * TOKENS + s.token[meadow]]
        found[cell] = _hex(s.map, cell, cell in opened, token, _exploitation(s, meadow))
    for ruin, cell in enumerate(RUINS[s.map]):
        found[cell] = _hex(s.map, cell, cell in opened, places=_places(s, ruin))
    return list(found.values())


# Little changes from ply to ply: what looked the same before is not made again.
@lru_cache(maxsize=20_000)
def _hex(
    map: int,
    cell: int,
    is_open: bool,
    token: Token | None = None,
    exploitation: Heap | None = None,
    places: tuple[Heap, ...] = (),
) -> Hex:
    column, row = hexes.COORDINATES[cell]
    land = LANDS[map]
    ground = land.ground[cell]
    return Hex(
        id=hexes.NAMES[cell],
        column=column,
        row=row,
        ground=ground,
        certainty=land.certainties[row],
        tile=is_open and ground != "meadow",
        open=is_open,
        token=token,
        exploitation=exploitation and Exploitation(exploitation.seat, _named(exploitation.goods)),
        places=[Place(_place_name(map, p.where), p.holds, p.seat, _named(p.goods)) for p in places],
    )


# Every hex with nothing on it, closed and open.
BARE = [{cell: (_hex(n, cell, False), _hex(n, cell, True)) for cell in land.ground} for n, land in enumerate(LANDS)]


class Heap(NamedTuple):
    """Resources that lie on the map, and whose they are."""

    where: int
    holds: str
    seat: int | None
    goods: tuple[int, ...]


def _exploitation(s: Any, meadow: int) -> Heap | None:
    goods = s.goods[meadow]
    return Heap(meadow, "", _seat(s.craftsman[meadow]), tuple(goods)) if any(goods) else None


def _places(s: Any, ruin: int) -> tuple[Heap, ...]:
    return tuple(_place(s, HALVES * ruin + half) for half in range(PLACES_IN_A_RUIN[s.seats]))


def _place(s: Any, place: int) -> Heap:
    if s.site[place] != NOBODY:
        return Heap(place, "site", _seat(s.site[place]), tuple(s.goods[PLACE_SPOT + place]))
    holds = "nothing" if s.building[place] == NOBODY else "building"
    return Heap(place, holds, _seat(s.building[place]), ())


def _place_name(map: int, place: int) -> str:
    return place_name(int(RUIN_CELL[map, place // HALVES]), place % HALVES)


def _named(goods: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(RESOURCES, goods, strict=True)) if goods else {}


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat


# Guild boards


def _guild(s: Any, seat: int, score: int, place: int) -> Guild:
    p, pile = s.players[seat], int(TILES_IN_A_PILE[s.seats])
    # RULES 5.1: tiles are taken from the left, so the piles on the right are full
    piles = [min(max(p.tiles - pile * later, 0), pile) for later in reversed(range(PILES))]
    return Guild(
        seat=seat,
        piles=piles,
        explorers=[tiles == 0 for tiles in piles],
        craftsmen=p.craftsmen,
        sites=p.sites,
        buildings=p.buildings,
        storage=_named(tuple(s.goods[STORAGE_SPOT + seat])),
        tokens=[TOKEN[s.seats * TOKENS + token] for token, at in enumerate(s.token_at) if at == TAKEN + seat],
        contracts=_cards_at(s, BUILT + seat),
        hand=_cards_at(s, HAND + seat),
        privates_held=p.privates,
        plans_held=p.plans,
        end_card=bool(s.end_card == seat),
        score=score,
        place=place,
    )


def _cards_at(s: Any, where: int) -> list[Card]:
    return [CARD[card] for card, at in enumerate(s.card_at) if at == where]


def _deck(s: Any) -> int:
    """How many contracts the deck holds: all that are neither in sight nor in a hand."""
    in_sight = sum(at >= BUILT for at in s.card_at[:CONTRACTS])
    in_hands = sum(player.plans for player in s.players[: s.seats])
    return int(CONTRACTS - in_sight - in_hands - sum(card != NONE for card in s.display))


# What may be done


def _choices(state: Any, s: Any, hands: list[list[Card]]) -> list[Choice]:
    """RULES 9.5: only for one who knows what the seat to play holds."""
    if s.to_play in (CHANCE, OVER):
        return []
    player = state["players"][s.to_play]
    if len(hands[s.to_play]) < player["privates"] + player["plans"]:
        return []
    out = np.zeros(ACTIONS.size, np.int32)
    texts = [ACTIONS.texts[number] for number in sorted(out[: legal(state, out)].tolist())]
    opened = tuple(s.open)
    return [_carrying(s.map, opened, text) if text.startswith("carry ") else _choice(text) for text in texts]


@lru_cache(maxsize=20_000)
def _choice(text: str) -> Choice:
    verb, *targets = text.split()
    return Choice(text, verb, targets, [])


@lru_cache(maxsize=20_000)
def _carrying(map: int, opened: tuple[int, ...], text: str) -> Choice:
    """Along a shortest way on open hexes, the first in reading order from hex to hex."""
    verb, start, place = text.split()
    ways = _ways(map, opened, CELL[start])
    path = [hexes.NAMES[cell] for cell in _back(ways, CELL[place[:-1]])][::-1]
    return Choice(text, verb, [start, place], path)


@lru_cache(maxsize=1024)
def _ways(map: int, opened: Any, start: int) -> dict[int, int]:
    """From which hex one comes to each that can be reached."""
    is_open, ruins = set(_cells(opened)), RUINS[map]
    came_from, edge = {start: NONE}, [start]
    for cell in edge:
        for near in NEIGHBOURS[cell]:
            if near in came_from:
                continue
            if near in ruins:  # nothing goes through a ruin
                came_from[near] = cell
            elif near in is_open:
                came_from[near] = cell
                edge.append(near)
    return came_from


def _back(came_from: dict[int, int], cell: int) -> Iterable[int]:
    while cell != NONE:
        yield cell
        cell = came_from[cell]
