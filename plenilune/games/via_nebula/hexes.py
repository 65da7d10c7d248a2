"""The hexes of the valley: their names, and sets of them as bitboards.

A map lies on a grid of 9 rows (RULES 1.5). Every cell of the grid has a number; a row's cells are followed by one
number that no cell has, so that in whatever row, the six neighbours of a cell are

        -13 -12
       -1   0   +1          and over the grid's edge lies a number without a cell.
        +12 +13

A set of hexes is a *board*: one bit a cell, in two words of 63 bits, so that no word is ever negative. Functions take
a board apart as its two words, `low` (rows 1 to 5) and `high` (rows 6 to 9).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plenilune.core.engine import rule
from plenilune.core.record import Ints

Words = NDArray[np.int64]
ROWS = 9
COLUMNS = "abcdefghijkl"
UP = 13  # a cell's number less that of the cell up and to the left
WORD = 63  # bits in a word
FULL = (1 << WORD) - 1


def width(row: int) -> int:
    """How many cells a row has; rows are numbered from 1."""
    return 12 if row % 2 else 11


def cell(column: int, row: int) -> int:
    """The cell's number.

    >>> [cell(0, row) for row in range(1, 10)], cell(11, 9)
    ([0, 13, 25, 38, 50, 63, 75, 88, 100], 111)
    """
    return sum(width(r) + 1 for r in range(1, row)) + column


def name(column: int, row: int) -> str:
    return f"{COLUMNS[column]}{row}"


GRID = [(column, row) for row in range(1, ROWS + 1) for column in range(width(row))]  # in reading order
NAMES = {cell(column, row): name(column, row) for column, row in GRID}  # by cell
POSITIONS = {cell(column, row): (column, row) for column, row in GRID}  # column and row, by cell
CELLS = max(NAMES) + 1


def neighbours(at: int) -> list[int]:
    """The cells that touch this one.

    >>> [NAMES[n] for n in neighbours(cell(2, 4))], [NAMES[n] for n in neighbours(cell(2, 5))]
    (['c3', 'd3', 'b4', 'd4', 'c5', 'd5'], ['b4', 'c4', 'b5', 'd5', 'b6', 'c6'])
    """
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


def cells_of(words: Ints | Words) -> list[int]:
    """The cells of a board, in reading order."""
    number = int(words[0]) | int(words[1]) << WORD
    return [at for at in NAMES if number >> at & 1]
