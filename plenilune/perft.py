"""Perft: how many positions there are after so many plies, to compare one implementation of a game with another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from plenilune.dice import Dice
from plenilune.errors import BadSetting
from plenilune.game import Game
from plenilune.match import Match

DEEPEST = 64


def start(game: Game | str, seats: int, seed: str, after: int = 0, **options: str) -> Match:
    """A match at its first decision of a seat `after` so many plies, which the seed plays for everybody: at every ply
    its dice pick among the legal actions, the seats' too."""
    if after < 0:
        raise BadSetting(f"a number of plies is 0 or more, not {after}")
    match, dice = Match(game, seats, seed, **options), Dice(seed)
    while match.ply < after and not match.over:
        match.play(match.game.actions.text(dice.pick(match.ply, match.legal_numbers())))
    return match


def perft(match: Match, depth: int) -> Iterator[int]:
    """The number of ways to play 1, 2 … `depth` plies from here, every outcome of chance counted as one.

    >>> list(perft(start("moon-leap", 2, "perft"), 3))
    [1, 6, 10]
    """
    from plenilune import search

    if not 1 <= depth <= DEEPEST:
        raise BadSetting(f"a depth is 1 to {DEEPEST}, not {depth}")
    for deepest in range(1, depth + 1):
        states = np.zeros(deepest + 1, match.game.State.dtype)
        states[0] = match.state
        counts, left = np.zeros(deepest, np.int64), np.zeros(deepest, np.int32)
        actions = np.zeros((deepest, match.game.actions.size), np.int32)
        search.perft(states, actions, left, counts)
        yield int(counts[-1])
