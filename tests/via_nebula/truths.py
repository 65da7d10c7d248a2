"""Pairs of matches that differ only in what is hidden from somebody."""

import random
from collections.abc import Iterator

from plenilune import CHANCE, Match
from plenilune.core.record import SPECTATOR
from tests.via_nebula.positions import BOX


def two_truths(seats: int, map: str, viewer: int, chooser: random.Random) -> Iterator[tuple[Match, Match]]:
    """Two matches at every ply, alike but for what is hidden from the viewer; as long as an action goes in both."""
    one, other = Match("via-nebula", seats, map=map), Match("via-nebula", seats, map=map)
    own = chooser.sample(BOX.cards("private"), 2) if viewer != SPECTATOR else []  # what the viewer will be dealt
    while not one.over:
        yield one, other
        if one.to_play == CHANCE and is_hidden(one, viewer):
            for match in (one, other):
                match.play(chooser.choice([action for action in match.legal() if action.split()[-1] not in own]))
            continue
        both = [action for action in one.legal() if action in other.legal()]
        dealt = [action for action in both if action.startswith("deal") and action.split()[-1] in own]
        eager = [action for action in both if action.split()[0] in ("build", "use")]
        if not both:
            return
        action = chooser.choice(dealt or eager or both)
        one.play(action)
        other.play(action)


def is_hidden(match: Match, viewer: int) -> bool:
    """Whether what chance plays now is hidden from the viewer."""
    verb, *words = match.legal()[0].split()
    if verb == "deal":
        return int(words[0]) - 1 != viewer
    return verb == "plan" and bool(match.state.mover != viewer)
