"""Passing: RULES 7, and 12.10 to 12.12."""

import pytest

from plenilune import IllegalAction
from tests.moon_leap.positions import ending, position


def test_a_1_is_passed_with_the_1_on_the_last_space() -> None:
    """The rulebook's own example: the other four pawns could go, but a 1 does not name them (RULES 12.11)."""
    assert ending("w2 . w3 . w4 . w1", roll="1").legal() == ["pass"]


@pytest.mark.parametrize("roll", ["1", "2"])
def test_a_pawn_on_the_last_space_but_one_cannot_go_once_the_last_is_taken(roll: str) -> None:
    assert ending(f". w{roll} o1", roll=roll).legal() == ["pass"]
    assert ending(f". w{roll} w5", roll=roll).legal() == ["pass"]


@pytest.mark.parametrize("roll", ["1", "2"])
def test_a_pawn_on_the_last_space_but_one_must_go_while_the_last_is_empty(roll: str) -> None:
    assert ending(f". w{roll} .", roll=roll).legal() == [f"move {roll}"]
    assert ending(f"o1 w{roll} .", roll=roll).legal() == [f"move {roll}"]


@pytest.mark.parametrize(
    ("roll", "allowed"),
    [
        ("3", ["split 1 2", "split 2 1"]),
        ("4", ["split 1 3", "split 3 1"]),
        ("5", ["split 1 4", "split 4 1", "split 2 3", "split 3 2"]),
    ],
)
def test_a_split_must_be_played_if_the_named_pawn_cannot_go(roll: str, allowed: list[str]) -> None:
    """RULES 12.10."""
    assert ending(f". . w{roll}", roll=roll).legal() == allowed


@pytest.mark.parametrize(("drawing", "roll"), [(". w1 w3", "3"), (". w2 w3", "3"), (". w4 w1", "4"), (". w3 w4", "4")])
def test_a_split_roll_is_passed_if_neither_it_nor_its_pawn_can_go(drawing: str, roll: str) -> None:
    assert ending(drawing, roll=roll).legal() == ["pass"]


def test_a_5_is_split_the_other_way_if_one_way_is_barred() -> None:
    assert ending(". w1 w5", roll="5").legal() == ["split 2 3", "split 3 2"]
    assert ending(". w5 w3", roll="5").legal() == ["split 1 4", "split 4 1"]


def test_passing_is_never_a_choice() -> None:
    for match in (position("w1 .", at=1, roll="1"), ending("w1 . w2", roll="*"), ending(". . w4", roll="4")):
        with pytest.raises(IllegalAction, match="'pass' is not allowed now; seat 1 may: "):
            match.play("pass")


def test_a_star_is_used_on_a_pawn_that_can_go() -> None:
    """RULES 7.3 and 12.12: two own pawns cannot go, but the others must not be spared for that."""
    assert ending("w1 w2 w3 . w4 w5", roll="*").legal() == ["move 1", "move 2", "move 3"]


def test_a_pass_changes_nothing_and_ends_the_turn() -> None:
    match = ending("w2 . o1 . w1", roll="1")
    before = match.scores
    match.play("pass")
    assert match.drawing == "w2 . o1 . w1"
    assert match.scores == before
    assert match.turn == "o"


def test_after_a_pass_the_next_seat_follows() -> None:
    match = ending(". . v1", seats=4, turn="v", roll="1")
    match.play("pass")
    assert match.turn == "w"


def test_two_seats_may_pass_again_and_again() -> None:
    match = ending("w2 o2 . w1 o1")
    for turn in "wowowo":
        assert match.turn == turn
        match.play("roll 1")
        assert match.legal() == ["pass"]
        match.play("pass")
    match.play("roll 2")
    match.play("move 2")
    assert match.over
