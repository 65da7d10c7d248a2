"""Fit the weights of an evaluation that is linear in its features:
`python -m plenilune.training.fit [SEATS [MATCHES [ROUNDS]]]`.

In each round Via Nebula is played by itself, greedily by the weights of the round before, with a random action now and
then. Then the weights are set to those that give the greatest likelihood to who won, as seen from decisions of every
match since the second round (a conditional logit: McFadden 1974, "Conditional logit analysis of
qualitative choice behavior"; it has one maximum, which Newton's method finds). One match in five
is kept apart to tell how well they foresee matches they have not seen. `self_play` learns by small steps
instead, which suits weights by the thousand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.progress import Progress

from plenilune.bots.search.evaluation import state_values
from plenilune.core.engine import apply, below, generator, legal, register, rule, stack_array
from plenilune.core.record import CHANCE, OVER
from plenilune.game import load
from plenilune.games.via_nebula.evaluate import (
    CLOSE,
    FACTS,
    FILE,
    GAIN,
    GAIN_DONE,
    OWN_LEFT,
    PILE,
    SCORE,
    SHAPE,
    STAGES,
    evaluate_with,
    note_facts,
)
from plenilune.games.via_nebula.state import SEATS
from plenilune.training.self_play import best_action

MATCHES, ROUNDS = 6_000, 4
RANDOM = 120  # of 1,000 decisions, in every second match; in the others a quarter of that
KEPT = 20  # decisions of a match at most
RIDGE = 1.0  # holds weights near 0 that nothing tells about
STEPS, CALM = 20, 1e-4  # of Newton's method at most; a step so small is the last
APART = 5  # one match in so many is kept apart
CHUNK = 4_000  # decisions that are looked at together

Floats = NDArray[np.float64]
values_scratch = stack_array((SEATS,), np.float64)


class Sample(NamedTuple):
    """Decisions: the facts about every seat, the stage, what each seat won in the end, and of which match they are."""

    facts: Floats
    stage: Floats
    won: Floats
    match: NDArray[np.int64]


def first_guess() -> Floats:
    """Weights that count points: those won, those to come as far as there is time, and those begun."""
    points = np.zeros((len(STAGES) + 1, FACTS))
    points[:-1, [SCORE, GAIN_DONE, CLOSE, PILE, OWN_LEFT]] = np.array([1.0, 0.9, 2.0, 0.6, 1.0]) / 3.2
    points[-1, [SCORE, GAIN]] = 0.8
    return points


# Playing


@rule
def play(s: Any, trial: Any, out: Any, left: Any, weights: Any, facts: Any, stage: Any, often: int, rng: Any) -> int:
    """A match, played on `s`; what is noted at each decision goes to `facts` and `stage`. Returns how many."""
    n, values = 0, values_scratch()
    while s[0].to_play != OVER and n < len(stage):
        count = legal(s[0], out[0])
        action = int(out[0][below(rng, count)])
        if s[0].to_play != CHANCE and count > 1:
            stage[n] = note_facts(s[0], facts[n])
            n += 1
            if below(rng, 1_000) >= often:
                action = best_action(s[0], count, trial, out, left, weights, values)
        apply(s[0], action)
    return n


def sample(seats: int, weights: Floats, matches: int, seed: int, progress: Progress, title: str) -> Sample:
    game, rng, picks = load("via-nebula"), generator(seed), np.random.default_rng(seed)
    register(game.State.dtype, {"evaluate_with": evaluate_with})
    s, trial = np.zeros(1, game.State.dtype), np.zeros(1 + 1, game.State.dtype)
    out, left, won = np.zeros((1, game.actions.size), np.int32), np.zeros(1, np.int32), np.zeros(4)
    facts, stage = np.zeros((game.bound, seats, FACTS)), np.zeros(game.bound)
    parts = []
    for match in progress.track(range(matches), description=title):
        s[0] = 0
        game.setup(s[0], seats, np.array([match % 2], np.int32))
        n = play(s, trial, out, left, weights, facts, stage, RANDOM // (1 if match // 2 % 2 else 4), rng)
        if s[0]["to_play"] == OVER:
            state_values(s[0], won)
            kept = picks.permutation(n)[:KEPT]
            own = np.tile(won[:seats], (len(kept), 1)), np.full(len(kept), match)
            parts.append(Sample(facts[kept], stage[kept], *own))
    return together(*parts)


# Fitting


def together(*samples: Sample) -> Sample:
    return Sample(*(np.concatenate(part) for part in zip(*samples, strict=True)))


def chunks(some: Sample, which: NDArray[np.bool_]) -> Iterator[tuple[Floats, Floats]]:
    """The facts by stage, and who won: what lies between two stages counts for both, the more for the nearer."""
    rows = np.flatnonzero(which)
    for at in range(0, len(rows), CHUNK):
        own = rows[at : at + CHUNK]
        near = np.maximum(0, 1 - np.abs(some.stage[own, None] - np.arange(len(STAGES) + 1)))
        by_stage = near[:, None, :, None] * some.facts[own][:, :, None, :]
        yield by_stage.reshape(*by_stage.shape[:2], -1), some.won[own]


def foresee(facts: Floats, weights: Floats) -> Floats:
    prospects = facts @ weights
    odds: Floats = np.exp(prospects - prospects.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    return odds


def fit(some: Sample, weights: Floats) -> Floats:
    """Better weights, step by step from these."""
    for _ in range(STEPS):
        slope, curve = -RIDGE * weights, RIDGE * np.eye(len(weights))
        for facts, won in chunks(some, some.match % APART > 0):
            expected = foresee(facts, weights)
            mean = np.matmul(expected[:, None, :], facts)[:, 0]
            rows = (facts * np.sqrt(expected)[:, :, None]).reshape(-1, len(weights))
            slope += (won - expected).ravel() @ facts.reshape(-1, len(weights))
            curve += rows.T @ rows - mean.T @ mean
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max() < CALM:
            break
    return weights


def surprise(some: Sample, weights: Floats) -> float:
    """Minus the logarithm of the chance that was given to what came, in matches that were kept apart."""
    lost = [
        won * np.log(np.maximum(foresee(facts, weights), 1e-9)) for facts, won in chunks(some, some.match % APART == 0)
    ]
    return float(-np.concatenate(lost).sum(axis=1).mean())


def main() -> None:
    given = [int(word) for word in sys.argv[1:]]
    matches = given[1] if len(given) > 1 else MATCHES
    rounds = given[2] if len(given) > 2 else ROUNDS
    for seats in given[:1] or [2, 3, 4]:
        weights, samples = first_guess(), list[Sample]()
        with Progress() as progress:
            for number in range(1, rounds + 1):
                new = sample(seats, weights, matches, number, progress, f"{seats} seats, round {number}")
                samples = [*samples, new] if number > 2 else [new]
                before = surprise(new, weights.ravel())
                weights = fit(together(*samples), weights.ravel()).reshape(weights.shape)
                progress.print(
                    f"{seats} seats, round {number}: surprise {before:.4f}, then {surprise(new, weights.ravel()):.4f}"
                )
        kept = np.load(FILE) if FILE.exists() else np.zeros(SHAPE, np.float32)
        kept[seats] = weights
        np.save(FILE, kept)


if __name__ == "__main__":
    main()
