"""Version 1 of the rules, for matches begun by it: a split that ends the match halfway needs no second half.

Everything else is as in the present rules; RULES 12.9 tells why that was changed.
"""

from __future__ import annotations

from dataclasses import replace

from plenilune.core.engine import rule
from plenilune.core.record import CHANCE, Ints
from plenilune.games.moon_leap import GAME as PRESENT
from plenilune.games.moon_leap import rules
from plenilune.games.moon_leap.rules import (
    GOAL,
    PASS,
    SPLIT,
    SPLITS,
    SPLITS_OF,
    empty_goals,
    landing,
    legal_moves,
    legal_rolls,
)
from plenilune.games.moon_leap.rules import can_split as can_split_whole
from plenilune.games.moon_leap.tables import SPACES


class State(rules.State):
    """The same bytes in a type of its own, by which compiled code finds the `legal` below."""

    edition = "_version_1"


@rule
def legal(s: State, out: Ints) -> int:
    if s.to_play == CHANCE:
        return legal_rolls(out)
    n = legal_moves(s, out)
    if s.post_passed:
        n = legal_splits(s, out, n)
    if n == 0:
        out[n] = PASS
        n += 1
    return n


@rule
def legal_splits(s: State, out: Ints, n: int) -> int:
    for split in range(SPLITS_OF[s.die, 0], SPLITS_OF[s.die, 1]):
        if can_split(s, SPLITS[split, 0], SPLITS[split, 1]):
            out[n] = SPLIT + split
            n += 1
    return n


@rule
def can_split(s: State, first: int, second: int) -> bool:
    return ends_the_match(s, first) or can_split_whole(s, first, second)


@rule
def ends_the_match(s: State, pawn: int) -> bool:
    """Whether the pawn would take the last free one of the last three spaces, coming from before them."""
    here = s.where[s.to_play, pawn]
    return here <= SPACES - GOAL and empty_goals(s) == 1 and landing(s, here) > SPACES - GOAL


GAME = replace(PRESENT, version=1, State=State, legal=legal, earlier={})
