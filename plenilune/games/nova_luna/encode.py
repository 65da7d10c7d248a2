"""What a seat sees of Nova Luna as arrays for networks: of one size for any number of seats, from one seat's side of
the table, with small numbers for the actions, and the eight ways to turn and mirror the tableaux.

Open cells are in the order of their numbers, not in that in which they came about: positions that look the same give
the same bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plenilune.core.encoding import Encoded, Encoding
from plenilune.core.engine import rule, stack_array
from plenilune.core.record import f32, u8
from plenilune.core.sorting import BLOCK, rank
from plenilune.games.nova_luna.rules import (
    CELLS,
    EMPTY,
    END,
    FIRST_OPEN,
    KEEP,
    MOST_LAID,
    MOST_OPEN,
    ORIGIN,
    PHASE_1,
    PHASE_2,
    PLACE_AT,
    REACH,
    REFILL,
    SEATS,
    SIDES,
    SLOTS,
    SPOTS,
    STOP,
    TAKE_NTH,
    WHEEL_HOLDS,
    WITHIN_REACH,
    State,
    cell_xy,
    first_laid,
    first_open,
    helpers,
    may_stop,
    neighbour,
    nth_slot,
    score,
    score_sum_1,
    score_sum_2,
    spot_of,
)
from plenilune.games.nova_luna.tables import BITS, COLOURS, COUNT, DESIGNS, NO_TILE, NUMBER, SHIFT, TASKS, TILES

Floats = NDArray[np.float32]
LAID, OPEN = int(MOST_LAID.max()), int(MOST_OPEN.max())
STEPS, PHASES = END + 1, 2
PRINTED = len(COLOURS) + 1 + TASKS * len(COLOURS)  # columns that describe a tile
HAND = WHEEL_HOLDS  # the row of `shown` for the tile in hand

TABLE = SEATS + STEPS + PHASES + 6
PER_SEAT = 7
SHOWN = PRINTED + WITHIN_REACH
PER_TILE = PRINTED + 2 + TASKS + len(COLOURS) + 1
PER_CELL = 3 + len(COLOURS)

# Codes of actions: `take 1` to `take 3`, `refill`, `keep`, `stop`, and then a place on each open cell in turn.
TAKE_CODE, REFILL_CODE, KEEP_CODE, STOP_CODE, PLACE_CODE = 0, WITHIN_REACH, WITHIN_REACH + 1, WITHIN_REACH + 2, 6
CODES = PLACE_CODE + OPEN
# Where a tile is, in Tokens: in the supply 0, the nth of the wheel n.
IN_HAND, LAID_BY = WHEEL_HOLDS + 1, WHEEL_HOLDS + 2
IN_BLOCKS = (OPEN + BLOCK - 1) // BLOCK * BLOCK  # room to rank them
CENTRE = REACH + 1  # added to a coordinate in bytes, so that 0 means nothing
MOST_BYTE = 255
TAKES, PLACES, REFILLS, KEEPS, STOPS = range(5)  # kinds of Option
FLIP_X, FLIP_Y, SWAP_XY = 1, 2, 4  # bits of a symmetry, done in this order
SYMMETRIES = 8


class Tokens(Encoded):
    """`row` counts the seats in the order of `sitting`, the own one first."""

    seats: Any = u8(1)
    step: Any = u8(1)  # what is to be done: STACK, FILL, CHOOSE, TAKE, PLACE, END
    phase: Any = u8(1)  # in solo 1 or 2, otherwise 0
    own_turn: Any = u8(1)
    may_stop: Any = u8(1)
    on_wheel: Any = u8(1)
    in_supply: Any = u8(1)
    sums: Any = u8(2)  # in solo S1 and S2 (at most 255), otherwise 0
    table: Any = u8(SEATS, 6)  # by row: there is a seat, its turn, tokens left, spaces ahead, sooner ones, tiles laid
    tiles: Any = u8(TILES, 5)  # where it is; X + 45, Y + 45, bits of tasks covered, tiles in its group if it is laid
    cells: Any = u8(OPEN, 2)  # X + 45, Y + 45 of each cell on which the seat may lay its next tile


class Planes(Encoded):
    """`seat` stands for the seat from whose side it is; seats are in the order of `sitting`.

    A tile is described by 17 columns: its colour (4, one of them 1), its number / 7, and for each of its three tasks
    how many tiles of each colour it asks for / 4 (3 × 4).
    """

    table: Any = f32(TABLE)
    """(18): how many seats there are (4, one of them 1), what is to be done (6, one of them 1), solo phase 1 and 2,
    whether the seat is to play, whether it may stop, tiles on the wheel / 11, tiles in the supply / 68, in solo
    S1 / 100 and S2 / 100."""

    seats: Any = f32(SEATS, PER_SEAT)
    """(4, 7), a row for each seat: there is one, whether it is to play, tokens placed / 21, tokens left / 21, spaces
    ahead of the last / 7, how many others would move sooner / 3, tiles laid / 45."""

    supply: Any = f32(TILES)
    """(68): 1 for each tile that is in the supply."""

    shown: Any = f32(SLOTS, SHOWN)
    """(12, 20), a row for each slot, clockwise from the moon, and the last for the tile in hand: the tile (17), and
    which of `take 1`, `take 2`, `take 3` would take it (3)."""

    tiles: Any = f32(SEATS, LAID, PER_TILE)
    """(4, 45, 27), for each seat a row for each tile in the order in which they were laid: the tile (17), X / 10 and
    Y / 10, which of its tasks are covered (3), how many tiles of each colour help them / 4 (4), and how many its
    group has / 4."""

    cells: Any = f32(OPEN, PER_CELL)
    """(92, 7), a row for each cell on which the seat may lay its next tile, in the order of the codes for `place`:
    there is one, X / 10 and Y / 10, and how many tiles of each colour would help a tile there / 4 (4)."""


class Option(Encoded):
    kind: Any = u8(1)  # TAKES, PLACES, REFILLS, KEEPS or STOPS
    tile: Any = u8(1)  # the tile taken or laid, counted from 1, or 0
    number: Any = u8(1)  # what is printed on it, or 0
    at: Any = u8(2)  # X + 45 and Y + 45 of the cell, or 0
    help: Any = u8(len(COLOURS))  # how many tiles of each colour would help a tile there


def features(s: State, seat: int) -> Planes:
    """The planes of a seen state from the seat's side."""
    out = Planes.new()
    planes(s, seat, out)
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
PLACED = np.array([[CENTRE + x, CENTRE + y] for x, y in map(cell_xy, range(CELLS))], np.uint8)  # by cell: in bytes


# Planes


@rule
def planes(s: State, seat: int, out: Any) -> None:
    fill_table(s, seat, out.table)
    fill_supply(s, out.supply)
    fill_shown(s, out.shown)
    for row in range(SEATS):
        other = sitting(s, seat, row)
        fill_seat(s, other, out.seats, row)
        fill_tiles(s, other, out.tiles, row)
    fill_cells(s, seat, out.cells)


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
        out[at + 6] = score_sum_1(s) / 100
        out[at + 7] = score_sum_2(s) / 100


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
def fill_cells(s: State, seat: int, out: Floats) -> None:
    cells = sorted_cells()
    n = sort_cells(s, seat, cells)
    for i in range(n):
        help = help_at(s, seat, cells[i])
        out[i, 0], out[i, 1], out[i, 2] = 1, x_of(cells[i]) / 10, y_of(cells[i]) / 10
        for colour in range(len(COLOURS)):
            out[i, 3 + colour] = (help >> BITS * colour & COUNT) / 4
    for i in range(n, OPEN):
        for j in range(PER_CELL):
            out[i, j] = 0


open_cells = stack_array((IN_BLOCKS,), np.int16)
sorted_cells = stack_array((OPEN,), np.int16)
ranks_of_cells = stack_array((IN_BLOCKS,), np.int16)


@rule
def sort_cells(s: State, seat: int, out: Any) -> int:
    """The cells on which the seat may lay its next tile, in the order of their numbers; returns how many."""
    cells, ranks = open_cells(), ranks_of_cells()
    n = rank_cells(s, seat, cells, ranks)
    for i in range(n):
        out[ranks[i]] = cells[i]
    return n


@rule
def rank_cells(s: State, seat: int, cells: Any, ranks: Any) -> int:
    """The cells and the place of each in the order of their numbers; returns how many."""
    n = int(s.opened[seat])
    listed = s.open_cells[first_open(s, seat) :]
    for i in range(n):
        cells[i] = listed[i]
    rank(cells, n, ranks)
    return n


@rule
def help_at(s: State, seat: int, cell: int) -> int:
    """How many tiles of each colour would help a tile there, as four counts in one number. RULES 5.4: a group that
    touches on two sides is added once."""
    here, counts = spot_of(s, seat, cell), 0
    for side in range(SIDES):
        tile = s.spots[neighbour(s, seat, here, side)]
        fresh = tile >= 0
        for other_side in range(side):
            other = s.spots[neighbour(s, seat, here, other_side)]
            fresh = fresh and (other < 0 or s.group[other] != s.group[tile])
        if fresh:
            counts += int(s.members[s.group[tile]]) << SHIFT[tile]
    return int(counts)


@rule
def x_of(cell: int) -> int:
    """As rules.cell_xy."""
    return cell - ORIGIN - REACH * rising_of(cell)


@rule
def y_of(cell: int) -> int:
    return rising_of(cell) - x_of(cell)


@rule
def rising_of(cell: int) -> int:
    """X + Y."""
    return 2 * int(cell) // (2 * REACH + 1) - REACH


@rule
def cell_at(x: int, y: int) -> int:
    return ORIGIN + (REACH + 1) * x + REACH * y


# Tokens


@rule
def tokens(s: State, seat: int, out: Any) -> None:
    out.seats[0], out.step[0], out.phase[0], out.own_turn[0] = s.seats, s.step, s.phase, s.to_play == seat
    out.may_stop[0], out.on_wheel[0], out.in_supply[0] = may_stop(s), s.on_wheel, s.in_supply
    out.sums[0] = min(score_sum_1(s), MOST_BYTE) if s.phase > 0 else 0
    out.sums[1] = min(score_sum_2(s), MOST_BYTE) if s.phase > 0 else 0
    out.table[:], out.tiles[:] = 0, 0
    met = 0
    for step in range(1, SLOTS):
        tile = s.wheel[s.moon + step if s.moon + step < SLOTS else s.moon + step - SLOTS]
        if tile != NO_TILE:
            met += 1
            out.tiles[tile, 0] = met
    if s.hand != NO_TILE:
        out.tiles[s.hand, 0] = IN_HAND
    for row in range(SEATS):
        write_seat(s, sitting(s, seat, row), out, row)
    write_cells(s, seat, out.cells)


@rule
def write_seat(s: State, seat: int, out: Any, row: int) -> None:
    if seat < 0:
        return
    out.table[row, 0], out.table[row, 1], out.table[row, 2] = 1, s.to_play == seat, s.tokens[seat]
    if s.on_track == s.seats:
        out.table[row, 3] = s.distance[seat] - s.distance[s.order[0]]
    out.table[row, 4], out.table[row, 5] = moves_after(s, seat), s.laid[seat]
    laid = s.tiles[first_laid(s, seat) :]
    for i in range(s.laid[seat]):
        tile = np.uint8(laid[i])
        cell, group = np.uint16(s.cell[tile]), np.uint8(s.group[tile])
        out.tiles[tile, 0], out.tiles[tile, 1], out.tiles[tile, 2] = LAID_BY + row, PLACED[cell, 0], PLACED[cell, 1]
        out.tiles[tile, 3], out.tiles[tile, 4] = s.covered[tile], s.members[group]


@rule
def write_cells(s: State, seat: int, out: Any) -> None:
    out[:] = 0
    cells, ranks = open_cells(), ranks_of_cells()
    for i in range(rank_cells(s, seat, cells, ranks)):
        cell = np.uint16(cells[i])  # not negative, which compiled code need not ask then
        out[ranks[i], 0], out[ranks[i], 1] = PLACED[cell, 0], PLACED[cell, 1]


# Actions


@rule
def codes(s: State, actions: Any, n: int, out: Any) -> None:
    """Of chance's outcomes: their numbers."""
    for i in range(n):
        out[i] = code(int(actions[i]), i) if s.to_play >= 0 else actions[i]


@rule
def code(action: int, i: int) -> int:
    if action == STOP:
        return STOP_CODE
    if action >= PLACE_AT:
        return PLACE_CODE + i
    if action >= TAKE_NTH:
        return TAKE_CODE + action - TAKE_NTH
    return REFILL_CODE if action == REFILL else KEEP_CODE


@rule
def describe(s: State, action: int, out: Any) -> None:
    out.kind[0], out.tile[0], out.number[0], out.at[:], out.help[:] = REFILLS, 0, 0, 0, 0
    if action == STOP:
        out.kind[0] = STOPS
    elif action >= PLACE_AT:
        describe_place(s, action - PLACE_AT, out)
    elif action >= TAKE_NTH:
        describe_tile(s.wheel[nth_slot(s, action - TAKE_NTH + 1)], TAKES, out)
    elif action == KEEP:
        out.kind[0] = KEEPS


@rule
def describe_tile(tile: int, kind: int, out: Any) -> None:
    out.kind[0], out.tile[0], out.number[0] = kind, tile + 1, NUMBER[tile]


@rule
def describe_place(s: State, cell: int, out: Any) -> None:
    describe_tile(s.hand, PLACES, out)
    help = help_at(s, s.to_play, cell)
    out.at[0], out.at[1] = CENTRE + x_of(cell), CENTRE + y_of(cell)
    for colour in range(len(COLOURS)):
        out.help[colour] = help >> BITS * colour & COUNT


# Symmetries: the rules know no directions


@rule
def image(s: State, action: int, symmetry: int) -> int:
    return PLACE_AT + turned(action - PLACE_AT, symmetry) if PLACE_AT <= action < STOP else action


@rule
def turned(cell: int, symmetry: int) -> int:
    x, y = x_of(cell), y_of(cell)
    if symmetry & FLIP_X:
        x = -x
    if symmetry & FLIP_Y:
        y = -y
    return cell_at(y, x) if symmetry & SWAP_XY else cell_at(x, y)


@rule
def turned_side(side: int, symmetry: int) -> int:
    """Sides are right, left, up, down."""
    axis, back = side >> 1, side & 1
    if symmetry & (FLIP_Y if axis else FLIP_X):
        back ^= 1
    if symmetry & SWAP_XY:
        axis ^= 1
    return 2 * axis + back


four_sides = stack_array((SIDES,), np.int8)


@rule
def mirror(s: State, symmetry: int) -> None:
    for i in range(s.seats * SPOTS[s.seats]):
        s.spots[i] = EMPTY
    for seat in range(s.seats):
        for i in range(s.laid[seat]):
            mirror_tile(s, seat, s.tiles[first_laid(s, seat) + i], symmetry)
        for i in range(s.opened[seat]):
            at = first_open(s, seat) + i
            s.open_cells[at] = turned(s.open_cells[at], symmetry)
            s.spots[spot_of(s, seat, s.open_cells[at])] = FIRST_OPEN - i


@rule
def mirror_tile(s: State, seat: int, tile: int, symmetry: int) -> None:
    s.cell[tile] = turned(s.cell[tile], symmetry)
    s.spots[spot_of(s, seat, s.cell[tile])] = tile
    before = four_sides()
    for side in range(SIDES):
        before[side] = s.beside[tile, side]
    for side in range(SIDES):
        s.beside[tile, turned_side(side, symmetry)] = before[side]


@rule
def penalty(s: State) -> float:
    """RULES 7.7: played alone, a lower score is better."""
    return -float(score(s, 0))


ENCODING = Encoding(
    Tokens=Tokens,
    Planes=Planes,
    Option=Option,
    tokens=tokens,
    planes=planes,
    describe=describe,
    size=CODES,
    codes=codes,
    most_legal=OPEN,
    symmetries=SYMMETRIES,
    mirror=mirror,
    image=image,
    reward=penalty,
)
