"""Learn a game's evaluation by self-play: `python -m benchmarks.train GAME [MATCHES [SEATS]]` writes its weights.

The players take the turn after which they like the position best, now and then a random action; after each match every
position of it is shown to the weights with the seat that won, or, where it is played alone, with what it was worth.
"""

from __future__ import annotations

import importlib
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import Progress

from plenilune import load
from plenilune.bots.tree import judge
from plenilune.engine import apply, below, generator, generic, legal, notes, register, rule
from plenilune.game import Game
from plenilune.record import CHANCE, OVER

MATCHES, ROUNDS = 40_000, 100
FIRST_RATE, LAST_RATE = 0.02, 0.0005
RANDOM = 20  # one turn in so many is random
DEEPEST = 3  # plies of a turn
look, learn = generic("look"), generic("learn")
values_notes, won_notes = notes((4,), np.float64), notes((4,), np.float64)


@rule
def self_play(
    start: Any, past: Any, trial: Any, out: Any, left: Any, weights: Any, rate: float, matches: int, rng: Any
) -> None:
    values, won = values_notes(), won_notes()
    for _ in range(matches):
        past[0] = start[0]
        plies = 0
        while past[plies].to_play != OVER and plies + 1 < len(past):
            action = choose(past[plies], trial, out, left, weights, values, rng)
            past[plies + 1] = past[plies]
            plies += 1
            apply(past[plies], action)
        judge(past[plies], won)
        for ply in range(plies):
            learn(past[ply], weights, values, won, rate)


@rule
def choose(s: Any, trial: Any, out: Any, left: Any, weights: Any, values: Any, rng: Any) -> int:
    n = legal(s, out[0])
    if s.to_play == CHANCE or n == 1 or below(rng, RANDOM) == 0:
        return int(out[0][below(rng, n)])
    return best(s, n, trial, out, left, weights, values)


@rule
def best(s: Any, n: int, trial: Any, out: Any, left: Any, weights: Any, values: Any) -> int:
    """Of the `n` actions in the first row of `out`, the one that begins the best turn: depth first over the plies of
    one seat, as deep as there are places in `left`, with one more in `trial`."""
    seat, depth, first, found, found_value = s.to_play, 0, -1, -1, -math.inf
    trial[0] = s
    left[0] = n
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        if depth == 0:
            first = out[0][left[0]]
        trial[depth + 1] = trial[depth]
        apply(trial[depth + 1], out[depth][left[depth]])
        if trial[depth + 1].to_play == seat and depth + 1 < len(left):
            depth += 1
            left[depth] = legal(trial[depth], out[depth])
            continue
        if trial[depth + 1].to_play == OVER:
            judge(trial[depth + 1], values)
        else:
            look(trial[depth + 1], weights, values)
        if values[seat] > found_value:
            found, found_value = first, values[seat]
    return int(found)


def part(game: Game, name: str) -> Any:
    return importlib.import_module(f"plenilune.games.{game.name.replace('-', '_')}.{name}")


def unlearned(game: Game, seats: int) -> tuple[Path, Any]:
    """The file for the weights of so many seats, and what is in it, but for these."""
    if seats == 1:
        own = part(game, "alone")
        return own.FILE, own.first_guess()
    own = part(game, "evaluate")
    weights = np.load(own.FILE) if own.FILE.exists() else np.zeros(own.SHAPE, np.float32)
    weights[seats] = 0
    return own.FILE, weights


def main() -> None:
    game = load(sys.argv[1])
    matches = int(sys.argv[2]) if len(sys.argv) > 2 else MATCHES
    seat_counts = [int(sys.argv[3])] if len(sys.argv) > 3 else list(game.seats)
    own = part(game, "evaluate")
    register(game.State.dtype, {"look": own.look, "learn": own.learn})
    past, trial = np.zeros(game.bound + 1, game.State.dtype), np.zeros(DEEPEST + 1, game.State.dtype)
    out, left, rng = np.zeros((DEEPEST, game.actions.size), np.int32), np.zeros(DEEPEST, np.int32), generator(1)
    with Progress() as progress:
        for seats in seat_counts:
            file, weights = unlearned(game, seats)
            start = np.zeros(1, game.State.dtype)
            game.setup(start[0], seats, np.zeros(len(game.options), np.int32))
            for done in progress.track(range(ROUNDS), description=f"{game.title}, {seats} seats"):
                rate = FIRST_RATE * (LAST_RATE / FIRST_RATE) ** (done / ROUNDS)
                self_play(start, past, trial, out, left, weights, rate, matches // ROUNDS, rng)
            np.save(file, weights)


if __name__ == "__main__":
    main()
