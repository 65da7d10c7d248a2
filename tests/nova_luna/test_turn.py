"""RULES 4.1 and 4.3 to 4.5: who moves, taking, advancing, placing."""

import pytest

from plenilune import IllegalAction
from tests.nova_luna.positions import (
    Cell,
    hand,
    laid,
    lay_row,
    number,
    open_cells,
    picture,
    play,
    table,
    tableau,
    tiles_of,
    track,
    wheel,
)
from tests.oracles.nova_luna import TILES

ELEVEN = "r1 r2a r2b r3a r3b r3c r3d r4a r4b r4c r4d"


# Taking


@pytest.mark.parametrize(("nth", "tile"), [(1, "r1"), (2, "r2a"), (3, "r2b")])
def test_one_of_the_next_three_tiles_after_the_moon_is_taken(nth: int, tile: str) -> None:
    match = table(2, ELEVEN)
    assert match.legal() == ["take 1", "take 2", "take 3"]
    match.play(f"take {nth}")
    assert hand(match) == tile


def test_the_moon_moves_into_the_slot_of_the_tile() -> None:
    match = table(2, ELEVEN)
    match.play("take 2")
    assert wheel(match) == ". r1 moon r2b r3a r3b r3c r3d r4a r4b r4c r4d"


def test_the_next_tiles_are_counted_from_where_the_moon_is_now() -> None:
    match = play(table(1, ELEVEN), "take 2 place 0,0 take 3")
    assert hand(match) == "r3b"
    assert wheel(match) == ". r1 . r2b r3a moon r3c r3d r4a r4b r4c r4d"


def test_empty_slots_are_skipped_also_across_the_start_of_the_wheel() -> None:
    match = table(1, ELEVEN)
    play(match, "take 3 place 0,0 take 3 place 1,0 take 3 place 2,0")
    assert wheel(match) == ". r1 r2a . r3a r3b . r3d r4a moon r4c r4d"
    play(match, "take 3 place 3,0")
    assert wheel(match) == ". moon r2a . r3a r3b . r3d r4a . r4c r4d"
    play(match, "take 2")
    assert hand(match) == "r3a"


def test_with_two_tiles_on_the_wheel_there_are_two_to_take_and_with_one_there_is_one() -> None:
    match = lay_row(table(1, ELEVEN), 9)
    assert wheel(match) == ". . . . . . . . . moon r4c r4d"
    assert match.legal() == ["take 1", "take 2"]
    play(match, "take 2 place 9,0")
    assert match.legal() == ["take 1"]
    match.play("take 1")
    assert hand(match) == "r4c"


def test_a_tile_taken_is_placed_at_once_by_the_same_seat_no_matter_who_is_rearmost() -> None:
    match = table(2, "r7")
    match.play("take 1")
    assert track(match) == "0: 2, 7: 1"
    assert (match.to_play, match.legal()) == (0, ["place 0,0"])
    match.play("place 0,0")
    assert match.to_play == 1


# The track


def test_the_mover_advances_by_the_number_of_the_tile() -> None:
    match = lay_row(table(3, "r3a b5a t2a y6a"), 3)
    assert track(match) == "2: 3, 3: 1, 5: 2"
    lay_row(match, 1)
    assert track(match) == "3: 1, 5: 2, 8: 3"


def test_the_rearmost_seat_moves_also_several_times_in_a_row() -> None:
    match = lay_row(table(2, "r7 b1 t1 y1 b2a t2a y2a"), 2)
    movers = []
    while match.to_play == 1:
        movers.append(track(match))
        lay_row(match, 1)
    assert movers == ["1: 2, 7: 1", "2: 2, 7: 1", "3: 2, 7: 1", "5: 2, 7: 1", "7: 1 2"]
    assert track(match) == "7: 1, 9: 2"


def test_the_last_to_arrive_lies_on_top_and_moves_first() -> None:
    match = lay_row(table(3, "r3a b3a t3a"), 3)
    assert track(match) == "3: 1 2 3"
    order = []
    for _ in range(3):
        order.append(match.to_play + 1)
        lay_row(match, 1)
    assert order == [3, 2, 1]


def test_landing_on_the_rearmost_opponent_keeps_the_turn() -> None:
    match = lay_row(table(2, "r3a b1 b2a"), 2)
    assert (track(match), match.to_play) == ("1: 2, 3: 1", 1)
    lay_row(match, 1)
    assert (track(match), match.to_play) == ("3: 1 2", 1)


def test_landing_one_short_keeps_the_turn_and_one_beyond_loses_it() -> None:
    assert lay_row(table(2, "r3a b2a"), 2).to_play == 1
    assert lay_row(table(2, "r3a b4a"), 2).to_play == 0


def test_landing_on_opponents_who_are_not_rearmost_does_not_keep_the_turn() -> None:
    match = lay_row(table(3, "r3a b3a"), 2)
    assert (track(match), match.to_play) == ("0: 3, 3: 1 2", 2)


def test_a_token_leaves_a_stack_from_wherever_it_lies_and_the_others_keep_their_order() -> None:
    match = lay_row(table(4, "r1 b1 t1 y1"), 4)
    assert track(match) == "1: 1 2 3 4"
    lay_row(match, 1)
    assert track(match).startswith("1: 1 2 3, ")


def test_the_track_counts_on_beyond_its_24_spaces() -> None:
    match = lay_row(table(2, "r7 b7 t7 y7 r6a b6a t6a y6a r6b b6b t6b"), 11)
    assert track(match) == "32: 1, 38: 2"


# Placing


def test_the_first_tile_lies_at_the_origin() -> None:
    match = play(table(2), "take 1")
    assert match.legal() == ["place 0,0"]


def test_the_second_tile_goes_to_one_of_four_sides() -> None:
    match = play(laid("r1"), "take 1")
    assert open_cells(match) == picture("""
        .  +  .
        +  r1 +
        .  +  .
    """)


def test_a_tile_goes_edge_to_edge_never_corner_to_corner_and_never_onto_another() -> None:
    match = laid("""
        r1  b1  .
        .   t1  y1
        r2a b2a .
    """)
    assert open_cells(play(match, "take 1")) == picture("""
        .   +   +   .   .
        +   r1  b1  +   .
        .   +   t1  y1  +
        +   r2a b2a +   .
        .   +   +   .   .
    """)
    for cell in ("0,0", "3,0", "3,-2", "-1,1"):
        with pytest.raises(IllegalAction, match=f"'place {cell}' is not allowed now"):
            match.play(f"place {cell}")


def test_a_hole_in_the_tableau_is_a_cell_like_any_other() -> None:
    match = play(laid("r1 b1 t1\ny1 . r2a\nb2a t2a y2a", then="r7"), "take 1 place 1,-1")
    assert tableau(match) == picture("""
        r1  b1  t1
        y1  r7  r2a
        b2a t2a y2a
    """)


def test_x_grows_to_the_right_and_y_upwards_from_the_first_tile_for_good() -> None:
    match = table(1, "r1 b1 t1 y1 r2a")
    play(match, "take 1 place 0,0 take 1 place -1,0 take 1 place -1,-1 take 1 place 0,1 take 1 place 1,0")
    assert tableau(match) == picture("""
        .   y1  .
        b1  r1  r2a
        t1  .   .
    """)
    assert tiles_of(match)[0, 0] == "r1"
    assert tiles_of(match)[-1, -1] == "t1"


def test_colours_need_not_match_anything() -> None:
    match = play(laid("r2a", then="y2a"), "take 1")
    assert match.legal() == ["place -1,0", "place 0,-1", "place 0,1", "place 1,0"]


def test_each_seat_places_in_its_own_tableau() -> None:
    match = laid("r1 b2a", "t1\ny2a")
    assert tableau(match, 0) == "r1  b2a"
    assert tableau(match, 1) == "t1\ny2a"


@pytest.mark.parametrize("step", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_a_tableau_has_no_edge(step: Cell) -> None:
    """The 44 cheapest tiles, more than which nobody can lay, in a straight line."""
    dx, dy = step
    cheapest = sorted(TILES, key=number)[:44]
    line = {(n * dx, n * dy): tile for n, tile in enumerate(cheapest)}
    match = laid(line, seats=2)
    assert tiles_of(match) == line
    assert f"place {43 * dx},{43 * dy}" in match.history
