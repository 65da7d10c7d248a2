"""The grid that maps lie on (RULES 1.5): rows of cells, every even one a cell shorter and half a hex to the right."""

from __future__ import annotations

from dataclasses import dataclass

COLUMN_NAMES = "abcdefghijklmnopqrstuvwxyz"
Coordinates = tuple[int, int]  # column and row; columns are numbered from 0, rows from 1
WORD, WORDS = 63, 2  # a set of hexes is so many words of so many bits (hexes.py)
ROOM = WORD * WORDS  # so no grid has more numbers than this


def name(column: int, row: int) -> str:
    return f"{COLUMN_NAMES[column]}{row}"


def around(column: int, row: int) -> list[Coordinates]:
    """The six pairs of coordinates beside these, in reading order, wherever the grid ends.

    >>> [name(*at) for at in around(2, 4)], [name(*at) for at in around(2, 5)]
    (['c3', 'd3', 'b4', 'd4', 'c5', 'd5'], ['b4', 'c4', 'b5', 'd5', 'b6', 'c6'])
    """
    left = column - row % 2
    sides = [(column - 1, row), (column + 1, row)]
    return [(left, row - 1), (left + 1, row - 1), *sides, (left, row + 1), (left + 1, row + 1)]


@dataclass(frozen=True)
class Grid:
    """Every cell has a number. A row's cells are followed by one number that no cell has, so that in whatever row, the
    neighbours of a cell are as far away."""

    columns: int  # of odd rows
    rows: int

    @property
    def up(self) -> int:
        """A cell's number less that of the cell up and to the left."""
        return self.columns + 1

    def width(self, row: int) -> int:
        """How many cells a row has."""
        return self.columns if row % 2 else self.columns - 1

    def cell(self, column: int, row: int) -> int:
        """The cell's number.

        >>> grid = Grid(12, 9)
        >>> [grid.cell(0, row) for row in range(1, 10)], grid.cell(11, 9), grid.size
        ([0, 13, 25, 38, 50, 63, 75, 88, 100], 111, 112)
        """
        return sum(self.width(r) + 1 for r in range(1, row)) + column

    @property
    def size(self) -> int:
        """How many numbers there are, up to the last cell's."""
        return self.cell(self.width(self.rows), self.rows)

    def coordinates(self) -> list[Coordinates]:
        """In reading order."""
        return [(column, row) for row in range(1, self.rows + 1) for column in range(self.width(row))]
