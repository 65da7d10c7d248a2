"""What networks get: RULES 9, and shapes that never change."""

import random
from typing import Any

import numpy as np
import pytest

from plenilune import Match
from plenilune.games.via_nebula.encode import Planes, features
from tests.play import walk
from tests.via_nebula.positions import position
from tests.via_nebula.truths import two_truths

TABLES = [(seats, map) for seats in (2, 3, 4) for map in ("beginner", "expert")]


def seen(match: Match, seat: int) -> list[Any]:
    found: Any = features(match.seen_by(seat), seat)
    return [found[name] for name in Planes.dtype.names or () if found[name].size]


@pytest.mark.parametrize(("seats", "map"), TABLES)
def test_the_shapes_are_the_same_for_every_match_and_ply(seats: int, map: str) -> None:
    shapes = [(array.shape, array.dtype) for array in seen(Match("via-nebula"), 0)]
    for match in walk(Match("via-nebula", seats, map=map), seats):
        if match.ply % 9 == 0 or match.over:
            for seat in range(seats):
                arrays = seen(match, seat)
                assert [(array.shape, array.dtype) for array in arrays] == shapes
                assert all(np.isfinite(array).all() for array in arrays)


def test_making_features_changes_nothing() -> None:
    match = position("c7 1 wood, c6a 1 clay, d7 tile")
    before = match.state.tobytes()
    state = match.seen_by(0)
    kept = state.tobytes()
    features(state, 0)
    assert (match.state.tobytes(), state.tobytes()) == (before, kept)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "map"), TABLES)
def test_features_of_two_truths_that_look_the_same_are_equal(seats: int, map: str) -> None:
    chooser, differed = random.Random(f"{seats} {map}"), False
    for viewer in range(seats):
        for one, other in two_truths(seats, map, viewer, chooser):
            if one.ply % 5 == 0:
                for a, b in zip(seen(one, viewer), seen(other, viewer), strict=True):
                    assert np.array_equal(a, b)
                differed |= one.state.tobytes() != other.state.tobytes()
    assert differed


def test_features_tell_positions_apart() -> None:
    base = position("c7 1 wood, c6a 1 clay, d7 tile")
    others = [
        position("c7 2 wood, c6a 1 clay, d7 tile"),
        position("c7 1 stone, c6a 1 clay, d7 tile"),
        position("c7 1 wood, c6a 2 clay, d7 tile"),
        position("c7 1 wood, c6a 1 food, d7 tile"),
        position("c7 1 wood, c6a 1 clay, d8 tile"),
        position("c7 1 wood, c6a 1 clay, d7 tile", left=1),
        position("c7 1 wood, c6a 1 clay, d7 tile", turn=2),
        position("c7 1 wood, c6a 1 clay, d7 tile", storage="wood"),
        position("c7 1 wood, c6a 1 clay, d7 tile", took="food-4a"),
        position("c7 1 wood, c6a 1 clay, d7 tile", tiles=7),
        position("c7 1 wood, c6a 1 clay, d7 tile", hand="quiet-town-a"),
        position("c7 1 wood, c6a 1 clay, d7 tile", display="mayor-a"),
        position("c7 1 wood, c6a 1 clay, d7 tile, f7a 1 mayor-a"),
    ]
    for other in others:
        assert any(not np.array_equal(a, b) for a, b in zip(seen(base, 0), seen(other, 0), strict=True))


def test_a_seat_sees_itself_where_any_other_sees_itself() -> None:
    """The same position with the seats exchanged gives the same arrays, but for whose turn it is next."""
    one = position("c7 1 wood, c6a 1 clay, d7 tile, f7a 2", hand={1: "quiet-town-a shortcut-a"}, turn=1)
    other = position("c7 2 wood, c6a 2 clay, d7 tile, f7a 1", hand={2: "quiet-town-a shortcut-a"}, turn=2)
    for a, b in zip(seen(one, 0), seen(other, 1), strict=True):
        assert np.array_equal(a, b)
