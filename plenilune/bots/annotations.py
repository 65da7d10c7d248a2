"""A review's remarks as comments in the file of a match."""

from __future__ import annotations

import re
from collections.abc import Iterable

from plenilune.bots.review import LOSSES, Remark
from plenilune.match import Match

ANNOTATION = re.compile(r"\s+# (\?!|\?\?|\?) better: .*")


def annotated(match: Match, remarks: Iterable[Remark]) -> Match:
    """The match again, with what is to be said about its actions beside them. Other remarks stay, earlier ones of this
    kind do not."""
    copy = Match.load(match.save())
    for remark in remarks:
        said = ANNOTATION.sub("", copy.replay.remarks.pop(remark.ply, "")) + annotation(remark)
        if said:
            copy.replay.remarks[remark.ply] = said
    return copy


def annotation(r: Remark) -> str:
    """
    >>> annotation(Remark(9, 0, [], "move 3", "move 5", [0.75, 0.25], [0.625, 0.375]))
    '  # ? better: move 5 (+12%)'
    """
    return f"  # {r.mark} better: {r.better} (+{100 * r.lost:.0f}%)" if r.mark in LOSSES else ""
