"""Nova Luna's 68 tiles (RULES 1.2), and the same in numbers for the compiled rules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

COLOURS = "rbty"  # red, blue, turquoise, yellow

# A column for each colour, a row for each number and letter. `/` stands between tasks, `-` means none.
SHEET = """
    1   -            -            -            -
    2a  rrrr         bbbb         tttt         yyyy
    2b  rrrr         bbbb         tttt         yyyy
    3a  brr          bby          byy          bbr
    3b  brt          bty          rtt          bry
    3c  tty          rrt          rty          tyy
    3d  brty/ttt     brty/rrr     brty/yyy     brty/bbb
    4a  by/rt        bbb/rt       bbbb/bb      yyy/br
    4b  rrr/ty       br/ty        br/ty        by/rt
    4c  yyyy/yy      rrrr/rr      ttt/by       tttt/tt
    4d  bbb/yyy/tt   rrr/ttt/yy   bbb/yyy/rr   rrr/ttt/bb
    5a  bbb/b        ttt/t        rr/b         rrr/r
    5b  bb/y         yy/t         yyy/y        tt/r
    5c  bb/rr/tt     bb/tt/yy     rr/tt/yy     bb/rr/yy
    6a  bb/yy/t      yyy/rr/ry    rrr/bb/br    rr/tt/b
    6b  ttt/ty/yy    rr/tt/y      bb/yy/r      bbb/bt/tt
    7   bt/by/ty     rt/ry/ty     br/by/ry     br/bt/rt
"""


class Design(NamedTuple):
    """What is printed on a tile."""

    name: str
    colour: str
    number: int
    tasks: tuple[str, ...]


def read_sheet(sheet: str) -> list[Design]:
    """The tiles, colour by colour."""
    rows = [line.split() for line in sheet.strip().splitlines()]
    return [
        Design(colour + row[0], colour, int(row[0][0]), tuple(task for task in row[column].split("/") if task != "-"))
        for column, colour in enumerate(COLOURS, 1)
        for row in rows
    ]


DESIGNS = read_sheet(SHEET)  # the rules know a tile by its place in this list
NAMES = tuple(design.name for design in DESIGNS)
TILES = len(DESIGNS)
NO_TILE = TILES  # one beyond the tiles; the tables below have a row for it, so that it can be looked up like a tile
TASKS = 3  # the most a tile has

COLOUR = np.array([*(COLOURS.index(design.colour) for design in DESIGNS), len(COLOURS)], np.int32)
NUMBER = np.array([*(design.number for design in DESIGNS), 0], np.int32)

# How many tiles of each colour: four counts side by side in one number, six bits for each. The highest of the six
# stays free, so that one subtraction compares all four (rules.tasks_that_hold).
BITS = 6
COUNT = 2 ** (BITS - 1) - 1  # the bits of one count
SHIFT = BITS * COLOUR
FREE = sum((COUNT + 1) << BITS * colour for colour in range(len(COLOURS)))
NEVER = sum(COUNT << BITS * colour for colour in range(len(COLOURS)))  # more of each colour than there are tiles


def asked(task: str) -> int:
    """What a task asks for, as four counts in one number.

    >>> asked("rrt") == 2 + (1 << 2 * BITS)
    True
    """
    return sum(1 << BITS * COLOURS.index(colour) for colour in task)


def asking(tasks: tuple[str, ...], colour: str) -> int:
    """A bit for each of the tasks that asks for this colour."""
    return sum(1 << i for i, task in enumerate(tasks) if colour in task)


_TASKS = [*(design.tasks for design in DESIGNS), ()]  # by tile
ASKED = np.array([[*map(asked, tasks), *[NEVER] * (TASKS - len(tasks))] for tasks in _TASKS], np.int32)  # by task
ASKING = np.array([[asking(tasks, colour) for colour in COLOURS] for tasks in _TASKS], np.int32)  # by colour
