"""RULES 4.2 and 3.3: when the wheel is filled again, by whom, and how."""

import pytest

from plenilune import CHANCE, Match
from tests.nova_luna.positions import deal, lay_row, play, supply, table, track, wheel

ELEVEN = "r1 r2a r2b r3a r3b r3c r3d r4a r4b r4c r4d"
TAKES = ["take 1", "take 2", "take 3"]


def with_tiles_left(left: int, seats: int = 2) -> Match:
    return lay_row(table(seats, ELEVEN), 11 - left)


def refilled(*left: int) -> Match:
    """A match of four seats in which the wheel has been filled again each time when it had so many tiles left, and
    which has now come to two tiles."""
    match = table(4, ELEVEN)
    for count in left:
        lay_row(match, 11 - count)
        deal(play(match, "refill" if count else ""))
    return lay_row(match, 9)


# When


@pytest.mark.parametrize("left", [3, 4, 5, 6, 7, 8, 9, 10])
def test_with_three_tiles_or_more_there_is_no_refill(left: int) -> None:
    assert with_tiles_left(left).legal() == TAKES


@pytest.mark.parametrize("left", [1, 2])
def test_with_one_or_two_tiles_the_mover_chooses(left: int) -> None:
    match = with_tiles_left(left)
    assert match.to_play >= 0
    assert sorted(match.legal()) == ["keep", "refill"]


def test_with_no_tile_the_wheel_is_filled_and_nobody_is_asked() -> None:
    match = with_tiles_left(0)
    assert (match.to_play, len(match.legal())) == (CHANCE, 57)
    assert deal(match).legal() == TAKES


def test_solo_never_refills_within_a_phase() -> None:
    assert with_tiles_left(2, seats=1).legal() == ["take 1", "take 2"]
    assert with_tiles_left(1, seats=1).legal() == ["take 1"]


# The choice


def test_after_keep_the_mover_takes_what_there_is() -> None:
    match = with_tiles_left(2)
    mover = match.to_play
    match.play("keep")
    assert (match.to_play, match.legal()) == (mover, ["take 1", "take 2"])


def test_after_refill_the_same_seat_takes_having_seen_the_new_tiles() -> None:
    match = with_tiles_left(2)
    mover = match.to_play
    match.play("refill")
    assert match.to_play == CHANCE
    deal(match, "b1")
    assert (match.to_play, match.legal()) == (mover, TAKES)
    assert wheel(match).split().count(".") == 0


def test_the_choice_comes_back_in_the_next_turn() -> None:
    match = play(with_tiles_left(2), "keep take 1 place 4,0")
    assert sorted(match.legal()) == ["keep", "refill"]


def test_the_choice_comes_back_to_a_seat_that_keeps_the_turn() -> None:
    match = lay_row(table(2, "r7 b3a b3b t2a y2a y2b t2b r3a r3b r1"), 9)
    assert track(match) == "13: 2, 14: 1"
    lay_row(match, 1)
    assert (track(match), match.to_play) == ("14: 1 2", 1)
    assert sorted(match.legal()) == ["keep", "refill"]


# How


def test_the_wheel_is_filled_clockwise_from_after_the_moon_around_the_tiles_left() -> None:
    match = table(2, ELEVEN)
    for turn in ("take 3", "take 1", "take 2", "take 2", "take 3", "take 3", "take 1", "take 1", "take 2"):
        match.play(turn)
        match.play(match.legal()[0])
    assert wheel(match) == ". moon r2a . . . . . . . r4c ."
    play(match, "refill draw y1 draw y2a draw y2b draw y3a draw y3b draw y3c draw y3d draw y4a draw y4b")
    assert wheel(match) == "y4b moon r2a y1 y2a y2b y3a y3b y3c y3d r4c y4a"


def test_after_an_empty_wheel_the_fill_begins_after_the_moon_too() -> None:
    match = deal(with_tiles_left(0), "y1 y2a y2b y3a y3b y3c y3d y4a y4b y4c y4d")
    assert wheel(match) == "y1 y2a y2b y3a y3b y3c y3d y4a y4b y4c y4d moon"


def test_a_refill_is_all_or_nothing() -> None:
    match = play(with_tiles_left(1), "refill")
    for _ in range(10):
        assert match.to_play == CHANCE
        match.play(match.legal()[0])
    assert match.legal() == TAKES


def test_the_moons_own_slot_stays_empty() -> None:
    match = deal(play(with_tiles_left(2), "refill"))
    assert len(wheel(match).replace("moon", "").split()) == 11


# A short supply


def test_a_short_supply_fills_as_far_as_it_goes() -> None:
    match = refilled(2, 2, 2, 2, 2, 2)
    assert (wheel(match), supply(match)) == (". . . moon y5b y5c . . . . . .", 3)
    play(match, "refill draw y6b draw y7")
    assert (match.to_play, match.legal()) == (CHANCE, ["draw y6a"])
    match.play("draw y6a")
    assert (wheel(match), supply(match)) == (". . . moon y5b y5c y6b y7 y6a . . .", 0)
    assert match.legal() == TAKES


def test_a_supply_of_one_is_drawn_from_too() -> None:
    match = refilled(2, 2, 2, 2, 1, 1)
    assert (supply(match), sorted(match.legal())) == (1, ["keep", "refill"])
    match.play("refill")
    assert (match.to_play, match.legal()) == (CHANCE, ["draw y7"])
    match.play("draw y7")
    assert match.legal() == TAKES


def test_an_empty_wheel_takes_the_last_tile_of_the_supply_without_asking() -> None:
    match = lay_row(refilled(2, 2, 2, 2, 1, 1), 2)
    assert (match.to_play, match.legal()) == (CHANCE, ["draw y7"])
    match.play("draw y7")
    assert match.legal() == ["take 1"]


def test_with_an_empty_supply_the_choice_is_not_offered() -> None:
    match = deal(play(refilled(2, 2, 2, 2, 2, 2), "refill"))
    assert supply(match) == 0
    assert lay_row(match, 3).legal() == ["take 1", "take 2"]
    assert lay_row(match, 1).legal() == ["take 1"]


def test_a_refill_that_leaves_two_tiles_is_not_offered_again() -> None:
    match = lay_row(refilled(2, 2, 2, 2, 1, 1), 1)
    assert len(wheel(match).replace("moon", "").replace(".", "").split()) == 1
    assert deal(play(match, "refill")).legal() == ["take 1", "take 2"]
