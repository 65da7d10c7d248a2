"""Evaluates a position of Moon Leap: each seat's chance to win, from weights learned by self-play.

A seat's prospects are a sum over its pawns: a weight for where each stands, and one for how far it would leap next.
Both depend on the number of seats and on how many of the last three spaces are still empty. The chances are the softmax
of the prospects. `plenilune train moon-leap` learns the weights.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from plenilune.core.drivers import chances
from plenilune.core.engine import rule
from plenilune.games.moon_leap.rules import GOAL, NOWHERE, PAWNS, State, empty_goals, landing
from plenilune.games.moon_leap.tables import SPACES

TRAINED_SPACES = 37  # other tracks are looked at as if their end were this one's
LEAPS = 8  # leaps of 0 (stuck) to 7 or more spaces
FILE = Path(__file__).with_name("weights.npy")
# By seats, empty goals, pawn, and where or how far. Pawn 0, which does not exist, is the right to roll next.
SHAPE = (5, GOAL + 1, PAWNS + 1, TRAINED_SPACES + 1 + LEAPS)
WEIGHTS = np.load(FILE) if FILE.exists() else np.zeros(SHAPE, np.float32)


@rule
def prospects(s: State, seat: int, weights: Any) -> float:
    goals = empty_goals(s)
    total = float(weights[s.seats, goals, 0, 0]) if seat == s.mover else 0.0
    for pawn in range(1, PAWNS + 1):
        space = s.where[seat, pawn]
        total += float(weights[s.seats, goals, pawn, standing(space)])
        total += float(weights[s.seats, goals, pawn, leaping(s, space)])
    return total


@rule
def standing(space: int) -> int:
    """The place of a pawn's space among its weights: counted from the end of the track."""
    return max(0, TRAINED_SPACES - (SPACES - space)) if space > 0 else 0


@rule
def leaping(s: State, space: int) -> int:
    there = landing(s, space)
    return TRAINED_SPACES + 1 + (0 if there == NOWHERE else min(there - space, LEAPS - 1))


@rule
def evaluate(s: State, out: Any) -> None:
    evaluate_with(s, WEIGHTS, out)


@rule
def evaluate_with(s: State, weights: Any, out: Any) -> None:
    for seat in range(s.seats):
        out[seat] = prospects(s, seat, weights)
    chances(out, s.seats, 1.0)


@rule
def learn(s: State, weights: Any, values: Any, won: Any, rate: float) -> None:
    """One gradient step of the weights from their estimate towards the result."""
    evaluate_with(s, weights, values)
    goals = empty_goals(s)
    for seat in range(s.seats):
        step = rate * (won[seat] - values[seat])
        if seat == s.mover:
            weights[s.seats, goals, 0, 0] += step
        for pawn in range(1, PAWNS + 1):
            space = s.where[seat, pawn]
            weights[s.seats, goals, pawn, standing(space)] += step
            weights[s.seats, goals, pawn, leaping(s, space)] += step
