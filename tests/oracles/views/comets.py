"""What a seat sees of Comets, made from the state in plain Python."""

from __future__ import annotations

from dataclasses import dataclass

from plenilune.core.spaces import HIDDEN
from plenilune.games.comets.rules import UNDEALT, UNKNOWN, State


@dataclass(frozen=True)
class View:
    to_play: int
    stars: list[str]  # by seat; empty before it is dealt
    right: list[int]  # calls, by seat
    rolled: list[list[int]]  # faces, by seat


def view(s: State) -> View:
    names = {UNDEALT: "", UNKNOWN: HIDDEN}
    return View(
        to_play=int(s.to_play),
        stars=[names.get(int(star), str(star)) for star in s.star[: s.seats]],
        right=[int(n) for n in s.right[: s.seats]],
        rolled=[[int(face) for face in faces if face] for faces in s.rolled[: s.seats]],
    )
