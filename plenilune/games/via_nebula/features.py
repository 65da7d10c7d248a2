"""What a seat sees of Via Nebula as arrays, for networks: always the same shapes, the own seat first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plenilune.games.via_nebula import count, hexes
from plenilune.games.via_nebula.state import (
    BUILT,
    CARDS,
    CONTRACTS,
    GROUND_NAMES,
    HALVES,
    HAND,
    KINDS_OF_RESOURCE,
    LANDS,
    MEADOW_CELL,
    NOBODY,
    NONE,
    ON_DISPLAY,
    PHASES,
    PLACE_SPOT,
    RESOURCES_LESS,
    RUIN_CELL,
    RUIN_COUNT,
    SEATS,
    STORAGE_SPOT,
    TAKEN,
    TOKEN_POINTS,
    TOKEN_PRINTED,
    TOKEN_RESOURCE,
    State,
)
from plenilune.games.via_nebula.tables import MAPS, MEADOWS, SEAT_COUNTS
from plenilune.games.via_nebula.valley import hidden_explorers

Array = NDArray[np.float32]

# Planes of `hexes`
GROUND = 0  # five: meadow, mist, forest, forbidden, ruin as printed; all 0 where there is no hex
OPEN = GROUND + len(GROUND_NAMES)
TOKEN_YIELD = OPEN + 1  # five: what the token there would yield, in the plane of its resource
TOKEN_WORTH = TOKEN_YIELD + KINDS_OF_RESOURCE  # the token's points
STOCK = TOKEN_WORTH + 1  # five: resources on an exploitation
CRAFTSMAN = STOCK + KINDS_OF_RESOURCE  # four, one a seat
SITE = CRAFTSMAN + SEATS  # four for the place a, four for the place b
BUILDING = SITE + HALVES * SEATS  # likewise
SITE_GOODS = BUILDING + HALVES * SEATS  # five for the place a, five for the place b
ASKED_HEX = SITE_GOODS + HALVES * KINDS_OF_RESOURCE  # the exploitation of a take ply, the lifted tile of a lay ply
ASKED_PLACE = ASKED_HEX + 1  # two, a and b: the site of a take or spend ply
HEX_PLANES = ASKED_PLACE + HALVES

# Columns of `cards`
SHOWN, OWN_HAND = 0, 1  # on the display; in the own hand
BUILT_BY = 2  # four, one a seat
ASKED_CARD = BUILT_BY + SEATS  # the card of a spend, power or plan ply
UNSEEN = ASKED_CARD + 1  # in another hand, the deck or the box
CARD_COLUMNS = UNSEEN + 1

# Columns of `guilds`
GUILD_COLUMNS = (
    *("seated", "tiles", "hidden explorers", "craftsmen", "sites", "buildings", "privates held", "plans held"),
    *("wood stored", "stone stored", "clay stored", "wheat stored", "food stored"),
    *("tokens taken", "points of tokens", "contracts built", "end card", "score"),
)

# Columns of `table`
TABLE_COLUMNS = (
    *(f"{seats} seats" for seats in SEAT_COUNTS),
    *(f"map {name}" for name in MAPS),
    *(f"asks {phase}" for phase in PHASES),
    *(f"seat {seat} after the own one moves" for seat in range(SEATS)),
    *("actions left", "extra action", "removals left", "idle turns", "last round", "reserve", "deck"),
)


class Features(NamedTuple):
    """Seats are counted from the own one: 0 is the own seat, 1 the next to move, and so on; rows and planes of seats
    that nobody sits on are 0."""

    hexes: Array  # (9, 12, HEX_PLANES): by row and column; even rows lie half a hex to the right
    cards: Array  # (41, CARD_COLUMNS): by the card's number in the table
    guilds: Array  # (4, len(GUILD_COLUMNS))
    table: Array  # (len(TABLE_COLUMNS),)


def features(s: State, seat: int) -> Features:
    """What the seat knows; `s` is a state as that seat sees it."""
    return Features(_hexes(s, seat), _cards(s, seat), _guilds(s, seat), _table(s, seat))


def _after(s: State, seat: int, own: int) -> int:
    """How many seats after the own one."""
    return int(seat - own) % int(s.seats)


def _hexes(s: State, own: int) -> Array:
    planes = np.zeros((hexes.CELLS, HEX_PLANES), np.float32)  # by cell, at first
    for cell, ground in LANDS[s.map].ground.items():
        planes[cell, GROUND + GROUND_NAMES.index(ground)] = 1
    planes[hexes.cells_of(s.open), OPEN] = 1
    for meadow in range(MEADOWS):
        _fill_meadow(s, own, meadow, planes[MEADOW_CELL[s.map, meadow]])
    for place in range(HALVES * RUIN_COUNT[s.map]):
        _fill_place(s, own, place, planes[RUIN_CELL[s.map, place // HALVES]])
    if s.lifted != NONE:
        planes[s.lifted, ASKED_HEX] = 1
    grid = np.zeros((hexes.ROWS, len(hexes.COLUMNS), HEX_PLANES), np.float32)
    for cell, (column, row) in hexes.POSITIONS.items():
        grid[row - 1, column] = planes[cell]
    return grid


def _fill_meadow(s: State, own: int, meadow: int, planes: Array) -> None:
    token = int(s.token[meadow])
    if token != NONE:
        planes[TOKEN_YIELD + TOKEN_RESOURCE[token]] = TOKEN_PRINTED[token] - RESOURCES_LESS[s.seats]
        planes[TOKEN_WORTH] = TOKEN_POINTS[token]
    planes[STOCK : STOCK + KINDS_OF_RESOURCE] = s.goods[meadow]
    if s.craftsman[meadow] != NOBODY:
        planes[CRAFTSMAN + _after(s, s.craftsman[meadow], own)] = 1
    planes[ASKED_HEX] = s.meadow == meadow


def _fill_place(s: State, own: int, place: int, planes: Array) -> None:
    half = place % HALVES
    if s.site[place] != NOBODY:
        planes[SITE + half * SEATS + _after(s, s.site[place], own)] = 1
    if s.building[place] != NOBODY:
        planes[BUILDING + half * SEATS + _after(s, s.building[place], own)] = 1
    goods = SITE_GOODS + half * KINDS_OF_RESOURCE
    planes[goods : goods + KINDS_OF_RESOURCE] = s.goods[PLACE_SPOT + place]
    planes[ASKED_PLACE + half] = s.place == place


def _cards(s: State, own: int) -> Array:
    cards = np.zeros((CARDS, CARD_COLUMNS), np.float32)
    cards[:, SHOWN] = s.card_at == ON_DISPLAY
    cards[:, OWN_HAND] = s.card_at == HAND + own
    for seat in range(s.seats):
        cards[:, BUILT_BY + _after(s, seat, own)] = s.card_at == BUILT + seat
    if s.card != NONE:
        cards[s.card, ASKED_CARD] = 1
    cards[:, UNSEEN] = cards.sum(axis=1) == 0
    return cards


def _guilds(s: State, own: int) -> Array:
    guilds = np.zeros((SEATS, len(GUILD_COLUMNS)), np.float32)
    for seat in range(s.seats):
        p, taken = s.players[seat], s.token_at == TAKEN + seat
        guilds[_after(s, seat, own)] = (
            *(1, p.tiles, hidden_explorers(s, seat), p.craftsmen, p.sites, p.buildings, p.privates, p.plans),
            *s.goods[STORAGE_SPOT + seat],
            *(taken.sum(), TOKEN_POINTS[taken].sum(), (s.card_at == BUILT + seat).sum()),
            *(s.end_card == seat, count.score(s, seat)),
        )
    return guilds


def _table(s: State, own: int) -> Array:
    in_hands = sum(int(s.players[seat].plans) for seat in range(s.seats))
    in_sight = int(((s.card_at == ON_DISPLAY) | (s.card_at >= BUILT))[:CONTRACTS].sum())
    numbers = [
        *(seats == s.seats for seats in SEAT_COUNTS),
        *(number == s.map for number in range(len(MAPS))),
        *(number == s.phase for number in range(len(PHASES))),
        *(after == _after(s, s.mover, own) for after in range(SEATS)),
        *(s.actions_left, s.extra, s.removals, s.idle_turns),
        *(s.end_card != NOBODY, s.reserve, CONTRACTS - in_hands - in_sight),
    ]
    return np.array(numbers, np.float32)
