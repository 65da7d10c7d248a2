"""Hidden information: opponents choose without knowing the searcher's secrets."""

from __future__ import annotations

from typing import Any

from plenilune.bots.search.expansion import is_marked, mark_available
from plenilune.bots.search.records import DECOY, NONE, TRUE, Tree
from plenilune.bots.search.tree import has_secrets, statistics_of
from plenilune.core.engine import below, hide, resample, rule
from plenilune.core.maths import power
from plenilune.core.record import CHANCE, SPECTATOR
from plenilune.game import Tuning

PRIOR_VISITS = 2.0  # how many decoys' visits an action's prior stands for
RESOLUTION = 1 << 30


@rule
def is_true(tree: Tree) -> bool:
    """Whether the simulation knows secrets that opponents must not use."""
    return bool(has_secrets(tree) and tree.scratch[0].kind == TRUE)


@rule
def become_decoy(tree: Tree, s: Any, viewer: int, node: int, depth: int, rng: Any) -> bool:
    """Resample what a spectator does not know, unless decoys have visited the node more often than true simulations:
    those look for whatever gains most, and would find where opponents have not been searched. Returns whether the
    simulation is a decoy now. None becomes one right after another seat's action, for the decoys' visits there are that
    seat's policy."""
    before = tree.scratch[0].actors[depth - 1] if depth > 0 else viewer
    enough = tree.nodes[node].visits[DECOY] > tree.nodes[node].visits[TRUE]
    if enough or (before != viewer and before != CHANCE):
        return False
    tree.scratch[0].kind, tree.scratch[0].kind_since = DECOY, depth
    hide(s, SPECTATOR)
    resample(s, SPECTATOR, rng)
    return True


@rule
def opponent_child(tree: Tree, s: Any, node: int, trial: Any, tuning: Tuning, rng: Any) -> int:
    """A child sampled by the decoys' visits to the power of `opponent_sharpness`. Without knowing the secrets, one has
    to mix actions that are about as good: always taking the best would be easy to exploit."""
    if not mark_available(tree, s, node, trial, tuning):
        return NONE
    total, chosen = 0.0, NONE
    child = statistics_of(tree, node).first_child
    while child != NONE:
        if is_marked(tree, child):
            visits = tree.nodes[child].visits[DECOY] + PRIOR_VISITS * tree.nodes[child].prior
            weight = power(visits, tuning.opponent_sharpness)
            total += weight
            if below(rng, RESOLUTION) * total < weight * RESOLUTION:
                chosen = child
        child = tree.nodes[child].sibling
    return int(chosen)
