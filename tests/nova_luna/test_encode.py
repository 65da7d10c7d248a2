"""The arrays for networks hold what their documentation says."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from plenilune import Match
from plenilune.games.nova_luna.encode import PLACE_CODE, Planes, Tokens, codes, features, planes, tokens
from tests.nova_luna.positions import laid, lay_row, play, table, tiles_of
from tests.oracles.nova_luna import TILES, Oracle
from tests.play import walk

COLOURS = "rbty"
SHAPES = {
    "table": (18,),
    "seats": (4, 7),
    "supply": (68,),
    "shown": (12, 20),
    "tiles": (4, 45, 27),
    "cells": (92, 7),
}


def of(match: Match, seat: int = 0) -> Planes:
    return features(match.seen_by(seat), seat)


def some(every: int) -> Iterator[tuple[Match, int]]:
    """Random matches for each number of seats, now and then, as each seat sees them."""
    for seats in (1, 2, 3, 4):
        for match in walk(Match("nova-luna", seats), seed=seats):
            if match.ply % every == 0 or match.over:
                yield from ((match, seat) for seat in range(seats))


def printed(tile: str) -> list[float]:
    """The seventeen columns that describe a tile."""
    design = TILES[tile]
    tasks = [*design.tasks, "", "", ""][:3]
    return [
        *(float(colour == design.colour) for colour in COLOURS),
        design.number / 7,
        *(task.count(colour) / 4 for task in tasks for colour in COLOURS),
    ]


def near(row: ArrayLike, expected: ArrayLike) -> bool:
    return bool(np.allclose(row, expected))


# Shapes


def test_shapes_and_types_are_the_same_at_every_ply_of_every_match() -> None:
    for match, seat in some(every=1):
        found: Any = of(match, seat)
        for name, shape in SHAPES.items():
            assert (found[name].shape, found[name].dtype) == (shape, np.float32)
            assert np.isfinite(found[name]).all()


def test_arrays_may_be_used_again() -> None:
    for kind, write in ((Planes, planes), (Tokens, tokens)):
        out: Any = kind.new()
        for match, seat in some(every=7):
            fresh: Any = kind.new()
            write(match.seen_by(seat), seat, out)
            write(match.seen_by(seat), seat, fresh)
            assert out.tobytes() == fresh.tobytes()


# A small position


@pytest.fixture
def small() -> Match:
    """Seat 1 has two tokens and 12 spaces, and waits; seat 2 is to take."""
    return laid("r6a t6b", "y7", then="y4d b1")


def test_the_table(small: Match) -> None:
    table = of(small, 1).table
    assert list(table[:4]) == [0, 1, 0, 0]
    assert sum(table[4:10]) == 1
    assert near(table[10:], [0, 0, 1, 0, 8 / 11, 57 / 68, 0, 0])
    assert of(small, 0).table[12] == 0


def test_the_seats_own_first(small: Match) -> None:
    one, two, nobody = [1, 0, 2 / 21, 18 / 21, 5 / 7, 1 / 3, 2 / 45], [1, 1, 0, 20 / 21, 0, 0, 1 / 45], [0.0] * 7
    assert near(of(small, 0).seats, [one, two, nobody, nobody])
    assert near(of(small, 1).seats, [two, one, nobody, nobody])


def test_the_wheel_clockwise_from_the_moon(small: Match) -> None:
    shown = of(small).shown
    assert near(shown[0], [*printed("y4d"), 1, 0, 0])
    assert near(shown[1], [*printed("b1"), 0, 1, 0])
    assert near(shown[2, 17:], [0, 0, 1])
    assert not shown[3:, 17:].any()
    assert not shown[8:].any()


def test_the_tile_in_hand_comes_last(small: Match) -> None:
    shown = of(play(small, "take 2")).shown
    assert near(shown[11], [*printed("b1"), 0, 0, 0])
    assert near(shown[10], [*printed("y4d"), 0, 0, 0])


def test_the_tiles_of_the_tableaux(small: Match) -> None:
    tiles = of(small).tiles
    assert near(tiles[0, 0], [*printed("r6a"), 0, 0, 0, 0, 1, 0, 0, 1 / 4, 0, 1 / 4])
    assert near(tiles[0, 1], [*printed("t6b"), 1 / 10, 0, 0, 0, 1, 1 / 4, 0, 0, 0, 1 / 4])
    assert near(tiles[1, 0], [*printed("y7"), *[0] * 9, 1 / 4])
    assert not tiles[0, 2:].any()
    assert not tiles[1, 1:].any()
    assert not tiles[2:].any()


def test_the_cells_for_the_next_tile() -> None:
    match = laid("b1 b2a\nt4a .", then="y1")
    found = {tuple(np.round(row[1:3] * 10).astype(int)): list(row[3:] * 4) for row in of(match).cells if row[0]}
    assert found[1, -1] == [0, 2, 1, 0]  # two sides: both blue tiles by one of them, and turquoise
    assert found[0, 1] == [0, 2, 0, 0]
    assert found[-1, -1] == [0, 0, 1, 0]
    assert len(found) == 7


def test_the_code_of_a_place_is_the_row_of_its_cell() -> None:
    match = play(laid("b1 b2a\nt4a ."), "take 1")
    numbers = np.array(match.legal_numbers(), np.int32)
    out = np.zeros_like(numbers)
    codes(match.state, numbers, len(numbers), out)
    cells = of(match).cells[:, :3]
    at = [f"place {round(10 * x)},{round(10 * y)}" for here, x, y in cells if here]
    assert {match.game.actions.text(n): code for n, code in zip(numbers, out, strict=True)} == {
        text: PLACE_CODE + row for row, text in enumerate(at)
    }


def test_how_a_tableau_came_about_does_not_matter() -> None:
    one, other = laid("b1 b2a\nt4a ."), laid("b1 b2a\nt4a .")
    found = [encoded(match, kind, write) for match in (one, other) for kind, write in WRITERS]
    cells = [one.state.open_cells[: one.state.opened[0]].tolist() for one in (one, other)]
    shuffled = other.state.open_cells[: other.state.opened[0]]
    shuffled[:] = shuffled[::-1].copy()
    assert cells[0] != other.state.open_cells[: other.state.opened[0]].tolist()
    assert found[:2] == [encoded(other, kind, write) for kind, write in WRITERS]


def encoded(match: Match, kind: Any, write: Any) -> bytes:
    out = kind.new()
    write(match.seen_by(0), 0, out)
    made: bytes = out.tobytes()
    return made


WRITERS = ((Planes, planes), (Tokens, tokens))


def test_the_tokens_of_a_small_position(small: Match) -> None:
    found: Any = Tokens.new()
    tokens(small.seen_by(0), 0, found)
    where = {tile: list(found.tiles[i]) for i, tile in enumerate(TILES)}
    assert where["y4d"] == [1, 0, 0, 0, 0]
    assert where["b1"] == [2, 0, 0, 0, 0]
    assert where["r6a"] == [13, 45, 45, 0b100, 1]
    assert where["t6b"] == [13, 46, 45, 0b100, 1]
    assert where["y7"] == [14, 45, 45, 0, 1]
    assert list(found.table[0]) == [1, 0, 18, 5, 1, 2]
    assert list(found.table[1]) == [1, 1, 20, 0, 0, 1]
    assert not found.table[2:].any()
    assert (found.own_turn[0], found.on_wheel[0], found.in_supply[0]) == (0, 8, 57)
    cells = [(int(x) - 45, int(y) - 45) for x, y in found.cells if x]
    assert sorted(cells) == [(-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (2, 0)]


def test_solo_has_its_phase_and_its_sums() -> None:
    match = table(1)
    assert near(of(match).table[10:], [1, 0, 1, 0, 1, 57 / 68, 0.8, 2.1])
    assert near(of(laid("t5a b7 r5a\nt5b y6b")).table[10:14], [1, 0, 1, 1])
    assert near(of(lay_row(match, 11)).table[10:14], [0, 1, 0, 0])


def test_the_others_follow_in_the_order_in_which_they_would_move() -> None:
    match = lay_row(table(4, "r3a b5a t4a"), 3)
    laid_first = {seat: next(iter(tiles_of(match, seat).values()), "") for seat in range(4)}
    rows = {seat: [list(row) for row in of(match, seat).tiles[:, 0, :17]] for seat in range(4)}
    for seat, order in {0: [0, 3, 2, 1], 1: [1, 3, 0, 2], 2: [2, 3, 0, 1], 3: [3, 0, 2, 1]}.items():
        for row, other in zip(rows[seat], order, strict=True):
            assert near(row, printed(laid_first[other]) if laid_first[other] else [0] * 17)


# Any position


def test_every_array_says_what_the_view_says() -> None:
    for match, seat in some(every=9):
        view, found = match.view(seat), of(match, seat)
        for tile, here in zip(TILES, found.supply, strict=True):
            assert here == (tile in view.supply)
        slots = [view.wheel[(view.moon + step) % 12] for step in range(1, 12)]
        for row, tile in zip(found.shown, [*slots, view.hand], strict=True):
            assert near(row[:17], printed(tile.id) if tile else [0] * 17)
        assert near(found.seats[0, 2:4] * 21, [view.tableaux[seat].tokens_placed, view.tableaux[seat].tokens_left])


def test_help_is_counted_as_the_tasks_count_it() -> None:
    for match, seat in some(every=9):
        oracle, found = Oracle(match.seats), of(match, seat)
        oracle.tableaux[seat] = tableau = tiles_of(match, seat)
        for row, (cell, tile) in zip(found.tiles[0], tableau.items(), strict=False):
            help = [len(oracle.reached(seat, cell, colour)) / 4 for colour in COLOURS]
            group = (len(oracle.reached(seat, cell, tile[0])) + 1) / 4
            assert near(row[17:19] * 10, list(cell))
            assert near(row[22:], [*help, group])
        oracle.mover = seat
        free = {cell: [len(oracle.reached(seat, cell, c)) / 4 for c in COLOURS] for cell in oracle.open_cells()}
        cells = {tuple(np.round(row[1:3] * 10).astype(int)): row[3:] for row in found.cells if row[0]}
        assert set(cells) == set(free)
        assert all(near(cells[cell], free[cell]) for cell in free)
