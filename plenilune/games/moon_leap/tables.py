"""Moon Leap's track and posts, as `moon-leap.table` (or a player's own) has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from plenilune.core import components
from plenilune.core.components import Row, Table

CERTAINTIES = ("known", "likely", "invented")
FEWEST_SPACES, MOST_SPACES = 20, 60  # room for the twenty pawns of four seats
LARGEST_VALUE = 99
SEAT_COUNTS = (2, 3, 4)


class Track:
    """The board: what each space counts, where the posts stand, and how certain each figure is."""

    def __init__(self, table: Table) -> None:
        self.length, self.length_certainty = 0, ""
        self.values: list[int | None] = [None]  # by space; None where it is blank; there is no space 0
        self.certainties: list[str] = [""]
        self.posts: dict[int, int] = {}  # by the number of seats: the space just before the post
        self.post_certainties: dict[int, str] = {}
        readers = {"length": self._length, "post": self._post, "space": self._space}
        for row in table.rows:
            readers[row.one_of(row.words[0], tuple(readers))](row)
        if len(self.values) <= self.length or not self.length:
            table.refuse(f"expected {self.length or 'a length and its'} spaces, found {len(self.values) - 1}")
        for seats in SEAT_COUNTS:
            if seats not in self.posts:
                table.refuse(f"expected a post for {seats} seats")

    def _length(self, row: Row) -> None:
        if self.length:
            row.refuse("a second length")
        length, certainty = row.expect("SPACES", "CERTAINTY")
        self.length = row.number(length, FEWEST_SPACES, MOST_SPACES)
        self.length_certainty = row.one_of(certainty, CERTAINTIES)

    def _post(self, row: Row) -> None:
        self._need_length(row)
        seats, space, certainty = row.expect("SEATS", "SPACE", "CERTAINTY")
        count = row.number(seats, SEAT_COUNTS[0], SEAT_COUNTS[-1])
        if count in self.posts:
            row.refuse(f"a second post for {count} seats")
        self.posts[count] = row.number(space, 1, self.length - 1)
        self.post_certainties[count] = row.one_of(certainty, CERTAINTIES)

    def _space(self, row: Row) -> None:
        self._need_length(row)
        space, value, certainty = row.expect("NUMBER", "VALUE", "CERTAINTY")
        expected = len(self.values)
        if expected > self.length:
            row.refuse(f"space {space} is beyond the length of {self.length}")
        if row.number(space, 1, self.length) != expected:
            row.refuse(f"expected space {expected}, not {space}")
        number = None if value == "blank" else row.number(value, -LARGEST_VALUE, LARGEST_VALUE)
        self.values.append(number)
        self.certainties.append(row.one_of(certainty, CERTAINTIES))

    def _need_length(self, row: Row) -> None:
        if not self.length:
            row.refuse("expected 'length SPACES CERTAINTY' before anything else")


TABLE = components.table(Path(__file__).parent)
TRACK = Track(TABLE)
SPACES = TRACK.length
VALUES = np.array([value or 0 for value in TRACK.values], np.int32)
POSTS = np.array([TRACK.posts.get(seats, 0) for seats in range(5)], np.int32)  # by the number of seats
