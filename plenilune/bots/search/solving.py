"""Nodes whose value is known exactly."""

from __future__ import annotations

import math
from typing import Any

from plenilune.bots.search.records import NONE, Tree
from plenilune.bots.search.tree import is_solved, statistics_of
from plenilune.core.engine import rule
from plenilune.core.record import CHANCE

CERTAIN_WIN = 1 - 1e-9


@rule
def mark_solved(statistics: Any, values: Any, seats: int) -> None:
    statistics.solved = 1
    for seat in range(seats):
        statistics.exact[seat] = values[seat]


@rule
def solve(tree: Tree, node: int, actor: int, seats: int) -> bool:
    """Mark the node as solved if its children solve it; returns whether it is."""
    statistics = statistics_of(tree, node)
    if statistics.solved or not statistics.complete:
        return bool(statistics.solved)
    best, best_value, all_solved = NONE, -math.inf, True
    child = statistics.first_child
    while child != NONE:
        if not is_solved(tree, child):
            all_solved = False
        elif actor != CHANCE and statistics_of(tree, child).exact[actor] > best_value:
            best, best_value = child, statistics_of(tree, child).exact[actor]
        child = tree.nodes[child].sibling
    if best != NONE and (all_solved or best_value >= CERTAIN_WIN):
        mark_solved(statistics, statistics_of(tree, best).exact, seats)
    elif all_solved and actor == CHANCE:
        average_outcomes(tree, statistics, seats)
    return bool(statistics.solved)


@rule
def average_outcomes(tree: Tree, statistics: Any, seats: int) -> None:
    statistics.solved = 1
    for seat in range(seats):
        total = 0.0
        child = statistics.first_child
        while child != NONE:
            total += statistics_of(tree, child).exact[seat]
            child = tree.nodes[child].sibling
        statistics.exact[seat] = total / statistics.children
