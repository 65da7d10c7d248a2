"""What a seat sees of Comets, as plain data."""

from __future__ import annotations

from typing import Any

from plenilune.core.engine import rule
from plenilune.core.record import i8, i32
from plenilune.core.shape import RecordView, Shape, entry, several
from plenilune.core.spaces import HIDDEN
from plenilune.games.comets.rules import FACES, ROUNDS, SEATS, UNKNOWN, State

STARS = (HIDDEN, "", *(str(star + 1) for star in range(FACES)))  # from UNKNOWN on


class View(Shape):
    to_play: int = i32()
    stars: list[str] = several(entry(STARS), SEATS)  # by seat; empty before it is dealt
    right: list[int] = several(i32(), SEATS)  # calls, by seat
    rolled: list[list[int]] = several(several(i8(), ROUNDS), SEATS)  # faces, by seat


@rule
def fill(s: State, v: Any, spare: Any) -> None:
    v.to_play = s.to_play
    v.stars.n = v.right.n = v.rolled.n = s.seats
    for seat in range(s.seats):
        v.stars.at[seat], v.right.at[seat] = s.star[seat] - UNKNOWN, s.right[seat]
        faces = v.rolled.at[seat]
        while faces.n < ROUNDS and s.rolled[seat, faces.n] != 0:
            faces.at[faces.n] = s.rolled[seat, faces.n]
            faces.n += 1


view = RecordView(View, fill)
