"""What everybody sees of Moon Leap, made from the state in plain Python."""

from __future__ import annotations

from dataclasses import dataclass

from plenilune.core.engine import standing
from plenilune.games.moon_leap.rules import PAWNS, STAR, State
from plenilune.games.moon_leap.tables import SPACES, TRACK
from tests.oracles.plain_state import plain_state


@dataclass(frozen=True)
class Pawn:
    id: str  # seat and number, as in `2.5`
    seat: int
    number: int
    space: int  # 0 while it is not placed


@dataclass(frozen=True)
class Space:
    number: int
    value: int | None  # None where it is blank
    certainty: str


@dataclass(frozen=True)
class Post:
    after: int  # the space it stands behind
    passed: bool
    certainty: str


@dataclass(frozen=True)
class View:
    to_play: int
    mover: int  # the seat whose turn it is
    die: str  # the face that lies up; nothing while it is to be rolled
    post: Post
    spaces: list[Space]
    length_certainty: str  # how certain their number is
    pawns: list[Pawn]
    scores: list[int]  # as if the match ended now


BOARD = [Space(n, TRACK.values[n], TRACK.certainties[n]) for n in range(1, SPACES + 1)]


def view(s: State) -> View:
    now = plain_state(s)
    seats = now.seats
    return View(
        to_play=now.to_play,
        mover=now.mover,
        die="*" if now.die == STAR else str(now.die or ""),
        post=Post(TRACK.posts[seats], bool(now.post_passed), TRACK.post_certainties[seats]),
        spaces=BOARD,
        length_certainty=TRACK.length_certainty,
        pawns=[
            Pawn(f"{seat + 1}.{number}", seat, number, now.where[seat][number])
            for seat in range(seats)
            for number in range(1, PAWNS + 1)
        ],
        scores=standing(s)[0],
    )
