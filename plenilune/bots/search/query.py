"""What a tree has found out, for Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plenilune.bots.search.records import NONE, TRUE, Tree

EXPECTED = 8  # visits from which on an action is part of the principal variation


def children(tree: Tree, node: int) -> Iterator[Any]:
    child = _first_child(tree, node)
    while child != NONE:
        yield tree.nodes[child]
        child = int(tree.nodes[child]["sibling"])


def _first_child(tree: Tree, node: int) -> int:
    index = int(tree.nodes[node]["statistics"])
    return int(tree.statistics[index]["first_child"]) if index != NONE else NONE


def follow(tree: Tree, path: list[int]) -> int:
    """The node to which the actions lead from the root, or NONE."""
    node = 0
    for action in path:
        node = _first_child(tree, node) if node != NONE else NONE
        while node != NONE and tree.nodes[node]["action"] != action:
            node = int(tree.nodes[node]["sibling"])
    return node


def visits(node: Any) -> int:
    """Of true simulations."""
    return int(node["visits"][TRUE])


def is_solved(tree: Tree, node: Any) -> bool:
    return bool(node["statistics"] != NONE and tree.statistics[node["statistics"]]["solved"])


def values(tree: Tree, node: Any) -> Any:
    """Of a node that has been visited, to every seat."""
    statistics = tree.statistics[node["statistics"]]
    return statistics["exact"] if statistics["solved"] else statistics["value_sum"][TRUE] / max(1, visits(node))


def is_searched(tree: Tree, node: int) -> bool:
    """Whether something is known about what to do there, and not by decoys alone."""
    return any(is_solved(tree, child) or visits(child) for child in children(tree, node))


def simulations_through(tree: Tree, node: int, done: int) -> int:
    """How many of the simulations count there: as large a share as of the true ones, for a decoy is not counted above
    the node where it became one."""
    return done * visits(tree.nodes[node]) // visits(tree.nodes[0])


def principal_variation(tree: Tree, action: int) -> list[int]:
    """The action, and the most visited action after each, while there are enough visits."""
    line = [action]
    while (node := follow(tree, line)) != NONE:
        following = max(children(tree, node), key=visits, default=None)
        if following is None or visits(following) < EXPECTED:
            break
        line.append(int(following["action"]))
    return line
