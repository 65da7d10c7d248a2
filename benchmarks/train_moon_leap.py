"""Learn Moon Leap's evaluation by self-play: `python -m benchmarks.train_moon_leap [MATCHES]` writes its weights.

The players take the action after which they like the position best, now and then a random one; after each match every
position of it is shown to the weights with the seat that won.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from rich.progress import Progress

from plenilune.bots.tree import win_shares
from plenilune.engine import apply, below, generator, legal, rule
from plenilune.games.moon_leap import GAME
from plenilune.games.moon_leap.evaluate import FILE, SHAPE, leaping, look, standing
from plenilune.games.moon_leap.rules import PAWNS, empty_goals
from plenilune.record import CHANCE, OVER

MATCHES, ROUND = 400_000, 4_000
FIRST_RATE, LAST_RATE = 0.02, 0.0005
RANDOM = 20  # one action in so many is random


@rule
def self_play(start: Any, past: Any, trial: Any, out: Any, weights: Any, rate: float, matches: int, rng: Any) -> None:
    values, won = np.zeros(4), np.zeros(4)
    for _ in range(matches):
        s = past[0]
        past[0] = start[0]
        plies = 0
        while past[plies].to_play != OVER and plies + 1 < len(past):
            action = choose(past[plies], trial, out, weights, values, rng)
            past[plies + 1] = past[plies]
            plies += 1
            s = past[plies]
            apply(s, action)
        win_shares(past[plies], won)
        for ply in range(plies):
            if past[ply].to_play == CHANCE:
                learn(past[ply], weights, values, won, rate)


@rule
def choose(s: Any, trial: Any, out: Any, weights: Any, values: Any, rng: Any) -> int:
    n = legal(s, out)
    if s.to_play == CHANCE or n == 1 or below(rng, RANDOM) == 0:
        return out[below(rng, n)]
    best, best_value = 0, -1.0
    for i in range(n):
        trial[0] = s
        apply(trial[0], out[i])
        if trial[0].to_play == OVER:
            win_shares(trial[0], values)
        else:
            look(trial[0], weights, values)
        if values[s.to_play] > best_value:
            best, best_value = i, values[s.to_play]
    return out[best]


@rule
def learn(s: Any, weights: Any, values: Any, won: Any, rate: float) -> None:
    look(s, weights, values)
    goals = empty_goals(s)
    for seat in range(s.seats):
        step = rate * (won[seat] - values[seat])
        if seat == s.mover:
            weights[s.seats, goals, 0, 0] += step
        for pawn in range(1, PAWNS + 1):
            space = s.where[seat, pawn]
            weights[s.seats, goals, pawn, standing(space)] += step
            weights[s.seats, goals, pawn, leaping(s, space)] += step


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    weights, rng = np.zeros(SHAPE, np.float32), generator(1)
    past, trial = np.zeros(1_000, GAME.State.dtype), np.zeros(1, GAME.State.dtype)
    out = np.zeros(GAME.actions.size, np.int32)
    with Progress() as progress:
        for seats in GAME.seats:
            start = np.zeros(1, GAME.State.dtype)
            GAME.setup(start[0], seats, np.zeros(0, np.int32))
            bar, began = progress.add_task(f"{seats} seats", total=matches), time.perf_counter()
            for done in range(0, matches, ROUND):
                rate = FIRST_RATE * (LAST_RATE / FIRST_RATE) ** (done / matches)
                self_play(start, past, trial, out, weights, rate, ROUND, rng)
                progress.update(bar, advance=ROUND)
            progress.print(f"{seats} seats: {matches / (time.perf_counter() - began):,.0f} matches/s")
    np.save(FILE, weights)


if __name__ == "__main__":
    main()
