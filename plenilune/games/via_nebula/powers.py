"""The powers of the cards: when one can be used, what it asks, what it does (RULES 7 and 10.11)."""

from __future__ import annotations

import numpy as np

from plenilune.core.engine import rule
from plenilune.core.record import Ints
from plenilune.games.via_nebula.grid import WORD
from plenilune.games.via_nebula.hexes import lowest
from plenilune.games.via_nebula.state import (
    CARD_POWER,
    DELIVER,
    DO_DELIVER,
    DO_EXPLORE,
    DO_LIFT,
    DO_OPEN,
    DO_REMOVE,
    DO_SKIP,
    DO_SWAP,
    DO_USE,
    DRAW_CONTRACT,
    FORBIDDEN,
    FOREST,
    KINDS_OF_RESOURCE,
    MEADOW_WORD,
    MIST,
    MOVE_TILE,
    NONE,
    OPEN_TOKEN,
    PLACE_SPOT,
    PLACE_WORD,
    POWERS,
    RUIN_COUNT,
    SHED_TILES,
    SPOT_WORD,
    STORAGE_SPOT,
    SWAP,
    SWAP_WORD,
    SWAPS,
    TILE_WORD,
    State,
)
from plenilune.games.via_nebula.tables import MEADOWS
from plenilune.games.via_nebula.valley import amount, bare, has_site, has_tile, tiled

SHED = 2  # tiles of a Shortcut


def _by_power(none: int, **values: int) -> Ints:
    """One number for each power."""
    return np.array([values.get(power.replace("-", "_"), none) for power in POWERS], np.int32)


# What the powers do, as far as a number can say it
LAYS_ON = _by_power(NONE, tile_on_forest=FOREST, tile_on_forbidden=FORBIDDEN)  # the ground a tile is laid on
REMOVES = _by_power(0, remove_one=1, remove_two=2)  # how many resources
ASKS_ONCE = _by_power(0, draw_contract=1, shed_tiles=1)  # only whether it is used


@rule
def can_use(s: State, power: int) -> bool:
    """Whether anything but `skip` would be legal."""
    if LAYS_ON[power] != NONE:
        return has_tile(s, s.mover) and some(bare(s, LAYS_ON[power]))
    if REMOVES[power] > 0:
        return s.removals > 0 and (amount(s, STORAGE_SPOT + s.mover) > 0 or has_own_goods(s))
    if power == SWAP:
        return has_own_goods(s)
    if power == MOVE_TILE:
        return some(tiled(s)) and some(bare(s, MIST))
    if power == OPEN_TOKEN:
        return has_token(s)
    if power == DELIVER:
        return has_site(s, s.mover)
    if power == SHED_TILES:
        return bool(s.players[s.mover].tiles > 0)
    return power == DRAW_CONTRACT  # RULES 12.17: the deck never runs out


@rule
def some(words: tuple[int, int]) -> bool:
    return bool(words[0] | words[1])


@rule
def has_token(s: State) -> bool:
    for meadow in range(MEADOWS):
        if s.token[meadow] != NONE:
            return True
    return False


@rule
def is_own(s: State, spot: int) -> bool:
    """Whether this meadow or place is the mover's exploitation or site."""
    if spot < MEADOWS:
        return bool(s.craftsman[spot] == s.mover)
    return bool(s.site[spot - PLACE_SPOT] == s.mover)


@rule
def has_own_goods(s: State) -> bool:
    """Whether there is a resource on an own exploitation or site."""
    for spot in range(PLACE_SPOT + 2 * RUIN_COUNT[s.map]):
        if is_own(s, spot) and amount(s, spot) > 0:
            return True
    return False


# What may be done


@rule
def legal_power(s: State, out: Ints) -> int:
    power = CARD_POWER[s.card]
    n = 0
    if LAYS_ON[power] != NONE:
        low, high = bare(s, LAYS_ON[power])
        n = list_tiles(out, 0, DO_EXPLORE, low, high)
    elif REMOVES[power] > 0:
        n = legal_removals(s, out)
    elif power == SWAP:
        n = legal_swaps(s, out)
    elif power == MOVE_TILE:
        low, high = tiled(s)
        n = list_tiles(out, 0, DO_LIFT, low, high)
    elif power == OPEN_TOKEN:
        n = list_tokens(s, out, 0, DO_OPEN)
    elif power == DELIVER:
        n = legal_deliveries(s, out)
    elif ASKS_ONCE[power]:
        out[0] = DO_USE
        n = 1
    out[n] = DO_SKIP  # RULES 7.1: the seat may always decline
    return n + 1


@rule
def legal_lays(s: State, out: Ints) -> int:
    """Where a lifted tile may go: bare mist, but not where it was (RULES 12.11)."""
    low, high = bare(s, MIST)
    n = 0
    while low:
        n = list_unless_lifted(s, out, n, lowest(low))
        low &= low - 1
    while high:
        n = list_unless_lifted(s, out, n, WORD + lowest(high))
        high &= high - 1
    return n


@rule
def list_unless_lifted(s: State, out: Ints, n: int, cell: int) -> int:
    if cell == s.lifted:
        return n
    out[n] = DO_EXPLORE + TILE_WORD[cell]
    return n + 1


@rule
def list_tiles(out: Ints, n: int, verb: int, low: int, high: int) -> int:
    """`explore` or `lift` with every hex of the board."""
    while low:
        out[n] = verb + TILE_WORD[lowest(low)]
        n += 1
        low &= low - 1
    while high:
        out[n] = verb + TILE_WORD[WORD + lowest(high)]
        n += 1
        high &= high - 1
    return n


@rule
def list_tokens(s: State, out: Ints, n: int, verb: int) -> int:
    """`craftsman` or `open` with every hex that has a token."""
    for meadow in range(MEADOWS):
        if s.token[meadow] != NONE:
            out[n] = verb + MEADOW_WORD[s.map, meadow]
            n += 1
    return n


@rule
def legal_swaps(s: State, out: Ints) -> int:
    n = 0
    for spot in range(PLACE_SPOT + 2 * RUIN_COUNT[s.map]):
        if is_own(s, spot):
            for given in range(KINDS_OF_RESOURCE):
                if s.goods[spot, given] > 0:
                    n = list_swaps(s, out, n, spot, given)
    return n


@rule
def list_swaps(s: State, out: Ints, n: int, spot: int, given: int) -> int:
    for got in range(KINDS_OF_RESOURCE):
        if got != given:
            out[n] = DO_SWAP + SPOT_WORD[s.map, spot] * SWAPS + SWAP_WORD[given, got]
            n += 1
    return n


@rule
def legal_removals(s: State, out: Ints) -> int:
    n = 0
    for spot in range(PLACE_SPOT + 2 * RUIN_COUNT[s.map]):
        if is_own(s, spot):
            n = list_removals(s, out, n, spot)
    return list_removals(s, out, n, STORAGE_SPOT + s.mover)


@rule
def list_removals(s: State, out: Ints, n: int, spot: int) -> int:
    for kind in range(KINDS_OF_RESOURCE):
        if s.goods[spot, kind] > 0:
            out[n] = DO_REMOVE + SPOT_WORD[s.map, spot] * KINDS_OF_RESOURCE + kind
            n += 1
    return n


@rule
def legal_deliveries(s: State, out: Ints) -> int:
    n = 0
    for place in range(2 * RUIN_COUNT[s.map]):
        if s.site[place] == s.mover:
            for kind in range(KINDS_OF_RESOURCE):
                out[n] = DO_DELIVER + PLACE_WORD[s.map, place] * KINDS_OF_RESOURCE + kind
                n += 1
    return n
