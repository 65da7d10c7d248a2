"""The bot called `random`: any legal action, all equally likely. Other bots can slip: play like it now and then."""

from __future__ import annotations

from typing import Any

from plenilune.bots.thought import Budget, Stop, Think, Thought
from plenilune.game import Game
from plenilune.position import legal

SLIP = 0x5119  # added to a seed: whether it is a slip says nothing about which
RESOLUTION = 1 << 20


def think(game: Game, seen: Any, seat: int, budget: Budget, seed: int, stop: Stop) -> Thought:
    from plenilune.core.engine import below, generator  # compiled code is loaded when it is needed, not before

    actions = legal(game, seen)
    action = actions[below(generator(seed % 2**64), len(actions))]
    seats = int(seen.seats)
    return Thought(action, [1 / seats] * seats)


def slipping(serious: Think, share: float) -> Think:
    """Plays at random that share of the time, and otherwise thinks."""

    def either(game: Game, seen: Any, seat: int, budget: Budget, seed: int, stop: Stop) -> Thought:
        from plenilune.core.engine import below, generator

        slips = below(generator((seed + SLIP) % 2**64), RESOLUTION) < share * RESOLUTION
        return (think if slips else serious)(game, seen, seat, budget, seed, stop)

    return either
