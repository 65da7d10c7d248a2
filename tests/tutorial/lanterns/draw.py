"""Lanterns drawn as text, made from a view alone."""

from __future__ import annotations

from plenilune.core.drawing import FAINT, GOLD, mark
from plenilune.core.record import OVER
from plenilune.games.lanterns.rules import SIDE
from plenilune.games.lanterns.view import Lantern, View


def draw(v: View) -> str:
    """The row, and below it a board for each seat."""
    row = "  ".join(f"[{FAINT}]{slot}[/] {_draw_lantern(lantern)}" for slot, lantern in enumerate(v.row, 1))
    return "\n".join([f"{row}   {v.in_bag} in the bag", *(_draw_seat(v, seat) for seat in range(len(v.players)))])


def _draw_seat(v: View, seat: int) -> str:
    p = v.players[seat]
    turn = f"[{GOLD}]►[/]" if seat == v.mover and v.to_play != OVER else " "
    points = "" if p.points is None else f", score {p.points}"
    lines = [f"\n{turn} {mark(seat)} seat {seat + 1}: {p.secret}{points}", f"[{FAINT}]    a b c[/]"]
    for start in range(0, len(p.board), SIDE):
        cells = " ".join(_draw_lantern(lantern) for lantern in p.board[start : start + SIDE])
        lines.append(f"[{FAINT}]  {start // SIDE + 1}[/] {cells}")
    return "\n".join(lines)


def _draw_lantern(lantern: Lantern | None) -> str:
    return f"[{lantern.colour}]{lantern.colour[0]}[/]" if lantern else f"[{FAINT}]·[/]"
