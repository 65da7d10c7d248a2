"""Who plays when no person does. A bot gets what its seat has seen, never the truth.

Names carry strength: `random`, `greedy`, `mcts:10000` (so many simulations a decision), `mcts:500ms` (so much time),
and the levels of a game, `beginner casual strong master`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from plenilune.bots import greedy, mcts, uniform
from plenilune.bots.thought import Bot, Budget, Stop, Think, Thought
from plenilune.core.errors import BadSetting
from plenilune.game import Game, Level

__all__ = ["Bot", "Budget", "Thought", "load"]

SEARCH = re.compile(r"mcts:([1-9][0-9]{0,8})(ms)?")
SIMPLE = {"random": uniform.think, "greedy": greedy.think}


def load(name: str, game: Game) -> Bot:
    """The bot of that name, for that game."""
    name, asked = name if isinstance(name, str) else "", name
    if name in SIMPLE:
        return Bot(name, Budget(), SIMPLE[name])
    if level := game.levels.get(name):
        budget, think = Budget(simulations=level.simulations), partial(_at_level, level)
        return Bot(name, budget, think(mcts.think), lambda: think(mcts.remembering()))
    if found := SEARCH.fullmatch(name):
        number, time = int(found[1]), found[2]
        budget = Budget(seconds=number / 1000) if time else Budget(simulations=number)
        return Bot(name, budget, mcts.think, mcts.remembering)
    there = ", ".join(["random", "greedy", *game.levels, "mcts:10000", "mcts:500ms"])
    raise BadSetting(f"no such bot for {game.name}: {asked!r}; there are: {there}")


def _at_level(level: Level, serious: Think) -> Think:
    """Thinks as much as the level does with so many seats; now and then it slips."""

    def think(game: Game, seen: Any, seat: int, budget: Budget, seed: int, stop: Stop) -> Thought:
        return serious(game, seen, seat, replace(budget, simulations=level.at(int(seen.seats))), seed, stop)

    return uniform.slipping(think, level.slips)
