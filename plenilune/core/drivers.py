"""Compiled drivers that work on any game's state."""

from __future__ import annotations

import math
from typing import Any

from plenilune.core.engine import apply, below, legal, rule
from plenilune.core.maths import exp
from plenilune.core.record import OVER

ENDLESS = 1_000_000_000


@rule
def playout(s: Any, actions: Any, rng: Any, most: int) -> int:
    """Play random legal actions, chance's and the seats', to the end or so many; returns how many."""
    plies = 0
    while s.to_play != OVER and plies < most:
        n = legal(s, actions)
        apply(s, actions[below(rng, n)])
        plies += 1
    return plies


@rule
def playouts(start: Any, s: Any, actions: Any, rng: Any, at_least: int) -> int:
    """Whole random matches from `start`, in the scratch records `s`, until so many plies have been played."""
    plies = 0
    while plies < at_least:
        s[0] = start[0]
        plies += playout(s[0], actions, rng, ENDLESS)
    return plies


@rule
def perft(states: Any, actions: Any, left: Any, counts: Any) -> None:
    """Count the positions after 1, 2 … len(counts) plies from states[0], one for every way to get there.

    Depth first, without recursion: states[d] is the position at depth d, actions[d] what may be played there and
    left[d] how much of that is still to be tried.
    """
    deepest, depth = len(counts), 0
    left[0] = legal(states[0], actions[0]) if states[0].to_play != OVER else 0
    counts[0] += left[0]
    while depth >= 0:
        if left[depth] == 0 or depth == deepest - 1:
            depth -= 1
            continue
        left[depth] -= 1
        states[depth + 1] = states[depth]
        apply(states[depth + 1], actions[depth][left[depth]])
        depth += 1
        left[depth] = legal(states[depth], actions[depth]) if states[depth].to_play != OVER else 0
        counts[depth] += left[depth]


@rule
def chances(out: Any, n: int, scale: float) -> None:
    """Turn the first n prospects in `out` into chances to win, by softmax: e times more for `scale` better."""
    highest, total = -math.inf, 0.0
    for i in range(n):
        highest = max(highest, out[i])
    for i in range(n):
        out[i] = exp((out[i] - highest) / scale)
        total += out[i]
    for i in range(n):
        out[i] /= total


@rule
def copies(states: Any, count: int) -> int:
    """Copy so many states, each to another place: what the benchmark of copying measures."""
    for i in range(count):
        states[(i * 7 + 1) % len(states)] = states[i % len(states)]
    return count
