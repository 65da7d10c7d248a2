"""What everybody sees of Moon Leap, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plenilune.core.engine import rule
from plenilune.core.record import i8, i32
from plenilune.core.shape import RecordView, Shape, constant, entry, flag, part, several
from plenilune.games.moon_leap.rules import PAWNS, SEATS, State, score
from plenilune.games.moon_leap.tables import POSTS, SPACES, TRACK

FACES = ("", "1", "2", "3", "4", "5", "*")


@dataclass(frozen=True)
class Space:
    number: int
    value: int | None  # None where it is blank
    certainty: str


BOARD = [Space(n, TRACK.values[n], TRACK.certainties[n]) for n in range(1, SPACES + 1)]


class Pawn(Shape):
    id: str = entry([f"{seat}.{number}" for seat in range(1, SEATS + 1) for number in range(1, PAWNS + 1)])
    seat: int = i8()
    number: int = i8()
    space: int = i8()  # 0 while it is not placed


class Post(Shape):
    after: int = i8()  # the space it stands behind
    passed: bool = flag()
    certainty: str = entry([TRACK.post_certainties.get(seats, "") for seats in range(SEATS + 1)])


class View(Shape):
    to_play: int = i32()
    mover: int = i32()  # the seat whose turn it is
    die: str = entry(FACES)  # the face that lies up; nothing while it is to be rolled
    post: Post = part(Post)
    spaces: list[Space] = constant(BOARD)
    length_certainty: str = constant(TRACK.length_certainty)  # how certain their number is
    pawns: list[Pawn] = several(Pawn, SEATS * PAWNS)
    scores: list[int] = several(i32(), SEATS)  # as if the match ended now


@rule
def fill(s: State, v: Any, spare: Any) -> None:
    v.to_play, v.mover, v.die = s.to_play, s.mover, s.die
    v.post.after, v.post.passed, v.post.certainty = POSTS[s.seats], s.post_passed, s.seats
    v.pawns.n, v.scores.n = s.seats * PAWNS, s.seats
    for seat in range(s.seats):
        v.scores.at[seat] = score(s, seat)
        for i in range(PAWNS):
            fill_pawn(s, seat, i + 1, v.pawns.at[seat * PAWNS + i])


@rule
def fill_pawn(s: State, seat: int, number: int, pawn: Any) -> None:
    pawn.id, pawn.seat, pawn.number, pawn.space = seat * PAWNS + number - 1, seat, number, s.where[seat, number]


view = RecordView(View, fill)
