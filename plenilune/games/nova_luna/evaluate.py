"""Evaluates a position of Nova Luna: each seat's chance to win, from weights learned by self-play.

A seat's prospects are a sum: a weight for its tokens left, one for how far it is ahead on the track, one for being the
next to move, one for the tile in its hand, and one for each task of its tiles by how many tiles it still lacks.
The weights depend on the number of seats and on how many tiles are still to come. The chances are the softmax of the
prospects.
`plenilune train nova-luna` learns the weights. `solo.py` evaluates a match played alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from plenilune.core.drivers import chances
from plenilune.core.engine import rule
from plenilune.games.nova_luna import solo
from plenilune.games.nova_luna.rules import State, first_laid, helpers
from plenilune.games.nova_luna.tables import ASKED, BITS, COUNT, NEVER, NO_TILE, NUMBER, TASKS, TILES

STAGES = 4  # by how many tiles are neither laid nor in a hand
TOKENS, LEADS, MISSING = 22, 8, 8  # tokens left; steps ahead of the last; tiles missing to a task
NUMBERS = 8  # on a tile in the hand; 0 is none
LEAD, TURN, HAND = TOKENS, TOKENS + LEADS, TOKENS + LEADS + 1  # where each begins among the weights
GAPS = HAND + NUMBERS
SHAPE = (5, STAGES, GAPS + MISSING)
FILE = Path(__file__).with_name("weights.npy")
WEIGHTS = np.load(FILE) if FILE.exists() else np.zeros(SHAPE, np.float32)


@rule
def evaluate(s: State, out: Any) -> None:
    if s.seats == 1:
        solo.evaluate_with(s, solo.WEIGHTS, out)
    else:
        evaluate_with(s, WEIGHTS, out)


@rule
def evaluate_with(s: State, weights: Any, out: Any) -> None:
    if s.seats == 1:
        solo.evaluate_with(s, weights, out)
        return
    for seat in range(s.seats):
        out[seat] = prospects(s, seat, weights)
    chances(out, s.seats, 1.0)


@rule
def prospects(s: State, seat: int, weights: Any) -> float:
    mine = weights[s.seats, stage(s)]
    total = float(mine[s.tokens[seat]] + mine[LEAD + lead(s, seat)])
    if s.order[0] == seat:
        total += mine[TURN]
    if s.hand != NO_TILE and s.to_play == seat:
        total += mine[HAND + NUMBER[s.hand]]
    first = first_laid(s, seat)
    for i in range(first, first + s.laid[seat]):
        tile = s.tiles[i]
        have = helpers(s, tile)
        for task in range(TASKS):
            total += mine[GAPS + missing(s, tile, task, have)]
    return total


@rule
def learn(s: State, weights: Any, values: Any, won: Any, rate: float) -> None:
    """One step of the weights towards who won, from what they took the position for."""
    if s.seats == 1:
        solo.learn(s, weights, values, won, rate)
        return
    if s.on_track < s.seats:
        return
    evaluate_with(s, weights, values)
    mine = weights[s.seats, stage(s)]
    for seat in range(s.seats):
        step = rate * (won[seat] - values[seat])
        mine[s.tokens[seat]] += step
        mine[LEAD + lead(s, seat)] += step
        if s.order[0] == seat:
            mine[TURN] += step
        if s.hand != NO_TILE and s.to_play == seat:
            mine[HAND + NUMBER[s.hand]] += step
        first = first_laid(s, seat)
        for i in range(first, first + s.laid[seat]):
            tile = s.tiles[i]
            have = helpers(s, tile)
            for task in range(TASKS):
                gap = missing(s, tile, task, have)
                if gap > 0:
                    mine[GAPS + gap] += 0.2 * step


@rule
def stage(s: State) -> int:
    return min(STAGES - 1, (s.in_supply + s.on_wheel) * STAGES // TILES)


@rule
def lead(s: State, seat: int) -> int:
    """How far the seat is ahead of the last one."""
    last = s.distance[seat]
    for other in range(s.seats):
        last = min(last, s.distance[other])
    return min(int(s.distance[seat]) - int(last), LEADS - 1)


@rule
def missing(s: State, tile: int, task: int, have: int) -> int:
    """How many more tiles the task asks for; 0 if there is none or it is covered."""
    asked = ASKED[tile, task]
    if asked == NEVER or s.covered[tile] >> task & 1:
        return 0
    gap = 0
    for colour in range(4):
        gap += max(0, (asked >> BITS * colour & COUNT) - (have >> BITS * colour & COUNT))
    return min(gap, MISSING - 1)
