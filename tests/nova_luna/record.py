"""Writes a match for every way in which Nova Luna can end: `python -m tests.nova_luna.record FOLDER`.

To be run again whenever the rules get a new version; seeds are tried until the ending is the one that is wanted.
"""

import random
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

from plenilune import Match
from tests.nova_luna.players import against_an_eager_seat, at_random, ending, finish
from tests.nova_luna.positions import laid, tokens_left

Wanted = Callable[[Match], bool]


def ends(how: str) -> Wanted:
    return lambda match: ending(match) == how


def decided_by(what: str) -> Wanted:
    """No more tiles, and the first two places decided by tokens, by the track, or by the stack."""
    return lambda match: ending(match) == "no more tiles" and decision(match) == what


def decision(match: Match) -> str:
    first, second = (match.places.index(place) for place in (1, 2))
    left = tokens_left(match)
    distance = {token.seat: token.distance for token in match.view().track}
    if left[first] != left[second]:
        return "tokens"
    return "track" if distance[first] != distance[second] else "stack"


RECORDS: list[tuple[str, str, int, str, Wanted]] = [  # file, comment, seats, tokens, ending
    ("last-token-2", "the last token of one of two seats", 2, "full", ends("last token")),
    ("last-token-3", "the last token of one of three seats", 3, "full", ends("last token")),
    ("last-token-4", "the last token of one of four seats", 4, "full", ends("last token")),
    ("first-game-3", "the last of 17 tokens", 3, "first-game", ends("last token")),
    ("first-game-4", "the last of 15 tokens", 4, "first-game", ends("last token")),
    ("no-tiles", "no more tiles, fewest tokens left", 2, "full", decided_by("tokens")),
    ("no-tiles-track", "no more tiles, a tie broken by the track", 3, "full", decided_by("track")),
    ("no-tiles-stack", "no more tiles, a tie broken within a stack", 4, "full", decided_by("stack")),
    ("solo-stopped", "phase 1 stopped, the wheel empty", 1, "full", ends("stopped, no more tiles")),
    ("solo-ran-out", "phase 1 ran out, the wheel empty", 1, "full", ends("ran out, no more tiles")),
    ("solo-stopped-all", "phase 1 stopped, all 21 tokens placed", 1, "full", ends("stopped, last token")),
    ("solo-ran-out-all", "phase 1 ran out, all 21 tokens placed", 1, "full", ends("ran out, last token")),
]


def record(comment: str, seats: int, tokens: str, wanted: Wanted) -> str:
    for number in count():
        player = (at_random, against_an_eager_seat)[number % 2](random.Random(number))
        match = finish(Match("nova-luna", seats, seed=str(number), tokens=tokens), player)
        if wanted(match):
            return save(match, comment)
    raise AssertionError


def save(match: Match, comment: str) -> str:
    match.replay.comments["game"] = [f"# How it ends: {comment}."]
    return match.save()


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, comment, seats, tokens, wanted in RECORDS:
        (folder / f"{name}.match").write_text(record(comment, seats, tokens, wanted), "utf-8")
    lucky = laid("b5b t7 y7 r5b\ny6a r7* b7 .\ny5a r6a t5a .")  # no seed will give this away
    (folder / "solo-phase-1.match").write_text(save(lucky, "all 21 tokens placed in phase 1"), "utf-8")
