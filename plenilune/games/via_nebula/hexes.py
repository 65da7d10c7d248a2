"""The hexes of the valley: their names, and sets of them as bitboards.

Both maps of the component table in use lie on one grid (`grid.py`), as wide and as high as they are. On one of twelve
columns, in whatever row, the six neighbours of a cell are

        -13 -12
       -1   0   +1          and over the grid's edge lies a number without a cell.
        +12 +13

A set of hexes is a *board*: one bit a cell, in two words of 63 bits, so that no word is ever negative. Functions take
a board apart as its two words, `low` (on that grid rows 1 to 5) and `high`.
"""

from __future__ import annotations

import numpy as np

from plenilune.core.engine import rule
from plenilune.games.via_nebula.grid import COLUMN_NAMES, WORD, name
from plenilune.games.via_nebula.tables import BOX

GRID = BOX.grid
ROWS = GRID.rows
COLUMNS = COLUMN_NAMES[: GRID.columns]
UP = GRID.up  # a cell's number less that of the cell up and to the left
FULL = (1 << WORD) - 1
NAMES = {GRID.cell(*at): name(*at) for at in GRID.coordinates()}  # by cell, in reading order
COORDINATES = {GRID.cell(*at): at for at in GRID.coordinates()}  # by cell
CELLS = GRID.size


def neighbours(at: int) -> list[int]:
    """The cells that touch this one, in reading order."""
    return [at + step for step in (-UP, 1 - UP, -1, 1, UP - 1, UP) if at + step in NAMES]


def board(cells: list[int]) -> tuple[int, int]:
    """The two words of a set of cells."""
    number = sum(1 << at for at in cells)
    return number & FULL, number >> WORD


BIT = np.array([board([at]) for at in range(CELLS)], np.int64)  # (cell, word)
TOUCHING = np.array([board(neighbours(at)) for at in range(CELLS)], np.int64)  # (cell, word): its neighbours
# The powers of two leave different remainders by 67: that finds the place of a bit without a loop.
PLACE_OF_BIT = np.zeros(67, np.int32)
for _bit in range(WORD):
    PLACE_OF_BIT[(1 << _bit) % 67] = _bit


@rule
def lowest(word: int) -> int:
    """The place of the word's lowest bit; there must be one."""
    return int(PLACE_OF_BIT[(word & -word) % 67])


@rule
def has(low: int, high: int, at: int) -> bool:
    return bool((low & BIT[at, 0]) | (high & BIT[at, 1]))


@rule
def touching(low: int, high: int) -> tuple[int, int]:
    """All cells that touch one of these, and numbers without a cell: mask what comes out."""
    # One to the right, and one to the left, over the seam between the words.
    right_low, right_high = (low << 1) & FULL, (high << 1) | (low >> (WORD - 1))
    left_low, left_high = (low >> 1) | ((high & 1) << (WORD - 1)), high >> 1
    # Down by 12 and 13 is down by 12 of the cells and those right of them; and so for up.
    down_low, down_high = low | right_low, high | right_high
    up_low, up_high = low | left_low, high | left_high
    step = UP - 1
    low = right_low | left_low | ((down_low << step) & FULL)
    low |= (up_low >> step) | ((up_high << (WORD - step)) & FULL)
    high = right_high | left_high | (down_high << step) | (down_low >> (WORD - step)) | (up_high >> step)
    return low, high


@rule
def flood(low: int, high: int, open_low: int, open_high: int) -> tuple[int, int]:
    """These open cells and all that are joined to them by open cells."""
    while True:
        near_low, near_high = touching(low, high)
        grown_low, grown_high = low | (near_low & open_low), high | (near_high & open_high)
        if grown_low == low and grown_high == high:
            return low, high
        low, high = grown_low, grown_high
