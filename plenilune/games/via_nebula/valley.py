"""The valley: what lies where, what touches what, and what happens on the map."""

from __future__ import annotations

from plenilune.core.engine import rule
from plenilune.games.via_nebula.hexes import BIT, TOUCHING, flood, touching
from plenilune.games.via_nebula.state import (
    GROUND,
    KINDS_OF_RESOURCE,
    MEADOW,
    MEADOW_CELL,
    NOBODY,
    NONE,
    PILES,
    PLACE_SPOT,
    RESOURCES_LESS,
    RUIN_CELL,
    RUIN_COUNT,
    TILES_IN_A_PILE,
    TOKEN_PRINTED,
    TOKEN_RESOURCE,
    State,
)
from plenilune.games.via_nebula.tables import MEADOWS

# Resources


@rule
def amount(s: State, spot: int) -> int:
    """How many resources lie there."""
    n = 0
    for kind in range(KINDS_OF_RESOURCE):
        n += int(s.goods[spot, kind])
    return n


@rule
def only_kind(s: State, spot: int) -> int:
    """The kind of resource that lies there, or NONE if there are several."""
    found = NONE
    for kind in range(KINDS_OF_RESOURCE):
        if s.goods[spot, kind] > 0:
            if found != NONE:
                return NONE
            found = kind
    return found


@rule
def put(s: State, spot: int, kind: int) -> None:
    s.goods[spot, kind] += 1


@rule
def take(s: State, spot: int, kind: int) -> None:
    """A resource leaves the spot; an exploitation may be used up by that."""
    s.goods[spot, kind] -= 1
    if spot < MEADOWS and amount(s, spot) == 0:
        close_exploitation(s, spot)


@rule
def open_exploitation(s: State, meadow: int, token: int) -> None:
    """The token's yield is put on its hex (RULES 4.1, 2.3, 7.7)."""
    s.token[meadow] = NONE
    s.goods[meadow, TOKEN_RESOURCE[token]] = TOKEN_PRINTED[token] - RESOURCES_LESS[s.seats]


@rule
def close_exploitation(s: State, meadow: int) -> None:
    """RULES 4.6: the last resource is gone, the craftsman goes home, the hex is open."""
    if s.craftsman[meadow] != NOBODY:
        s.players[s.craftsman[meadow]].craftsmen += 1
        s.craftsman[meadow] = NOBODY
    open_hex(s, MEADOW_CELL[s.map, meadow])


# Open hexes


@rule
def open_hex(s: State, cell: int) -> None:
    s.open[0] |= BIT[cell, 0]
    s.open[1] |= BIT[cell, 1]


@rule
def close_hex(s: State, cell: int) -> None:
    s.open[0] &= ~BIT[cell, 0]
    s.open[1] &= ~BIT[cell, 1]


@rule
def bare(s: State, ground: int) -> tuple[int, int]:
    """The board of hexes of this ground without a tile."""
    return GROUND[s.map, ground, 0] & ~s.open[0], GROUND[s.map, ground, 1] & ~s.open[1]


@rule
def tiled(s: State) -> tuple[int, int]:
    """The board of hexes with a tile: all open hexes except meadows."""
    return s.open[0] & ~GROUND[s.map, MEADOW, 0], s.open[1] & ~GROUND[s.map, MEADOW, 1]


@rule
def stocked(s: State) -> tuple[int, int]:
    """The board of exploitations: meadows that are not open and have no token."""
    low, high = bare(s, MEADOW)
    for meadow in range(MEADOWS):
        if s.token[meadow] != NONE:
            cell = MEADOW_CELL[s.map, meadow]
            low &= ~BIT[cell, 0]
            high &= ~BIT[cell, 1]
    return low, high


@rule
def explorable(s: State, seat: int) -> tuple[int, int]:
    """The board of hexes that touch what RULES 4.3 asks for, whatever is on them."""
    low, high = s.open[0], s.open[1]
    for meadow in range(MEADOWS):
        if s.craftsman[meadow] == seat:
            cell = MEADOW_CELL[s.map, meadow]
            low |= BIT[cell, 0]
            high |= BIT[cell, 1]
    for ruin in range(RUIN_COUNT[s.map]):
        if stands_in(s, ruin, seat):
            cell = RUIN_CELL[s.map, ruin]
            low |= BIT[cell, 0]
            high |= BIT[cell, 1]
    return touching(low, high)


@rule
def stands_in(s: State, ruin: int, seat: int) -> bool:
    """Whether the seat has a site or a building in this ruin."""
    a, b = 2 * ruin, 2 * ruin + 1
    return bool(s.site[a] == seat or s.building[a] == seat or s.site[b] == seat or s.building[b] == seat)


@rule
def in_reach(s: State, ruin: int) -> tuple[int, int]:
    """The board of hexes from which something can be carried into this ruin (RULES 4.5): those that touch it, or
    touch an open hex that is joined to it by open hexes."""
    cell = RUIN_CELL[s.map, ruin]
    beside_low, beside_high = TOUCHING[cell, 0], TOUCHING[cell, 1]
    low, high = flood(beside_low & s.open[0], beside_high & s.open[1], s.open[0], s.open[1])
    low, high = touching(low, high)
    return low | beside_low, high | beside_high


# Tiles


@rule
def has_tile(s: State, seat: int) -> bool:
    """RULES 5.1: on its board, or else in the reserve."""
    return bool(s.players[seat].tiles > 0 or s.reserve > 0)


@rule
def lay_tile(s: State, seat: int, cell: int) -> None:
    if s.players[seat].tiles > 0:
        s.players[seat].tiles -= 1
    else:
        s.reserve -= 1
    open_hex(s, cell)


@rule
def hidden_explorers(s: State, seat: int) -> int:
    """RULES 5.2: as many as there are piles with a tile."""
    pile = TILES_IN_A_PILE[s.seats]
    return int((s.players[seat].tiles + pile - 1) // pile)


@rule
def revealed_explorers(s: State, seat: int) -> int:
    return PILES - hidden_explorers(s, seat)


# Sites


@rule
def has_site(s: State, seat: int) -> bool:
    for place in range(2 * RUIN_COUNT[s.map]):
        if s.site[place] == seat:
            return True
    return False


@rule
def site_spot(place: int) -> int:
    """The spot where the resources of a site lie."""
    return PLACE_SPOT + place
