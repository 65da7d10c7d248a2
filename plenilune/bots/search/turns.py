"""Whole turns of a seat, which may be several plies: depth first, without a tree."""

from __future__ import annotations

from typing import Any

from plenilune.core.engine import apply, legal, rule


@rule
def next_turn(states: Any, actions: Any, left: Any, depth: int) -> int:
    """Play another turn of the seat to play in states[0], as deep as there are places in `left`, with one more in
    `states`: states[d] is the position at depth d, actions[d] what may be played there, left[d] how much of it is still
    to be tried. Goes on from the depth at which the last turn ended (at first 0, with left[0] actions in actions[0]);
    returns the depth at which this one does, or -1 if there are no more. It begins with actions[0][left[0]] and leads
    to states[depth + 1]."""
    seat = states[0].to_play
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        states[depth + 1] = states[depth]
        apply(states[depth + 1], actions[depth][left[depth]])
        if states[depth + 1].to_play != seat or depth + 1 == len(left):
            break
        depth += 1
        left[depth] = legal(states[depth], actions[depth])
    return depth
