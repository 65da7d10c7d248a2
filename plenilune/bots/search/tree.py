"""Nodes: finding, adding and copying them."""

from __future__ import annotations

from typing import Any

from plenilune.bots.search.records import DECOY, KINDS, NONE, TRUE, Tree
from plenilune.core.engine import rule


@rule
def has_secrets(tree: Tree) -> bool:
    return bool(tree.scratch[0].has_secrets)


@rule
def statistics_of(tree: Tree, node: int) -> Any:
    """Those of a node that has been visited."""
    return tree.statistics[tree.nodes[node].statistics]


@rule
def is_solved(tree: Tree, node: int) -> bool:
    index = tree.nodes[node].statistics
    return bool(index != NONE and tree.statistics[index].solved)


@rule
def mean_value(tree: Tree, node: int, kind: int, seat: int, otherwise: float) -> float:
    """Of the node's visits, if there are any."""
    visits = tree.nodes[node].visits[kind]
    return float(statistics_of(tree, node).value_sum[kind, seat] / visits) if visits > 0 else otherwise


@rule
def child_by(tree: Tree, node: int, action: int) -> int:
    child = statistics_of(tree, node).first_child
    while child != NONE and tree.nodes[child].action != action:
        child = tree.nodes[child].sibling
    return int(child)


@rule
def nth_child(tree: Tree, node: int, n: int) -> int:
    child = statistics_of(tree, node).first_child
    for _ in range(n):
        child = tree.nodes[child].sibling
    return int(child)


# Growing


@rule
def allocate_statistics(tree: Tree, node: int) -> bool:
    """Give the node statistics if it has none; returns False if the tree is full."""
    if tree.nodes[node].statistics == NONE:
        if tree.scratch[0].statistics_used == len(tree.statistics):
            return False
        tree.nodes[node].statistics = tree.scratch[0].statistics_used
        tree.scratch[0].statistics_used += 1
        new = statistics_of(tree, node)
        new.first_child = NONE
        new.children = new.complete = new.solved = 0
        for kind in range(KINDS):
            for seat in range(len(new.exact)):
                new.value_sum[kind, seat] = 0
    return True


@rule
def add_child(tree: Tree, node: int, action: int, prior: float) -> int:
    """The new child; it becomes the first of its parent's."""
    child = tree.scratch[0].nodes_used
    tree.scratch[0].nodes_used += 1
    new = tree.nodes[child]
    new.action, new.prior = action, prior
    new.sibling, new.statistics = statistics_of(tree, node).first_child, NONE
    for kind in range(KINDS):
        new.visits[kind] = new.available[kind] = 0
    statistics_of(tree, node).first_child = child
    statistics_of(tree, node).children += 1
    return int(child)


# Reuse: the subtree of the position that was reached becomes the next search's tree


@rule
def copy_subtree(tree: Tree, old: Tree, root: int) -> None:
    """Start with the subtree of an older tree below one of its nodes, as far as there is room for it."""
    tree.scratch[0].nodes_used = tree.scratch[0].statistics_used = 0
    copy_node(tree, old, root)
    done = 0
    while done < tree.scratch[0].nodes_used:  # breadth first: what was copied last waits for its children
        if tree.nodes[done].statistics != NONE:
            copy_children(tree, old, done)
        done += 1


@rule
def copy_node(tree: Tree, old: Tree, node: int) -> int:
    """Without children and siblings; where there is no room for its statistics, as if it had never been visited."""
    copy = tree.scratch[0].nodes_used
    tree.scratch[0].nodes_used += 1
    tree.nodes[copy] = old.nodes[node]
    tree.nodes[copy].sibling = tree.nodes[copy].statistics = NONE
    if old.nodes[node].statistics == NONE:
        return int(copy)
    if allocate_statistics(tree, copy):
        tree.statistics[tree.nodes[copy].statistics] = statistics_of(old, node)
    else:
        tree.nodes[copy].visits[TRUE] = tree.nodes[copy].visits[DECOY] = 0
    return int(copy)


@rule
def copy_children(tree: Tree, old: Tree, node: int) -> None:
    statistics = statistics_of(tree, node)
    child, last = statistics.first_child, NONE
    statistics.first_child = NONE
    if tree.scratch[0].nodes_used + statistics.children > len(tree.nodes):
        statistics.children = statistics.complete = 0
        return
    while child != NONE:
        copy = copy_node(tree, old, child)
        if last == NONE:
            statistics.first_child = copy
        else:
            tree.nodes[last].sibling = copy
        last = copy
        child = old.nodes[child].sibling
