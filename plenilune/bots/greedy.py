"""The bot called `greedy`: the action after which the game's `evaluate` gives its seat the best chance to win."""

from __future__ import annotations

from typing import Any

import numpy as np

from plenilune.bots.thought import Budget, Stop, Thought
from plenilune.game import Game

COMPILED_FUNCTIONS = 20  # about, for the progress bar


def think(game: Game, seen: Any, seat: int, budget: Budget, seed: int, stop: Stop) -> Thought:
    from plenilune.bots.search.one_ply import greedy_action
    from plenilune.core.compiling import first_use
    from plenilune.core.engine import generator

    rng, states = generator(seed % 2**64), np.zeros(2, game.State.dtype)
    states[0] = seen
    game.resample(states[0], seat, rng)
    actions, values = np.zeros(game.actions.size, np.int32), np.zeros(max(game.seats))
    first_use(
        game,
        greedy_action,
        lambda: greedy_action(states[0], states[1:], actions, values, generator(0)),
        COMPILED_FUNCTIONS,
    )
    action = greedy_action(states[0], states[1:], actions, values, rng)
    own, others = float(values[seat]), int(seen.seats) - 1
    return Thought(int(action), [own if s == seat else (1 - own) / others for s in range(others + 1)])
