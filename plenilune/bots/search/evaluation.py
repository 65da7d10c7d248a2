"""What a position is worth to every seat: by the result, by the game's `evaluate`, by a rollout."""

from __future__ import annotations

from typing import Any

from plenilune.bots.search.records import Tree
from plenilune.core.engine import apply, below, generic, legal, places, rule
from plenilune.core.maths import exp
from plenilune.core.record import CHANCE, OVER
from plenilune.game import Tuning


@rule
def win_shares(s: Any, out: Any) -> None:
    """1 for the winner, shared among equals; also the value of a position in a game without `evaluate`."""
    places(s, out)
    winners = 0
    for seat in range(s.seats):
        if out[seat] == 1:
            winners += 1
    for seat in range(s.seats):
        out[seat] = 1 / winners if out[seat] == 1 else 0.0


@rule
def equal_weights(s: Any, actions: Any, n: int, out: Any) -> None:
    """For a game without `prefer`."""
    for i in range(n):
        out[i] = 1.0


evaluate = generic("evaluate", win_shares)
prefer = generic("prefer", equal_weights)


@rule
def state_values(s: Any, out: Any) -> None:
    """The result if the match is over, otherwise the game's evaluation. Alone there is nobody to beat: the game
    evaluates the score."""
    if s.to_play == OVER and s.seats > 1:
        win_shares(s, out)
    else:
        evaluate(s, out)


@rule
def prior_weights(tree: Tree, s: Any, n: int, trial: Any, tuning: Tuning) -> float:
    """Write the unnormalised priors of the listed actions into `weights`; returns their sum. They are a softmax over
    the values of the positions after each action, or what the game prefers."""
    if s.to_play == CHANCE:
        equal_weights(s, tree.actions, n, tree.weights)
    elif tuning.prior_temperature > 0:
        for i in range(n):
            trial[0] = s
            apply(trial[0], tree.actions[i])
            state_values(trial[0], tree.values)
            tree.weights[i] = exp(tree.values[s.to_play] / tuning.prior_temperature)
    else:
        prefer(s, tree.actions, n, tree.weights)
    total = 0.0
    for i in range(n):
        total += tree.weights[i]
    return total


@rule
def rollout(tree: Tree, s: Any, tuning: Tuning, rng: Any) -> None:
    """Random play for `rollout_plies`, now and then the preferred action instead."""
    plies = 0
    while s.to_play != OVER and plies != tuning.rollout_plies:
        n = legal(s, tree.actions)
        pick = below(rng, n)
        if s.to_play != CHANCE and n > 1 and tuning.prefer > 0 and below(rng, 1000) < 1000 * tuning.prefer:
            prefer(s, tree.actions, n, tree.weights)
            for i in range(n):
                if tree.weights[i] > tree.weights[pick]:
                    pick = i
        apply(s, tree.actions[pick])
        plies += 1
