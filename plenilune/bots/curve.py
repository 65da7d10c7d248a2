"""Chances to win through a match: as points, in the terminal, and as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plenilune.bots.chart import FAINT_INK, INK, PAPER, element, picture, ticks, words
from plenilune.bots.ratings import percent, win_share
from plenilune.bots.review import LOSSES, Remark
from plenilune.core.drawing import FAINT, colour, mark, sign
from plenilune.match import Match

Point = tuple[float, float]  # a ply, and a chance to win


def curve(match: Match, remarks: Sequence[Remark], seat: int) -> list[Point]:
    """A seat's chance to win through the match. Where there are secrets, only what it could tell itself."""
    own = [r for r in remarks if r.seat == seat or not match.game.secrets]
    points: list[Point] = []
    for r in own:
        points += [(r.ply, r.before[seat]), (r.ply + 1, r.after[seat])]
    if points and match.over and match.seats > 1:
        points.append((match.ply, win_share(match.places, seat)))
    return points


def drawn(curves: Sequence[Sequence[Point]], width: int, height: int) -> list[str]:
    """The curves in braille dots, in rows of markup, each in its seat's colour and with its sign at its end.

    >>> from plenilune.core.drawing import plain
    >>> for row in drawn([[(0, 0.0), (9, 1.0)], [(0, 0.5), (9, 0.5)]], width=8, height=3):
    ...     print(plain(row))
    100% ┤     ⢀⠔⠊ ●
         │⠤⠤⢤⡤⠮⠥⠤⠤ ■
      0% ┤⡠⠔⠁
    """
    dots, owners = np.zeros((height, width), int), np.full((height, width), -1)
    start, end = (f(ply for points in curves for ply, _ in points) for f in (min, max))
    ends: dict[int, str] = {}
    for seat, points in enumerate(curves):
        if points:
            rows = _dot_rows(points, np.linspace(start, end, 2 * width), 4 * height)
            _draw_dots(rows, seat, dots, owners)
            ends[rows[-1] // 4] = ends.get(rows[-1] // 4, "") + f" {mark(seat)}"
    labels = {0: "100% ┤", height - 1: "  0% ┤"}
    return [
        f"[{FAINT}]{labels.get(row, '     │')}[/]{_cells(dots[row], owners[row], row in ends)}{ends.get(row, '')}"
        for row in range(height)
    ]


def _dot_rows(points: Sequence[Point], plies: Any, height: int) -> list[int]:
    """The row of the curve's dot at each of the plies, from the top."""
    chances = np.interp(plies, [ply for ply, _ in points], [chance for _, chance in points])
    return [round((1 - float(chance)) * (height - 1)) for chance in chances]


DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # a braille cell's, by row and column


def _draw_dots(rows: Sequence[int], seat: int, dots: Any, owners: Any) -> None:
    for x, y in enumerate(rows):
        last = rows[x - 1] if x else y
        for dot in {y, *range(last + 1, y), *range(y + 1, last)}:  # also the way from the last column's dot
            dots[dot // 4, x // 2] |= DOTS[dot % 4][x % 2]
            owners[dot // 4, x // 2] = seat


def _cells(dots: Any, owners: Any, whole: bool) -> str:
    """A row's markup; up to its last dot unless it is wanted whole."""
    cells = [f"[{colour(o)}]{chr(0x2800 + d)}[/]" if d else " " for d, o in zip(dots, owners, strict=True)]
    return "".join(cells) if whole else "".join(cells[: max(np.flatnonzero(dots), default=-1) + 1])


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960, 400, 84, 60, 84, 56  # of the picture, in pixels
SHAPES = {  # the seats' signs, around the origin
    "●": '<circle r="6"/>',
    "■": '<rect x="-5.5" y="-5.5" width="11" height="11"/>',
    "▲": '<path d="M0 -7 7 6 -7 6Z"/>',
    "◆": '<path d="M0 -7 7 0 0 7 -7 0Z"/>',
    "★": '<path d="M0 -8 2 -2.5 8 -2.5 3 1 5 7 0 3.5 -5 7 -3 1 -8 -2.5 -2 -2.5Z"/>',
    "▼": '<path d="M0 7 7 -6 -7 -6Z"/>',
}


def chart(match: Match, remarks: Sequence[Remark]) -> str:
    """The curves as SVG, with the marks where they fell."""

    def x(ply: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ply / max(1, match.ply)

    def y(chance: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance)

    curves = {seat: curve(match, remarks, seat) for seat in range(match.seats)}
    placed = {seat: [(x(ply), y(chance)) for ply, chance in points] for seat, points in curves.items() if points}
    plies = [n for n in ticks(0, match.ply) if n <= match.ply]
    return picture(
        WIDTH,
        HEIGHT,
        f"{match.game.title}: chances to win",
        *(_level(quarter / 4, y(quarter / 4)) for quarter in range(5)),
        *(words(str(n), x(n), HEIGHT - BOTTOM + 24, 13, FAINT_INK, "middle") for n in plies),
        words("ply", WIDTH - RIGHT + 12, HEIGHT - BOTTOM + 24, 13, FAINT_INK),
        *(_line(seat, points) for seat, points in placed.items()),
        *(_marked(r, x(r.ply + 1), y(r.worth)) for r in remarks if r.mark in LOSSES),
        *(_sign(seat, *points[-1]) for seat, points in placed.items()),
    )


def _line(seat: int, points: Sequence[Point]) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return element("polyline", points=path, fill="none", stroke=colour(seat), stroke_width=2, stroke_linejoin="round")


def _sign(seat: int, x: float, y: float) -> str:
    there = f"translate({x:.1f} {y:.1f})"
    return element("g", element("title", f"seat {seat + 1}"), SHAPES[sign(seat)], fill=colour(seat), transform=there)


def _level(chance: float, y: float) -> str:
    line = element("line", x1=LEFT, y1=y, x2=WIDTH - RIGHT, y2=y, stroke=FAINT_INK, stroke_opacity=0.25)
    return line + words(f"{100 * chance:.0f}%", LEFT - 12, y + 5, 13, FAINT_INK, "end")


def _marked(r: Remark, x: float, y: float) -> str:
    """A mark beside the curve; pointing at it tells the action and the better one."""
    told = f"ply {r.ply}, seat {r.seat + 1}: {r.action}; better: {r.better} (+{percent(r.lost)})"
    dot = element("circle", cx=x, cy=y, r=4, fill=PAPER, stroke=colour(r.seat), stroke_width=2)
    return element("g", element("title", told), dot, words(r.mark, x, y + 20, 13, INK, "middle"))
