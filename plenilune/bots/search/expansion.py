"""Giving a node its children."""

from __future__ import annotations

from typing import Any

from plenilune.bots.search.evaluation import prior_weights
from plenilune.bots.search.records import NONE, Tree
from plenilune.bots.search.tree import add_child, child_by, has_secrets, statistics_of
from plenilune.core.engine import legal, rule
from plenilune.game import Tuning


@rule
def add_children(tree: Tree, s: Any, node: int, trial: Any, tuning: Tuning) -> bool:
    """Have a child for every legal action, if there is room; returns False if there is nothing to choose from. Where
    there are secrets, a node is never complete: other determinizations may have other legal actions."""
    if has_secrets(tree):
        return mark_available(tree, s, node, trial, tuning)
    return expand(tree, s, node, trial, tuning)


@rule
def expand(tree: Tree, s: Any, node: int, trial: Any, tuning: Tuning) -> bool:
    """Give the node a child for every action that is legal now; returns False if the tree is full."""
    n = legal(s, tree.actions)
    if tree.scratch[0].nodes_used + n > len(tree.nodes):
        return False
    total = prior_weights(tree, s, n, trial, tuning)
    for i in range(n - 1, -1, -1):  # each becomes the first child, so the list ends in order
        add_child(tree, node, tree.actions[i], tree.weights[i] / total)
    statistics_of(tree, node).complete = 1
    return True


@rule
def mark_available(tree: Tree, s: Any, node: int, trial: Any, tuning: Tuning) -> bool:
    """Mark and count what is legal in this determinization, and add what is new, if there is room; returns False if
    nothing can be chosen."""
    n = legal(s, tree.actions)
    tree.scratch[0].stamp += 1
    kind, stamp = tree.scratch[0].kind, tree.scratch[0].stamp
    for i in range(n):
        tree.marks[tree.actions[i]] = stamp
    known = count_available(tree, node, kind)
    if known < n:
        if tree.scratch[0].nodes_used + n - known > len(tree.nodes):
            return known > 0
        total = prior_weights(tree, s, n, trial, tuning)
        for i in range(n - 1, -1, -1):
            if known == 0 or child_by(tree, node, tree.actions[i]) == NONE:
                child = add_child(tree, node, tree.actions[i], tree.weights[i] / total)
                tree.nodes[child].available[kind] += 1
    return True


@rule
def count_available(tree: Tree, node: int, kind: int) -> int:
    """Raise the availability count of every child that is marked; returns how many are."""
    known = 0
    child = statistics_of(tree, node).first_child
    while child != NONE:
        if is_marked(tree, child):
            tree.nodes[child].available[kind] += 1
            known += 1
        child = tree.nodes[child].sibling
    return known


@rule
def is_marked(tree: Tree, child: int) -> bool:
    return bool(tree.marks[tree.nodes[child].action] == tree.scratch[0].stamp)
