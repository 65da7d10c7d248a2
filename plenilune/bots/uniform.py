"""The bot called `random`: any legal action, all equally likely."""

from __future__ import annotations

from typing import Any

import numpy as np

from plenilune.bots.thought import Budget, Stop, Thought
from plenilune.game import Game


def think(game: Game, seen: Any, seat: int, budget: Budget, seed: int, stop: Stop) -> Thought:
    from plenilune.engine import below, generator  # compiled code is loaded when it is needed, not before

    out = np.zeros(game.actions.size, np.int32)
    count = game.legal(seen, out)
    action = int(sorted(out[:count])[below(generator(seed % 2**64), count)])
    seats = int(seen.seats)
    return Thought(action, [1 / seats] * seats)
