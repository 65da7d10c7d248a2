"""The bot called `greedy`: the turn that leaves its seat best off at once, by the game's quick look at a position."""

from __future__ import annotations

from typing import Any

import numpy as np

from plenilune.bots.thought import Budget, Stop, Thought
from plenilune.game import Game

MOST_PLIES = 6  # of one turn
PARTS = 20  # functions it is compiled from, about


def think(game: Game, seen: Any, seat: int, budget: Budget, seed: int, stop: Stop) -> Thought:
    from plenilune.bots.tree import greedy_turn
    from plenilune.compiling import first_use
    from plenilune.engine import generator

    rng = generator(seed % 2**64)
    states = np.zeros(MOST_PLIES + 1, game.State.dtype)
    states[0] = seen
    game.resample(states[0], seat, rng)
    actions = np.zeros((MOST_PLIES, game.actions.size), np.int32)
    left, values = np.zeros(MOST_PLIES, np.int32), np.zeros(4)
    first_use(game, greedy_turn, lambda: greedy_turn(states, actions, left, values, seat, generator(0)), PARTS)
    action = greedy_turn(states, actions, left, values, seat, rng)
    own, others = float(values[seat]), int(seen.seats) - 1
    return Thought(int(action), [own if s == seat else (1 - own) / others for s in range(others + 1)])
