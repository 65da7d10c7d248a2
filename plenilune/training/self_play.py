"""Learn a game's evaluation by self-play.

The players take the turn after which they evaluate the position best, now and then a random action (epsilon-greedy).
After each match the weights take a step of stochastic gradient descent for every position of it, towards its result:
who won, or the value of the score where it is played alone (a Monte-Carlo target, as TD(1); Sutton 1988, "Learning to
predict by the methods of temporal differences").
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from rich.progress import Progress

from plenilune.bots.search.evaluation import state_values
from plenilune.bots.search.turns import next_turn
from plenilune.core.engine import apply, below, generator, generic, legal, register, rule
from plenilune.core.record import CHANCE, OVER
from plenilune.game import Game
from plenilune.training.weights import part, weights_in

MATCHES, ROUNDS = 40_000, 100
FIRST_RATE, LAST_RATE = 0.02, 0.0005
RANDOM = 20  # one turn in so many is random
DEEPEST = 3  # plies of a turn
evaluate_with, learn = generic("evaluate_with"), generic("learn")


@rule
def self_play(
    start: Any,
    positions: Any,
    trial: Any,
    out: Any,
    left: Any,
    values: Any,
    won: Any,
    weights: Any,
    rate: float,
    matches: int,
    rng: Any,
) -> None:
    """Play matches, and after each let the weights learn from every position of it; all but `start`, `weights`, `rate`
    and `matches` is scratch."""
    for _ in range(matches):
        positions[0] = start[0]
        plies = 0
        while positions[plies].to_play != OVER and plies + 1 < len(positions):
            action = choose(positions[plies], trial, out, left, weights, values, rng)
            positions[plies + 1] = positions[plies]
            plies += 1
            apply(positions[plies], action)
        state_values(positions[plies], won)
        for ply in range(plies):
            learn(positions[ply], weights, values, won, rate)


@rule
def choose(s: Any, trial: Any, out: Any, left: Any, weights: Any, values: Any, rng: Any) -> int:
    n = legal(s, out[0])
    if s.to_play == CHANCE or n == 1 or below(rng, RANDOM) == 0:
        return int(out[0][below(rng, n)])
    return best_action(s, n, trial, out, left, weights, values)


@rule
def best_action(s: Any, n: int, trial: Any, out: Any, left: Any, weights: Any, values: Any) -> int:
    """Of the `n` actions in the first row of `out`, the one that begins the best turn (`trial`, `out`, `left`: see
    `next_turn`)."""
    seat, found, found_value = s.to_play, -1, -math.inf
    trial[0], left[0] = s, n
    depth = next_turn(trial, out, left, 0)
    while depth >= 0:
        if trial[depth + 1].to_play == OVER:
            state_values(trial[depth + 1], values)
        else:
            evaluate_with(trial[depth + 1], weights, values)
        if values[seat] > found_value:
            found, found_value = out[0][left[0]], values[seat]
        depth = next_turn(trial, out, left, depth)
    return int(found)


Trained = Iterator[tuple[int, Path, Any]]  # the number of seats, the file for the weights, and all that is in it


class Method(Protocol):
    """A module that trains."""

    MATCHES: int

    def train(
        self, game: Game, seat_counts: Iterable[int], matches: int, folder: Path | None, progress: Progress
    ) -> Trained: ...


def unlearned(game: Game, seats: int, folder: Path | None) -> tuple[Path, Any]:
    """The file for the weights of so many seats, and what is in it, but for these."""
    if seats == 1:
        own = part(game, "solo")
        return own.FILE, own.first_guess()
    own = part(game, "evaluate")
    weights = weights_in(own.FILE, folder, own.SHAPE)
    weights[seats] = 0
    return own.FILE, weights


def train(game: Game, seat_counts: Iterable[int], matches: int, folder: Path | None, progress: Progress) -> Trained:
    own = part(game, "evaluate")
    register(game.State.dtype, {"evaluate_with": own.evaluate_with, "learn": own.learn})
    positions, trial = np.zeros(game.bound + 1, game.State.dtype), np.zeros(DEEPEST + 1, game.State.dtype)
    out, left, rng = np.zeros((DEEPEST, game.actions.size), np.int32), np.zeros(DEEPEST, np.int32), generator(1)
    values, won = np.zeros(max(game.seats)), np.zeros(max(game.seats))
    for seats in seat_counts:
        file, weights = unlearned(game, seats, folder)
        start = np.zeros(1, game.State.dtype)
        game.setup(start[0], seats, np.zeros(len(game.options), np.int32))
        rounds = min(ROUNDS, matches)
        for done in progress.track(range(rounds), description=f"{game.title}, {seats} seats"):
            rate = FIRST_RATE * (LAST_RATE / FIRST_RATE) ** (done / rounds)
            self_play(start, positions, trial, out, left, values, won, weights, rate, matches // rounds, rng)
        yield seats, file, weights
