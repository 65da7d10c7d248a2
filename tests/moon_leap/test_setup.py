"""Setting up: RULES 1 and 2."""

import pytest

from plenilune import CHANCE, BadSetting, Match
from tests.moon_leap.positions import position

EVERY_ROLL = ["roll 1", "roll 2", "roll 3", "roll 4", "roll 5", "roll *"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_has_five_pawns_off_the_track(seats: int) -> None:
    pawns = Match("moon-leap", seats).view().pawns
    assert [(pawn.seat, pawn.number) for pawn in pawns] == [(s, n) for s in range(seats) for n in (1, 2, 3, 4, 5)]
    assert {pawn.space for pawn in pawns} == {0}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_track_is_empty_and_the_post_not_passed(seats: int) -> None:
    match = position(37 * ". ", seats, at=1)
    assert match.drawing == " ".join(37 * ".")
    assert not match.view().post.passed


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seat_1_rolls_first(seats: int) -> None:
    match = Match("moon-leap", seats)
    assert match.to_play == CHANCE
    match.play("roll 3")
    assert match.to_play == 0


@pytest.mark.parametrize(("seats", "turns"), [(2, [0, 1, 0, 1]), (3, [0, 1, 2, 0]), (4, [0, 1, 2, 3])])
def test_turns_go_clockwise(seats: int, turns: list[int]) -> None:
    match = Match("moon-leap", seats)
    for turn in turns:
        match.play("roll *")
        assert match.to_play == turn
        match.play(match.legal()[0])


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(BadSetting, match=f"moon-leap is for 2 to 4 seats, not {seats}"):
        Match("moon-leap", seats)


def test_the_die_has_each_face_once() -> None:
    assert Match("moon-leap").legal() == EVERY_ROLL


def test_every_face_is_possible_whatever_the_position() -> None:
    assert position(". w1 w5", at=35).legal() == EVERY_ROLL
