"""Play with the component table in use, beside the oracle: `python -m tests.via_nebula.own_box SEATS MAP`.

It runs in a process of its own, since a process knows one table.
"""

from __future__ import annotations

import random
import sys

import numpy as np

from plenilune import Match
from plenilune.core.drawing import plain
from plenilune.games.via_nebula.encode import features
from tests.oracles.via_nebula import Oracle
from tests.oracles.views import via_nebula as views
from tests.via_nebula.test_oracle import stay_together, with_a_purpose


def main(seats: int, map: str) -> None:
    match, oracle = Match("via-nebula", seats, map=map), Oracle(seats, map)
    stay_together(match, oracle, with_a_purpose, random.Random(1))
    assert Match.load(match.save()).save() == match.save()
    again = Match("via-nebula", seats, map=map)
    for number, action in enumerate(match.history):
        again.play(action)
        if number % 40 == 0 or again.over:
            look(again)


def look(match: Match) -> None:
    """Whatever is made from a state is sound on this table."""
    chances = np.zeros(match.seats)
    assert match.game.evaluate
    match.game.evaluate(match.seen_by(0), chances)
    assert np.isclose(chances.sum(), 1.0), chances
    for seat in range(-1, match.seats):
        seen = match.seen_by(seat)
        assert str(match.game.view(seen)) == str(views.view(seen))
        assert all(len(line) <= 170 for line in plain(match.game.draw(match.view(seat))).splitlines())
    planes = features(match.seen_by(0), 0)
    for array in (planes.hexes, planes.cards, planes.guilds, planes.table):
        assert np.isfinite(array).all()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
