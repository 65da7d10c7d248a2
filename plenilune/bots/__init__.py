"""Who plays when no person does. A bot gets what its seat has seen, never the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plenilune.bots.uniform import uniform
from plenilune.errors import BadSetting
from plenilune.game import Game

# (game, seen state, seat, ply's own seed) -> the number of a legal action
Bot = Callable[[Game, Any, int, int], int]

BOTS: dict[str, Bot] = {"random": uniform}


def load(name: str) -> Bot:
    """The bot of that name."""
    if name not in BOTS:
        raise BadSetting(f"no such bot: {name!r}; there are: {', '.join(BOTS)}")
    return BOTS[name]
