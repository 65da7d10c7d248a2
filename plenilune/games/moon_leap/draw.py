"""Moon Leap drawn as text, made from a view alone."""

from __future__ import annotations

from plenilune.core.drawing import FAINT, GOLD, mark
from plenilune.core.record import OVER
from plenilune.games.moon_leap.rules import OFF
from plenilune.games.moon_leap.view import Space, View

ROW = 13  # spaces drawn side by side
BLANK = "–"  # an en dash: no value
UNCERTAIN = {"known": " ", "likely": "~", "invented": "?"}


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
