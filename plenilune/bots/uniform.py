"""The bot called `random`: any legal action, all equally likely."""

from __future__ import annotations

from typing import Any

import numpy as np

from plenilune.game import Game


def uniform(game: Game, seen: Any, seat: int, seed: int) -> int:
    from plenilune.engine import below, generator  # compiled code is loaded when a match is, not before

    out = np.zeros(game.actions.size, np.int32)
    count = game.legal(seen, out)
    return int(sorted(out[:count])[below(generator(seed), count)])
