"""What a bot is asked and what it answers."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

from plenilune.core.errors import BadSetting
from plenilune.core.record import CHANCE, OVER
from plenilune.game import Game
from plenilune.position import hidden

MOST_THREADS = 64


@dataclass(frozen=True)
class Budget:
    """How much a bot may think about one decision; 0: no limit of that kind."""

    simulations: int = 0
    seconds: float = 0.0
    threads: int = 1

    def __post_init__(self) -> None:
        whole = isinstance(self.simulations, Integral) and isinstance(self.threads, Integral)
        if (
            not (whole and isinstance(self.seconds, Real))
            or self.simulations < 0
            or not 0 <= self.seconds < math.inf
            or not 1 <= self.threads <= MOST_THREADS
        ):
            raise BadSetting(f"a budget is some simulations, seconds and 1 to {MOST_THREADS} threads, not {self}")


@dataclass(frozen=True)
class Thought:
    """An action, and what the bot knows about it."""

    action: int
    values: list[float]  # each seat's chance to win, if everybody plays well
    visits: dict[int, int] = field(default_factory=dict)  # of each action
    worth: dict[int, float] = field(default_factory=dict)  # the value of each action to the seat
    line: list[int] = field(default_factory=list)  # the principal variation, its own action first
    simulations: int = 0
    solved: bool = False  # the values are exact


Stop = Callable[[], bool]  # called every few milliseconds: whether to stop; it may take its time, which does not count
Think = Callable[[Game, Any, int, Budget, int, Stop], Thought]


def never() -> bool:
    return False


def seed_of(seen: Any) -> int:
    """A default seed: the same for all states that look the same to the seat."""
    return zlib.crc32(seen.tobytes())


@dataclass(frozen=True)
class Bot:
    name: str
    budget: Budget
    _think: Think
    _remembering: Callable[[], Think] | None = None

    def sit(self) -> Bot:
        """The same bot for one seat of one match, whose decisions it is asked for in turn: it may go on from what it
        knows already."""
        return self if self._remembering is None else Bot(self.name, self.budget, self._remembering())

    def think(self, game: Game, seen: Any, seat: int, seed: int | None = None, stop: Stop = never) -> Thought:
        """An action for the seat whose turn it is, from what it has seen; the same for the same seed unless the
        budget is time or several threads. Without a seed, what is seen is the seed."""
        if seen.to_play != seat:
            who = {OVER: "the match is over", CHANCE: "chance is to play"}
            what = who.get(int(seen.to_play), f"seat {seen.to_play + 1} is to play")
            raise BadSetting(f"{self.name} was asked to play for seat {seat + 1}, but {what}")
        seen = hidden(game, seen, seat)  # whatever else they were handed is forgotten
        return self._think(game, seen, seat, self.budget, seed_of(seen) if seed is None else seed, stop)
