"""A seen state as arrays for networks: of one size for any number of seats, from one seat's side of the table.

Everything is float32 and roughly between 0 and 1; what is not there is 0. `Features` says what each array holds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plenilune.engine import rule
from plenilune.games.nova_luna.rules import (
    END,
    MOST_LAID,
    MOST_OPEN,
    ORIGIN,
    PHASE_1,
    PHASE_2,
    PLACE_AT,
    REACH,
    SEATS,
    SIDES,
    SLOTS,
    WHEEL_HOLDS,
    WITHIN_REACH,
    State,
    first_laid,
    first_open,
    helpers,
    may_stop,
    neighbour,
    reckon_sum_1,
    reckon_sum_2,
    spot_of,
)
from plenilune.games.nova_luna.tables import BITS, COLOUR, COLOURS, COUNT, DESIGNS, NO_TILE, TASKS, TILES

Floats = NDArray[np.float32]
Numbers = NDArray[np.int32]
LAID, OPEN = int(MOST_LAID.max()), int(MOST_OPEN.max())
STEPS, PHASES = END + 1, 2
PRINTED = len(COLOURS) + 1 + TASKS * len(COLOURS)  # columns that describe a tile
HAND = WHEEL_HOLDS  # the row of `shown` for the tile in hand

TABLE = SEATS + STEPS + PHASES + 6
PER_SEAT = 7
SHOWN = PRINTED + WITHIN_REACH
PER_TILE = PRINTED + 2 + TASKS + len(COLOURS) + 1
PER_CELL = 3 + len(COLOURS)


class Features(NamedTuple):
    """`seat` stands for the seat from whose side it is; seats are in the order of `sitting`.

    A tile is described by 17 columns: its colour (4, one of them 1), its number / 7, and for each of its three tasks
    how many tiles of each colour it asks for / 4 (3 × 4).
    """

    table: Floats
    """(18): how many seats there are (4, one of them 1), what is to be done (6, one of them 1), solo phase 1 and 2,
    whether the seat is to play, whether it may stop, tiles on the wheel / 11, tiles in the supply / 68, in solo
    S1 / 100 and S2 / 100."""

    seats: Floats
    """(4, 7), a row for each seat: there is one, whether it is to play, tokens placed / 21, tokens left / 21, spaces
    ahead of the rearmost / 7, how many others would move sooner / 3, tiles laid / 45."""

    supply: Floats
    """(68): 1 for each tile that is in the supply."""

    shown: Floats
    """(12, 20), a row for each slot, clockwise from the moon, and the last for the tile in hand: the tile (17), and
    which of `take 1`, `take 2`, `take 3` would take it (3)."""

    tiles: Floats
    """(4, 45, 27), for each seat a row for each tile in the order in which they were laid: the tile (17), X / 10 and
    Y / 10, which of its tasks are covered (3), how many tiles of each colour help them / 4 (4), and how many its
    group has / 4."""

    cells: Floats
    """(92, 7), a row for each cell on which the seat may lay its next tile: there is one, X / 10 and Y / 10, and how
    many tiles of each colour would help a tile there / 4 (4)."""

    actions: Numbers
    """(92): the number of the action `place` for each row of `cells`, or -1."""


def blank() -> Features:
    """Room for `fill`, which may be used again and again."""
    return Features(
        table=np.zeros(TABLE, np.float32),
        seats=np.zeros((SEATS, PER_SEAT), np.float32),
        supply=np.zeros(TILES, np.float32),
        shown=np.zeros((SLOTS, SHOWN), np.float32),
        tiles=np.zeros((SEATS, LAID, PER_TILE), np.float32),
        cells=np.zeros((OPEN, PER_CELL), np.float32),
        actions=np.full(OPEN, -1, np.int32),
    )


def features(s: State, seat: int) -> Features:
    """The features of a seen state from the seat's side, in arrays of their own."""
    out = blank()
    fill(s, seat, out)
    return out


def _printed() -> Floats:
    """By tile: the columns that describe it."""
    rows = np.zeros((TILES + 1, PRINTED), np.float32)
    for row, design in zip(rows, DESIGNS, strict=False):
        row[COLOURS.index(design.colour)] = 1
        row[len(COLOURS)] = design.number / 7
        for i, task in enumerate(design.tasks):
            start = len(COLOURS) * (i + 1) + 1
            row[start : start + len(COLOURS)] = [task.count(colour) / 4 for colour in COLOURS]
    return rows


PRINT = _printed()


@rule
def fill(s: State, seat: int, out: Any) -> None:
    """Write the features of a seen state from the seat's side over what is in `out`."""
    fill_table(s, seat, out.table)
    fill_supply(s, out.supply)
    fill_shown(s, out.shown)
    for row in range(SEATS):
        other = sitting(s, seat, row)
        fill_seat(s, other, out.seats, row)
        fill_tiles(s, other, out.tiles, row)
    fill_cells(s, seat, out.cells, out.actions)


@rule
def sitting(s: State, seat: int, row: int) -> int:
    """Which seat a row is about: the seat itself, then the others, who would move soonest first; -1 for nobody.

    While the stack is built, those that are not on it yet come last.
    """
    if row == 0:
        return seat
    left = row
    for i in range(s.on_track):
        left -= s.order[i] != seat
        if left == 0:
            return int(s.order[i])
    for other in range(s.seats):
        left -= other != seat and moves_after(s, other) == s.on_track
        if left == 0:
            return other
    return -1


@rule
def moves_after(s: State, seat: int) -> int:
    """How many would move sooner."""
    for i in range(s.on_track):
        if s.order[i] == seat:
            return i
    return s.on_track


@rule
def fill_table(s: State, seat: int, out: Floats) -> None:
    for i in range(TABLE):
        out[i] = 0
    out[s.seats - 1] = 1
    out[SEATS + s.step] = 1
    at = SEATS + STEPS
    out[at] = s.phase == PHASE_1
    out[at + 1] = s.phase == PHASE_2
    out[at + 2] = s.to_play == seat
    out[at + 3] = may_stop(s)
    out[at + 4] = s.on_wheel / WHEEL_HOLDS
    out[at + 5] = s.in_supply / TILES
    if s.phase > 0:
        out[at + 6] = reckon_sum_1(s) / 100
        out[at + 7] = reckon_sum_2(s) / 100


@rule
def fill_seat(s: State, seat: int, out: Floats, row: int) -> None:
    for i in range(PER_SEAT):
        out[row, i] = 0
    if seat >= 0:
        out[row, 0] = 1
        out[row, 1] = s.to_play == seat
        out[row, 2] = (s.goal - s.tokens[seat]) / 21
        out[row, 3] = s.tokens[seat] / 21
        if s.on_track == s.seats:
            out[row, 4] = (s.distance[seat] - s.distance[s.order[0]]) / 7
        out[row, 5] = moves_after(s, seat) / 3
        out[row, 6] = s.laid[seat] / LAID


@rule
def fill_supply(s: State, out: Floats) -> None:
    for tile in range(TILES):
        out[tile] = 0
    for i in range(s.in_supply):
        out[s.supply[i]] = 1


@rule
def fill_shown(s: State, out: Floats) -> None:
    met = 0
    for row in range(SLOTS):
        tile = s.hand if row == HAND else s.wheel[(s.moon + row + 1) % SLOTS]
        for i in range(PRINTED):
            out[row, i] = PRINT[tile, i]
        for i in range(WITHIN_REACH):
            out[row, PRINTED + i] = row != HAND and tile != NO_TILE and met == i
        met += tile != NO_TILE


@rule
def fill_tiles(s: State, seat: int, out: Floats, row: int) -> None:
    laid = s.laid[seat] if seat >= 0 else 0
    for i in range(laid):
        fill_tile(s, s.tiles[first_laid(s, seat) + i], out, row, i)
    for i in range(laid, LAID):
        for j in range(PER_TILE):
            out[row, i, j] = 0


@rule
def fill_tile(s: State, tile: int, out: Floats, row: int, i: int) -> None:
    for j in range(PRINTED):
        out[row, i, j] = PRINT[tile, j]
    out[row, i, PRINTED] = x_of(s.cell[tile]) / 10
    out[row, i, PRINTED + 1] = y_of(s.cell[tile]) / 10
    at, counts = PRINTED + 2, helpers(s, tile)
    for task in range(TASKS):
        out[row, i, at + task] = s.covered[tile] >> task & 1
    for colour in range(len(COLOURS)):
        out[row, i, at + TASKS + colour] = (counts >> BITS * colour & COUNT) / 4
    out[row, i, at + TASKS + len(COLOURS)] = s.members[s.group[tile]] / 4


@rule
def fill_cells(s: State, seat: int, out: Floats, actions: Numbers) -> None:
    for i in range(OPEN):
        actions[i] = -1
        for j in range(PER_CELL):
            out[i, j] = 0
    for i in range(s.opened[seat]):
        cell = s.open_cells[first_open(s, seat) + i]
        actions[i] = PLACE_AT + cell
        out[i, 0] = 1
        out[i, 1] = x_of(cell) / 10
        out[i, 2] = y_of(cell) / 10
        add_helpers(s, seat, cell, out, i)


@rule
def add_helpers(s: State, seat: int, cell: int, out: Floats, i: int) -> None:
    """RULES 5.4: a group that touches on two sides is added once."""
    here = spot_of(s, seat, cell)
    for side in range(SIDES):
        tile = s.spots[neighbour(s, seat, here, side)]
        fresh = tile >= 0
        for other_side in range(side):
            other = s.spots[neighbour(s, seat, here, other_side)]
            fresh = fresh and (other < 0 or s.group[other] != s.group[tile])
        if fresh:
            out[i, 3 + COLOUR[tile]] += s.members[s.group[tile]] / 4


@rule
def x_of(cell: int) -> int:
    """As rules.cell_xy."""
    return cell - ORIGIN - REACH * (2 * cell // (2 * REACH + 1) - REACH)


@rule
def y_of(cell: int) -> int:
    return 2 * cell // (2 * REACH + 1) - REACH - x_of(cell)
