"""One simulation after another: descend, evaluate the leaf, back up."""

from __future__ import annotations

from typing import Any

import numpy as np

from plenilune.bots.search.evaluation import rollout, state_values
from plenilune.bots.search.records import MAX_DEPTH, NONE, TRUE, Tree
from plenilune.bots.search.secrets import become_decoy, is_true, opponent_child
from plenilune.bots.search.selection import best_child, chance_child
from plenilune.bots.search.solving import mark_solved, solve
from plenilune.bots.search.tree import allocate_statistics, has_secrets, is_solved, statistics_of
from plenilune.core.engine import apply, resample, rule
from plenilune.core.record import CHANCE, OVER
from plenilune.game import Tuning

CHECK_EVERY = 32  # simulations between two checks of whether the decision is made


@rule
def simulate(
    tree: Tree, start: Any, work: Any, rng: Any, tuning: Tuning, viewer: int, first: int, count: int, planned: int
) -> int:
    """Run so many simulations, numbered from `first`; fewer if the root is solved, or decided: `planned` is how many
    there will be in all, or 0 to go on anyway. Returns how many were run."""
    for number in range(first, first + count):
        if tree.statistics[0].solved or (
            planned > 0 and number % CHECK_EVERY == 0 and is_decided(tree, number, planned)
        ):
            return number - first
        work[0] = start[0]
        if has_secrets(tree):
            resample(work[0], viewer, rng)
        depth = descend(tree, work[0], viewer, work[1:], tuning, rng)
        evaluate_leaf(tree, work[0], tree.scratch[0].path[depth], tuning, rng)
        back_up(tree, depth, work[0].seats)
    return count


@rule
def is_decided(tree: Tree, done: int, planned: int) -> bool:
    """Whether the most visited action will stay so wherever the remaining simulations go; as large a share of them as
    so far is taken to become decoys, which do not count. (Early termination: Baier & Winands 2012, "Time management for
    Monte-Carlo tree search in Go".)"""
    most, second = 0, 0
    child = tree.statistics[0].first_child
    while child != NONE:
        if is_solved(tree, child):  # it is chosen by its value, not by its visits
            return False
        visits = tree.nodes[child].visits[TRUE]
        if visits > most:
            most, second = visits, most
        elif visits > second:
            second = visits
        child = tree.nodes[child].sibling
    return int(most - second) * done > (planned - done) * int(tree.nodes[0].visits[TRUE])


@rule
def descend(tree: Tree, s: Any, viewer: int, trial: Any, tuning: Tuning, rng: Any) -> int:
    """Walk down the tree to a node that has not been visited; returns its depth."""
    tree.scratch[0].kind, tree.scratch[0].kind_since = TRUE, 0
    # After a plain 0, all that is called here would be compiled twice: for 0, and for any number.
    node: int = np.int64(0)  # type: ignore[assignment]
    depth = node
    while s.to_play != OVER and depth < MAX_DEPTH and not statistics_of(tree, node).solved:
        tree.scratch[0].actors[depth], tree.scratch[0].solved_best[depth] = s.to_play, NONE
        if s.to_play == CHANCE:
            child = chance_child(tree, s, node, trial, tuning, rng)
        elif is_true(tree) and s.to_play != viewer and not become_decoy(tree, s, viewer, node, depth, rng):
            child = opponent_child(tree, s, node, trial, tuning, rng)
        else:
            child = best_child(tree, s, node, depth, trial, tuning)
        if child == NONE or not allocate_statistics(tree, child):
            break
        apply(s, tree.nodes[child].action)
        depth += 1
        node = child
        tree.scratch[0].path[depth] = node
        if tree.nodes[node].visits[tree.scratch[0].kind] == 0:
            break
    tree.scratch[0].solved_best[depth] = NONE
    return depth


@rule
def evaluate_leaf(tree: Tree, s: Any, node: int, tuning: Tuning, rng: Any) -> None:
    """Write the position's value to every seat into `values`."""
    statistics = statistics_of(tree, node)
    if statistics.solved:
        for seat in range(s.seats):
            tree.values[seat] = statistics.exact[seat]
        return
    if s.to_play == OVER and not has_secrets(tree):
        state_values(s, tree.values)
        mark_solved(statistics, tree.values, s.seats)
        return
    rollout(tree, s, tuning, rng)
    state_values(s, tree.values)


@rule
def back_up(tree: Tree, depth: int, seats: int) -> None:
    """Add the values to every node on the path, and see which of them are solved by it."""
    kind = tree.scratch[0].kind
    if depth > tree.scratch[0].deepest:
        tree.scratch[0].deepest = depth
    for d in range(depth, tree.scratch[0].kind_since - 1, -1):
        node, solved_best = tree.scratch[0].path[d], tree.scratch[0].solved_best[d]
        tree.nodes[node].visits[kind] += 1
        for seat in range(seats):
            if solved_best != NONE:
                tree.values[seat] = statistics_of(tree, solved_best).exact[seat]
            statistics_of(tree, node).value_sum[kind, seat] += tree.values[seat]
    while depth > 0 and statistics_of(tree, tree.scratch[0].path[depth]).solved:
        depth -= 1
        if not solve(tree, tree.scratch[0].path[depth], tree.scratch[0].actors[depth], seats):
            break
