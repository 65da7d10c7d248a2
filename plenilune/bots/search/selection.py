"""Which child a simulation goes to: PUCT at decisions, sampling at chance nodes."""

from __future__ import annotations

import math
from typing import Any

from plenilune.bots.search.expansion import add_children, expand, is_marked
from plenilune.bots.search.records import DECOY, NONE, Tree
from plenilune.bots.search.tree import (
    add_child,
    child_by,
    has_secrets,
    is_solved,
    mean_value,
    nth_child,
    statistics_of,
)
from plenilune.core.engine import below, legal, rule
from plenilune.game import Tuning

WIDE = 12  # chance nodes with more outcomes than this are widened progressively


@rule
def best_child(tree: Tree, s: Any, node: int, depth: int, trial: Any, tuning: Tuning) -> int:
    """The child to try next, by PUCT; NONE if the tree is full. If the best child is solved, its value will be backed
    up, and the simulation goes on to the best child that is not."""
    if not statistics_of(tree, node).complete and not add_children(tree, s, node, trial, tuning):
        return NONE
    actor, kind = s.to_play, tree.scratch[0].kind
    unvisited = mean_value(tree, node, kind, actor, 0.5) - tuning.first_play
    exploration = exploration_constant(kind, tuning)
    spread = exploration * math.sqrt(tree.nodes[node].visits[kind])
    best, best_score, open_best, open_score = NONE, -math.inf, NONE, -math.inf
    child = statistics_of(tree, node).first_child
    while child != NONE:
        if not has_secrets(tree) or is_marked(tree, child):
            if has_secrets(tree):
                spread = exploration * math.sqrt(tree.nodes[child].available[kind])
            score = child_score(tree, child, kind, actor, spread, unvisited)
            if score > best_score:
                best, best_score = child, score
            if score > open_score and not is_solved(tree, child):
                open_best, open_score = child, score
        child = tree.nodes[child].sibling
    if is_solved(tree, best) and open_best != NONE:
        tree.scratch[0].solved_best[depth] = best
        return int(open_best)
    return int(best)


@rule
def exploration_constant(kind: int, tuning: Tuning) -> float:
    return float(tuning.explore * tuning.decoy_exploration if kind == DECOY else tuning.explore)


@rule
def child_score(tree: Tree, child: int, kind: int, actor: int, spread: float, unvisited: float) -> float:
    """A solved child's exact value to the actor, otherwise its PUCT score."""
    if is_solved(tree, child):
        return float(statistics_of(tree, child).exact[actor])
    return puct(tree, child, kind, actor, spread, unvisited)


@rule
def puct(tree: Tree, child: int, kind: int, actor: int, spread: float, unvisited: float) -> float:
    """The child's mean value to the actor and its exploration bonus."""
    bonus = spread * tree.nodes[child].prior / (1 + tree.nodes[child].visits[kind])
    return float(mean_value(tree, child, kind, actor, unvisited) + bonus)


@rule
def chance_child(tree: Tree, s: Any, node: int, trial: Any, tuning: Tuning, rng: Any) -> int:
    """An outcome, all equally likely; where there are many, among as many as the square root of the node's visits."""
    if statistics_of(tree, node).complete:
        return nth_child(tree, node, below(rng, statistics_of(tree, node).children))
    room = math.sqrt(tree.nodes[node].visits[tree.scratch[0].kind]) + 1
    if statistics_of(tree, node).children >= room and not has_secrets(tree):
        return nth_child(tree, node, below(rng, statistics_of(tree, node).children))
    n = legal(s, tree.actions)
    if n <= WIDE and not has_secrets(tree):
        if not expand(tree, s, node, trial, tuning):
            return NONE
        return nth_child(tree, node, below(rng, n))
    action = tree.actions[below(rng, n)]
    child = child_by(tree, node, action)
    if child == NONE and statistics_of(tree, node).children < room and tree.scratch[0].nodes_used < len(tree.nodes):
        child = add_child(tree, node, action, 1 / n)
    return child
