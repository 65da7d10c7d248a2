"""A search one ply deep, without a tree."""

from __future__ import annotations

import math
from typing import Any

from plenilune.bots.search.evaluation import state_values
from plenilune.bots.search.records import NONE
from plenilune.core.engine import apply, below, legal, rule


@rule
def greedy_action(s: Any, trial: Any, actions: Any, values: Any, rng: Any) -> int:
    """The action after which the seat to play is best off; of equal ones any. Leaves in `values` what the position is
    then worth to it."""
    best, best_value, equals, seat = NONE, -math.inf, 0, s.to_play
    n = legal(s, actions)
    for i in range(n):
        trial[0] = s
        apply(trial[0], actions[i])
        state_values(trial[0], values)
        if values[seat] > best_value:
            best, best_value, equals = int(actions[i]), values[seat], 1
        elif values[seat] == best_value:
            equals += 1
            if below(rng, equals) == 0:
                best = int(actions[i])
    values[seat] = best_value
    return best
