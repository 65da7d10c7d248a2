"""Fit the weights of an evaluation that is linear in its features.

In each round the game is played by itself, greedily by the weights of the round before, with a random action now and
then. Then the weights are set to those that give the greatest likelihood to who won, as seen from decisions of every
match since the second round (a conditional logit: McFadden 1974, "Conditional logit analysis of qualitative choice
behavior"; it has one maximum, which Newton's method finds). One match in five is kept apart to tell how well they
foresee matches they have not seen. `self_play` learns by small steps instead, which suits weights by the thousand.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.progress import Progress

from plenilune.bots.search.evaluation import state_values
from plenilune.core.engine import apply, below, generator, generic, legal, register, rule
from plenilune.core.record import CHANCE, OVER
from plenilune.game import Game
from plenilune.training.self_play import Trained, best_action
from plenilune.training.weights import part, weights_in

MATCHES, ROUNDS = 6_000, 4
RANDOM = 120  # of 1,000 decisions, in every second match; in the others a quarter of that
KEPT = 20  # decisions of a match at most
RIDGE = 1.0  # holds weights near 0 that nothing tells about
STEPS, CALM = 20, 1e-4  # of Newton's method at most; a step so small is the last
APART = 5  # one match in so many is kept apart
CHUNK = 4_000  # decisions that are looked at together

Floats = NDArray[np.float64]
note_facts = generic("note_facts")


class Sample(NamedTuple):
    """Decisions: the facts about every seat, the stage, what each seat won in the end, and of which match they are."""

    facts: Floats
    stage: Floats
    won: Floats
    match: NDArray[np.int64]


# Playing


@rule
def play(
    s: Any, trial: Any, out: Any, left: Any, values: Any, weights: Any, facts: Any, stage: Any, often: int, rng: Any
) -> int:
    """A match, played on `s`; what is noted at each decision goes to `facts` and `stage`. Returns how many."""
    n = 0
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


def sample(game: Game, seats: int, weights: Floats, matches: int, seed: int, progress: Progress, title: str) -> Sample:
    rng, picks = generator(seed), np.random.default_rng(seed)
    s, trial = np.zeros(1, game.State.dtype), np.zeros(1 + 1, game.State.dtype)
    out, left = np.zeros((1, game.actions.size), np.int32), np.zeros(1, np.int32)
    values, won = np.zeros((2, max(game.seats)))
    facts, stage = np.zeros((game.bound, seats, weights.shape[-1])), np.zeros(game.bound)
    options = list(itertools.product(*(range(len(words)) for words in game.options.values())))  # each in turn
    parts = []
    for match in progress.track(range(matches), description=title):
        s[0] = 0
        game.setup(s[0], seats, np.array(options[match % len(options)], np.int32))
        often = RANDOM // (1 if match // len(options) % 2 else 4)
        n = play(s, trial, out, left, values, weights, facts, stage, often, rng)
        if s[0]["to_play"] == OVER:
            state_values(s[0], won)
            kept = picks.permutation(n)[:KEPT]
            own = np.tile(won[:seats], (len(kept), 1)), np.full(len(kept), match)
            parts.append(Sample(facts[kept], stage[kept], *own))
    return together(*parts)


# Fitting


def together(*samples: Sample) -> Sample:
    return Sample(*(np.concatenate(part) for part in zip(*samples, strict=True)))


def chunks(some: Sample, which: NDArray[np.bool_], stages: int) -> Iterator[tuple[Floats, Floats]]:
    """The facts by stage, and who won: what lies between two stages counts for both, the more for the nearer."""
    rows = np.flatnonzero(which)
    for at in range(0, len(rows), CHUNK):
        own = rows[at : at + CHUNK]
        near = np.maximum(0, 1 - np.abs(some.stage[own, None] - np.arange(stages)))
        by_stage = near[:, None, :, None] * some.facts[own][:, :, None, :]
        yield by_stage.reshape(*by_stage.shape[:2], -1), some.won[own]


def foresee(facts: Floats, weights: Floats) -> Floats:
    prospects = facts @ weights
    odds: Floats = np.exp(prospects - prospects.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    return odds


def fit(some: Sample, guess: Floats) -> Floats:
    """Better weights, by stage and fact, step by step from these."""
    weights = guess.ravel()
    for _ in range(STEPS):
        slope, curve = -RIDGE * weights, RIDGE * np.eye(len(weights))
        for facts, won in chunks(some, some.match % APART > 0, len(guess)):
            expected = foresee(facts, weights)
            mean = np.matmul(expected[:, None, :], facts)[:, 0]
            rows = (facts * np.sqrt(expected)[:, :, None]).reshape(-1, len(weights))
            slope += (won - expected).ravel() @ facts.reshape(-1, len(weights))
            curve += rows.T @ rows - mean.T @ mean
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max() < CALM:
            break
    return weights.reshape(guess.shape)


def log_loss(some: Sample, weights: Floats) -> float:
    """Negative log-likelihood on held-out matches."""
    apart = chunks(some, some.match % APART == 0, len(weights))
    lost = [won * np.log(np.maximum(foresee(facts, weights.ravel()), 1e-9)) for facts, won in apart]
    return float(-np.concatenate(lost).sum(axis=1).mean())


def train(game: Game, seat_counts: Iterable[int], matches: int, folder: Path | None, progress: Progress) -> Trained:
    own = part(game, "evaluate")
    register(game.State.dtype, {"evaluate_with": own.evaluate_with, "note_facts": own.note_facts})
    for seats in seat_counts:
        weights, samples = own.first_guess(), list[Sample]()
        for number in range(1, ROUNDS + 1):
            title = f"{game.title}, {seats} seats, round {number}"
            new = sample(game, seats, weights, matches, number, progress, title)
            samples = [*samples, new] if number > 2 else [new]
            before = log_loss(new, weights)
            weights = fit(together(*samples), weights)
            progress.print(f"{title}: log loss {before:.4f}, then {log_loss(new, weights):.4f}")
        kept = weights_in(own.FILE, folder, own.SHAPE)
        kept[seats] = weights
        yield seats, own.FILE, kept
