"""What everybody sees of Moon Leap: as plain data, and drawn as text."""

from __future__ import annotations

from dataclasses import dataclass

from plenilune.drawing import FAINT, GOLD, mark
from plenilune.engine import standing
from plenilune.games.moon_leap.rules import OFF, PAWNS, STAR, State
from plenilune.games.moon_leap.tables import SPACES, TRACK
from plenilune.record import OVER
from plenilune.snapshot import snapshot

ROW = 13  # spaces drawn side by side
BLANK = "–"  # an en dash: no value
UNCERTAIN = {"known": " ", "likely": "~", "invented": "?"}


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
    now = snapshot(s)
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


def draw(v: View) -> str:
    """The track in rows, a line a seat below it, and what is certain about the figures."""
    rows = [v.spaces[start : start + ROW] for start in range(0, len(v.spaces), ROW)]
    return "\n\n".join([*(_draw_row(v, row) for row in rows), "\n".join(_draw_seats(v)), _draw_board(v)])


def _draw_row(v: View, row: list[Space]) -> str:
    standing = {pawn.space: mark(pawn.seat, str(pawn.number)) for pawn in v.pawns if pawn.space != OFF}
    numbers = [f"[{FAINT}]{space.number:>4}[/] " for space in row]
    values = [_draw_value(space) for space in row]
    pawns = [f"  {standing.get(space.number, f'[{FAINT}] ·[/]')} " for space in row]
    posts = [f"[{GOLD}]┃[/]" if space.number == v.post.after else " " for space in row]
    return "\n".join(
        "".join(cell + post for cell, post in zip(cells, posts, strict=True)).rstrip()
        for cells in (numbers, values, pawns)
    )


def _draw_value(space: Space) -> str:
    value = BLANK if space.value is None else str(space.value)
    colour = FAINT if value == BLANK else "red" if value.startswith("-") else "green"
    return f"[{colour}]{value:>4}[/][{FAINT}]{UNCERTAIN[space.certainty]}[/]"


def _draw_seats(v: View) -> list[str]:
    lines = []
    for seat, points in enumerate(v.scores):
        waiting = " ".join(str(p.number) for p in v.pawns if p.seat == seat and p.space == OFF)
        turn = f"[{GOLD}]►[/]" if seat == v.mover and v.to_play != OVER else " "
        die = f"  die [bold {GOLD}]{v.die}[/]" if seat == v.to_play else ""
        off = f"  [{FAINT}]not placed:[/] {waiting}" if waiting else ""
        lines.append(f"{turn} {mark(seat)} seat {seat + 1} {points:>5} points{off}{die}")
    return lines


def _draw_board(v: View) -> str:
    length, post = (UNCERTAIN[word].strip() for word in (v.length_certainty, v.post.certainty))
    state = "passed: a 3, 4 or 5 may be split" if v.post.passed else "not passed yet"
    return (
        f"[{GOLD}]┃[/] post after space {v.post.after}{post}, {state}\n"
        f"[{FAINT}]{len(v.spaces)} spaces{length}.  ~ likely, ? invented: the printed board may differ[/]"
    )
