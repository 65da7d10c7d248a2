"""Who plays whom: the pairs of bots, their seats, and the dice of each match."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from plenilune.bots import load as load_bot
from plenilune.core.dice import Dice
from plenilune.core.errors import BadSetting
from plenilune.game import Game, load


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    game: str
    bots: tuple[str, ...]
    seats: int = 2
    options: Mapping[str, str] = field(default_factory=dict)
    games: int = 100  # matches for each pair of bots, rounded up to whole sets
    seed: str = "arena"

    @property
    def sets(self) -> int:
        return -(-self.games // self.seats)


class Fixture(NamedTuple):
    """One match of the plan. The same seed means the same dice."""

    seed: str
    bots: tuple[str, ...]  # by seat


def check(plan: Plan) -> Game:
    """The plan's game; refuses a plan that cannot be played."""
    game = load(plan.game)
    game.choices(plan.seats, plan.options)
    for name in plan.bots:
        load_bot(name, game)
    if twice := [name for name in plan.bots if plan.bots.count(name) > 1]:
        raise BadSetting(f"a bot is named once, not twice: {twice[0]}")
    if len(plan.bots) < min(plan.seats, 2):
        raise BadSetting("an arena is for two bots or more")
    if plan.games < 1:
        raise BadSetting(f"the number of matches is 1 or more, not {plan.games}")
    Dice(plan.seed)
    return game


def pairs(bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Who plays whom: every pair of bots. In a game played alone, every bot by itself.

    >>> pairs("abc", seats=2), pairs("ab", seats=1)
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], [('a',), ('b',)])
    """
    return list(itertools.combinations(bots, min(seats, 2)))


def seatings(pair: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Every way for a pair to sit: the first at each seat in turn, the second everywhere else.

    >>> seatings("ab", 2), seatings("ab", 3)
    ([('a', 'b'), ('b', 'a')], [('a', 'b', 'b'), ('b', 'a', 'b'), ('b', 'b', 'a')])
    """
    first, second = pair[0], pair[-1]
    return [tuple(first if seat == own else second for seat in range(seats)) for own in range(seats)]


def fixtures(plan: Plan, pair: Sequence[str], number: int) -> list[Fixture]:
    """The matches of one set.

    >>> fixtures(Plan("moon-leap", ("a", "b"), seed="s"), "ab", 7)
    [Fixture(seed='s 7', bots=('a', 'b')), Fixture(seed='s 7', bots=('b', 'a'))]
    """
    return [Fixture(f"{plan.seed} {number}", bots) for bots in seatings(pair, plan.seats)]


def schedule(plan: Plan) -> Iterator[Fixture]:
    """All the matches; every pair has its first set before any has its second."""
    for number in range(1, plan.sets + 1):
        for pair in pairs(plan.bots, plan.seats):
            yield from fixtures(plan, pair, number)
