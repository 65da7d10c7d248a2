"""What a search tree is made of. Nothing here needs numba, so that a search can be set up and read off without it."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from plenilune.core.record import Record, f32, i32, i64
from plenilune.game import Game

NONE = -1
TRUE, DECOY, KINDS = 0, 1, 2  # the kinds of simulation
MAX_DEPTH = 256  # plies from the root to a leaf


class Node(Record):
    """One information set. Most nodes are never visited, and every simulation reads many of them: so a node is small,
    and what visits find out is kept in a record of its own."""

    action: int = i32()  # that leads here
    sibling: int = i32()  # its parent's next child, or NONE
    statistics: int = i32()  # index of its statistics; NONE before the first visit
    prior: float = f32()
    visits: Any = i32(KINDS)  # by kind of simulation
    available: Any = i32(KINDS)  # how often its action could be chosen, by kind of simulation


@functools.cache
def statistics_record(seats: int) -> type[Record]:
    """The record of a visited node, for a game of so many seats at most. That number is part of the type: a loop over
    it has a constant length when it is compiled."""

    class Statistics(Record):
        first_child: int = i32()  # or NONE
        children: int = i32()  # how many there are
        complete: int = i32()  # 1 if there can be no more
        solved: int = i32()  # 1 once `exact` holds
        exact: Any = f32(seats)  # the value to each seat
        value_sum: Any = f32(KINDS, seats)  # of what its visits found, by kind of simulation

    return Statistics


class Scratch(Record):
    """What a search keeps beside its nodes."""

    nodes_used: int = i32()
    statistics_used: int = i32()
    has_secrets: int = i32()  # 1 where the game has some
    deepest: int = i32()
    kind: int = i32()  # of the current simulation
    kind_since: int = i32()  # the depth from which on it is of that kind; it is backed up to there
    path: Any = i32(MAX_DEPTH + 1)  # its nodes
    actors: Any = i32(MAX_DEPTH + 1)  # who acts at each of them
    solved_best: Any = i32(MAX_DEPTH + 1)  # a solved child of each whose value is backed up instead, or NONE
    stamp: int = i64()  # grows by one whenever actions are marked as available


class Tree(NamedTuple):
    nodes: Any  # the root is node 0
    statistics: Any  # those of the root are at index 0
    scratch: Any  # one element
    actions: Any  # scratch: the legal actions listed last
    weights: Any  # scratch: their prior weights
    marks: Any  # scratch, by action: the stamp of the listing it was last in
    values: Any  # scratch: the leaf's value to each seat


def new_tree(game: Game, nodes: int, visited: int) -> Tree:
    """A tree with room for so many nodes, so many of them visited."""
    actions, seats = game.actions.size, max(game.seats)
    tree = Tree(
        nodes=np.zeros(nodes, Node.dtype),
        statistics=np.zeros(visited, statistics_record(seats).dtype),
        scratch=np.zeros(1, Scratch.dtype),
        actions=np.zeros(actions, np.int32),
        weights=np.zeros(actions, np.float64),
        marks=np.zeros(actions, np.int64),
        values=np.zeros(seats, np.float64),
    )
    tree.nodes[0]["sibling"] = tree.statistics[0]["first_child"] = NONE
    tree.scratch[0]["nodes_used"] = tree.scratch[0]["statistics_used"] = 1
    tree.scratch[0]["has_secrets"] = bool(game.secrets)
    return tree
