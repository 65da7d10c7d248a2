"""Comets drawn as text, made from a view alone."""

from __future__ import annotations

from plenilune.core.drawing import mark
from plenilune.games.comets.view import View


def draw(v: View) -> str:
    return "\n".join(
        f"{mark(seat)} seat {seat + 1}: star {v.stars[seat] or '-'}, {v.right[seat]} right, rolled {v.rolled[seat]}"
        for seat in range(len(v.right))
    )
