"""Evaluates a position of solo Nova Luna: the score it will end with, from weights learned by self-play.

The numbers of the tiles laid, and of the one in the hand, count as often as they will. What is still to come is a sum:
a weight for the tokens left, one for the tiles left on the wheel, one for the tile in the hand, and one for each open
task by how many tiles it lacks and whether they are to be had. The weights depend on the phase and on how many tokens
are left. `plenilune train nova-luna --seats 1` learns them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from plenilune.core.engine import rule
from plenilune.core.maths import exp
from plenilune.core.record import OVER
from plenilune.games.nova_luna.rules import FILL, PHASE_1, SLOTS, SOLO_AIM, State, helpers, score, sum_of_numbers
from plenilune.games.nova_luna.tables import ASKED, BITS, COLOURS, COUNT, NEVER, NO_TILE, NUMBER, SHIFT, TASKS

PAR, SPREAD = 100.0, 25.0  # the score that is worth one half, and how much better is worth nearly three quarters
STAGE = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5], np.int32)  # by tokens left
STAGES = int(STAGE[-1]) + 1
FILLING = SLOTS  # where the wheel is to be filled, in place of how many tiles are left on it
NUMBERS, MISSING = 8, 8  # on a tile in the hand, 0 is none; tiles missing to a task
SCARCE, TO_BE_HAD, TO_BE_DRAWN = range(3)  # whether the wheel, or the hand, has the tiles that a task lacks
WHEEL = len(STAGE)  # where each begins among the weights; those for the tokens left come first
HAND = WHEEL + FILLING + 1
GAPS = HAND + NUMBERS
SHAPE = (2, STAGES, GAPS + MISSING * (TO_BE_DRAWN + 1))  # by phase
FILE = Path(__file__).with_name("solo.npy")
STEP = 100.0  # points: how much larger weights in points are than those that add up to chances
GAP_STEP = 0.2  # of that for each task: there are several


def first_guess() -> Any:
    """Every token left will cost four points, and the first eight of them in both sums."""
    weights, left = np.zeros(SHAPE, np.float32), np.arange(len(STAGE))
    weights[:, :, :WHEEL] = 4 * left
    weights[0, :, :WHEEL] += 4 * np.maximum(0, left - (left[-1] - SOLO_AIM))
    return weights


WEIGHTS = np.load(FILE) if FILE.exists() else first_guess()


@rule
def evaluate_with(s: State, weights: Any, out: Any) -> None:
    out[0] = 1 / (1 + exp((prospects(s, weights) - PAR) / SPREAD))


@rule
def prospects(s: State, weights: Any) -> float:
    """The score in the end."""
    if s.to_play == OVER:
        return float(score(s, 0))
    mine = weights[s.phase - 1, STAGE[s.tokens[0]]]
    laid = sum_of_numbers(s) + NUMBER[s.hand]
    total = float(laid + (laid if s.phase == PHASE_1 else s.sum_1))
    total += float(mine[s.tokens[0]] + mine[WHEEL + on_wheel(s)] + mine[HAND + NUMBER[s.hand]])
    at_hand = to_be_had(s)
    for i in range(s.laid[0]):
        tile = s.tiles[i]
        have = helpers(s, tile)
        for task in range(TASKS):
            if is_open(s, tile, task):
                total += float(mine[gap(s, ASKED[tile, task], have, at_hand)])
    return total


@rule
def learn(s: State, weights: Any, values: Any, won: Any, rate: float) -> None:
    """One step of the weights towards what the match was worth, from what they took the position for."""
    evaluate_with(s, weights, values)
    mine = weights[s.phase - 1, STAGE[s.tokens[0]]]
    step = STEP * rate * (values[0] - won[0])
    mine[s.tokens[0]] += step
    mine[WHEEL + on_wheel(s)] += step
    mine[HAND + NUMBER[s.hand]] += step
    at_hand = to_be_had(s)
    for i in range(s.laid[0]):
        tile = s.tiles[i]
        have = helpers(s, tile)
        for task in range(TASKS):
            if is_open(s, tile, task):
                mine[gap(s, ASKED[tile, task], have, at_hand)] += GAP_STEP * step


@rule
def is_open(s: State, tile: int, task: int) -> bool:
    return ASKED[tile, task] != NEVER and not s.covered[tile] >> task & 1


@rule
def on_wheel(s: State) -> int:
    return FILLING if s.step == FILL else int(s.on_wheel)


@rule
def to_be_had(s: State) -> int:
    """The tiles of each colour on the wheel and in the hand, as four counts in one number."""
    counts = 0
    for slot in range(SLOTS):
        if s.wheel[slot] != NO_TILE:
            counts += 1 << SHIFT[s.wheel[slot]]
    return counts + (1 << SHIFT[s.hand] if s.hand != NO_TILE else 0)


@rule
def gap(s: State, asked: int, have: int, at_hand: int) -> int:
    """Where the weight of an open task is."""
    missing, kind = 0, TO_BE_DRAWN if s.step == FILL else TO_BE_HAD
    for colour in range(len(COLOURS)):
        lacks = max(0, (asked >> BITS * colour & COUNT) - (have >> BITS * colour & COUNT))
        missing += lacks
        if kind == TO_BE_HAD and lacks > at_hand >> BITS * colour & COUNT:
            kind = SCARCE
    return GAPS + kind * MISSING + min(missing, MISSING - 1)
