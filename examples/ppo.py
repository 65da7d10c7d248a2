"""Masked PPO in one file, with numpy alone: a network learns to play Nova Luna alone, in less than a minute.

python examples/ppo.py

One network scores every legal action by its features, so there is nothing to mask: a policy is a softmax over the
options of each match. Another one guesses how the match will end. Both have one hidden layer, and their gradients are
written out.
"""

import os
import time
from typing import Any, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices this small are not worth waking other threads for

import numpy as np
from numpy.typing import NDArray

from plenilune.games.nova_luna.tables import COLOURS, DESIGNS
from plenilune.rl import Batch, Step

Array = NDArray[Any]
MATCHES, STEPS, HIDDEN = 128, 48, 32  # matches at once, steps between two updates, units in a hidden layer
EPOCHS, PARTS, RATE = 4, 6, 4e-3  # how often all that was seen is looked at, in how many parts, and how boldly
TRACE, CLIP, ENTROPY = 0.95, 0.2, 0.01
POINTS = 50.0  # rewards are divided by so many
KINDS, PLACING = 5, 1

# By tile, counted from 1 as in an option: its colour, and how many tiles of each colour each task asks for
COLOUR = np.array([[0] * 4, *([design.colour == colour for colour in COLOURS] for design in DESIGNS)], np.float32)
ASKED = np.zeros((len(DESIGNS) + 1, 3, 4), np.int16)
for number, design in enumerate(DESIGNS, 1):
    for i, task in enumerate(design.tasks):
        ASKED[number, i] = [task.count(colour) for colour in COLOURS]


def features(batch: Batch, step: Step) -> tuple[Array, Array]:
    """A row for each legal action of each match, one match after the other; and a row for each match."""
    assert step.options is not None
    seen = batch.fields(step.observation)
    own = seen["table"][:, 0].astype(np.float32)  # there is a seat, its turn, tokens left, …, …, tiles laid
    table = np.column_stack(
        [seen["phase"] == 1, own[:, 2] / 21, own[:, 5] / 22, seen["on_wheel"] / 11, seen["sums"] / 100.0]
    ).astype(np.float32)
    rows = step.options[np.arange(step.options.shape[1]) < step.counts[:, None]]
    kind, tile, printed, help = rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 5:9].astype(np.int16)
    asked, placing = ASKED[tile], (kind == PLACING)[:, None]
    missing = np.maximum(asked - help[:, None], 0).sum(axis=2) * placing  # by task
    holds = asked.any(axis=2) & (missing == 0) & placing
    of_actions = np.column_stack(
        [
            kind[:, None] == np.arange(KINDS),
            printed / 7,
            asked.any(axis=2).sum(axis=1) / 3,
            asked.sum(axis=(1, 2)) / 6,
            holds.sum(axis=1),
            missing.sum(axis=1) / 6,
            help.max(axis=1) / 4,
            (COLOUR[tile] * help).sum(axis=1) / 4,
            np.repeat(table, step.counts, axis=0),
        ]
    )
    return of_actions.astype(np.float32), table


class Network:
    """From rows to a number each, learning by Adam."""

    def __init__(self, width: int, chooser: np.random.Generator) -> None:
        self.weights: list[Array] = [
            (chooser.normal(size=(width, HIDDEN)) / np.sqrt(width)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            np.zeros(HIDDEN, np.float32),
            np.zeros(1, np.float32),
        ]
        self.means, self.squares = ([np.zeros_like(w) for w in self.weights] for _ in range(2))
        self.updates = 0

    def __call__(self, rows: Array) -> Array:
        first, bias, last, shift = self.weights
        self.rows, self.hidden = rows, np.tanh(rows @ first + bias)
        out: Array = self.hidden @ last + shift
        return out

    def gradients(self, slopes: Array) -> list[Array]:
        inner = slopes[:, None] * self.weights[2] * (1 - self.hidden**2)
        return [self.rows.T @ inner, inner.sum(axis=0), slopes @ self.hidden, slopes.sum(keepdims=True)]

    def learn(self, slopes: Array, rate: float) -> None:
        """Go down, where `slopes` are the loss's derivatives by what the last call gave."""
        gradients = self.gradients(slopes)
        self.updates += 1
        for weight, mean, square, gradient in zip(self.weights, self.means, self.squares, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            fair = mean / (1 - 0.9**self.updates), square / (1 - 0.999**self.updates)
            weight -= rate * fair[0] / (np.sqrt(fair[1]) + 1e-8)


def softmax(scores: Array, counts: Array) -> Array:
    """Chances of the options of each match, of which there are so many."""
    starts = np.cumsum(counts) - counts
    chances: Array = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), counts))
    chances /= np.repeat(np.add.reduceat(chances, starts), counts)
    return chances


def chosen(chances: Array, counts: Array, chooser: np.random.Generator) -> Array:
    """One option of each match by these chances."""
    ends, sums = np.cumsum(counts), np.cumsum(chances, dtype=np.float64)
    before = np.concatenate([[0.0], sums[ends[:-1] - 1]])
    aim = before + chooser.random(len(counts)) * (sums[ends - 1] - before)
    picks: Array = np.minimum(np.searchsorted(sums, aim, side="right"), ends - 1) - (ends - counts)
    return picks


class Moment(NamedTuple):
    """What was seen, done and got in all matches at one step."""

    actions: Array  # rows of features
    counts: Array
    table: Array
    picks: Array
    chance: Array  # of what was picked
    value: Array
    reward: Array
    done: Array


class Learner:
    def __init__(self, seed: int) -> None:
        self.chooser = np.random.default_rng(seed)
        self.batch = Batch("nova-luna", 1, MATCHES, seed, actions="option", autoreset="same")
        self.step = self.batch.reset()
        actions, table = features(self.batch, self.step)
        self.policy, self.value = (Network(rows.shape[1], self.chooser) for rows in (actions, table))

    def learn(self, updates: int) -> None:
        for update in range(updates):
            moments = [self.play() for _ in range(STEPS)]
            advantages = self.advantages(moments)
            for _ in range(EPOCHS):
                for part in np.array_split(self.chooser.permutation(STEPS), PARTS):
                    self.update([moments[t] for t in part], advantages[part].ravel(), RATE * (1 - update / updates))

    def play(self) -> Moment:
        """One step of all matches."""
        actions, table = features(self.batch, self.step)
        counts, value = self.step.counts, self.value(table)
        chances = softmax(self.policy(actions), counts)
        picks = chosen(chances, counts, self.chooser)
        self.step = self.batch.step(picks)
        reward, chance = self.step.rewards[:, 0] / POINTS, chances[np.cumsum(counts) - counts + picks]
        return Moment(actions, counts, table, picks, chance, value, reward, self.step.terminated)

    def advantages(self, moments: list[Moment]) -> Array:
        """(steps, matches): by how much better it went than the value network had thought."""
        found, after = np.zeros((len(moments), MATCHES), np.float32), np.zeros(MATCHES, np.float32)
        value = self.value(features(self.batch, self.step)[1])
        for t, moment in reversed(list(enumerate(moments))):
            goes_on = ~moment.done
            surprise = moment.reward + goes_on * value - moment.value
            after = surprise + TRACE * goes_on * after
            found[t], value = after, moment.value
        return found

    def update(self, moments: list[Moment], advantages: Array, rate: float) -> None:
        """One step of PPO's clipped objective, with entropy, and of the value's squared error."""
        actions, counts, table, picks, before, guessed = map(np.concatenate, list(zip(*moments, strict=True))[:6])
        n, starts = len(counts), np.cumsum(counts) - counts
        better = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        chances = softmax(self.policy(actions), counts)
        ratio = chances[starts + picks] / before
        inside = np.where(better > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        pull = inside * better * ratio / n  # of the chosen option's logarithm
        logs = np.log(chances + 1e-12)
        entropy = -np.add.reduceat(chances * logs, starts)
        slopes = np.repeat(pull, counts) * chances + ENTROPY / n * chances * (logs + np.repeat(entropy, counts))
        slopes[starts + picks] -= pull
        self.policy.learn(slopes.astype(np.float32), rate)
        self.value.learn((self.value(table) - (guessed + advantages)) / n, rate)


def mean_points(learner: Learner | None, n: int = 256, seed: int = 99) -> float:
    """What n new matches cost on average, fewer being better: played by what was learned, or at random."""
    batch, chooser = Batch("nova-luna", 1, n, seed, actions="option", autoreset="never"), np.random.default_rng(seed)
    step, points = batch.reset(), np.zeros(n)
    while not step.terminated.all():
        actions = batch.sample()
        if learner is not None:
            alive = step.counts > 0
            rows, _ = features(batch, step)
            chances = softmax(learner.policy(rows), step.counts[alive])
            actions[alive] = chosen(chances, step.counts[alive], chooser)
        step = batch.step(actions)
        points -= step.rewards[:, 0]
    return float(points.mean())


def train(seed: int = 1, updates: int = 60) -> Learner:
    learner = Learner(seed)
    learner.learn(updates)
    return learner


if __name__ == "__main__":
    print(f"at random: {mean_points(None):.0f} points, where fewer are better")
    began = time.perf_counter()
    trained = train()
    print(f"after {time.perf_counter() - began:.0f} seconds of learning: {mean_points(trained):.0f} points")
