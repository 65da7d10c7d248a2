"""A turn, placing and moving: RULES 3 and 4."""

import pytest

from plenilune import CHANCE, IllegalAction, Match
from plenilune.games.moon_leap.tables import SPACES
from tests.moon_leap.positions import ending, in_colour, in_digits, position, rules_drawings

NUMBERS = ["1", "2", "3", "4", "5"]
EVERY_MOVE = [f"move {number}" for number in NUMBERS]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_names_the_pawn_to_place(number: str) -> None:
    match = Match("moon-leap")
    match.play(f"roll {number}")
    assert match.legal() == [f"move {number}"]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_names_the_pawn_to_move(number: str) -> None:
    match = position("w5 w3 o1 w1 w2 w4", at=1, roll=number)
    assert match.legal() == [f"move {number}"]


def test_the_pawn_must_go_even_if_it_hurts() -> None:
    match = position("w5 .", seats=4, at=13, roll="5")
    assert match.legal() == ["move 5"]
    before = match.scores[0]
    match.play("move 5")
    assert match.scores[0] == before - 10


def test_a_star_lets_any_own_pawn_go_placed_or_not() -> None:
    assert position("w3 o1 w1 . . o2", at=1, roll="*").legal() == EVERY_MOVE
    assert position("w3 o1 w1 . . o2", roll="*").legal() == EVERY_MOVE


def test_a_star_names_no_pawn_that_cannot_go() -> None:
    assert ending("w4 . w5", roll="*").legal() == ["move 1", "move 2", "move 3", "move 4"]
    assert ending(". w4 w5", roll="*").legal() == ["move 1", "move 2", "move 3"]


def test_a_pawn_is_placed_on_space_1_of_an_empty_track() -> None:
    match = position(". . .", at=1, roll="4")
    match.play("move 4")
    assert match.drawing == "w4 . ."


def test_a_pawn_is_placed_on_the_first_empty_space() -> None:
    match = position("o1 w2 . o3 .", at=1, roll="4")
    match.play("move 4")
    assert match.drawing == "o1 w2 w4 o3 ."


def test_a_pawn_is_placed_on_a_space_that_others_have_left() -> None:
    match = position(". w2 o3", at=1, roll="1")
    match.play("move 1")
    assert match.drawing == "w1 w2 o3"


def test_a_pawn_moves_one_space_whatever_its_number() -> None:
    match = position("w5 . . . . . .", roll="5")
    match.play("move 5")
    assert match.drawing == ". w5 . . . . ."


def test_a_pawn_jumps_over_every_pawn_in_its_way() -> None:
    """The rulebook's example: the white 2 jumps over the orange 1 and the grey 4."""
    match = position("w2 o1 g4 . .", seats=3, roll="2")
    match.play("move 2")
    assert match.drawing == ". o1 g4 w2 ."


def test_a_pawn_jumps_over_its_own_colour_too() -> None:
    match = position("w2 w1 o4 w3 o2 . w5", roll="2")
    match.play("move 2")
    assert match.drawing == ". w1 o4 w3 o2 w2 w5"


def test_a_pawn_does_not_jump_over_an_empty_space() -> None:
    match = position("w2 . o1 .", roll="2")
    match.play("move 2")
    assert match.drawing == ". w2 o1 ."


def test_a_pawn_never_goes_back_to_an_empty_space() -> None:
    match = position(". . o1 w2 o3 o4 .", roll="2")
    match.play("move 2")
    assert match.drawing == ". . o1 . o3 o4 w2"


def test_a_pawn_moves_as_drawn_in_the_rules() -> None:
    drawn = rules_drawings("4.3")
    match = position(in_colour(drawn["before"]), roll="2")
    match.play("move 2")
    assert in_digits(match.drawing) == drawn["after"]


def test_a_pawn_reaches_the_last_space_and_no_further() -> None:
    match = ending("w2 .", roll="2")
    match.play("move 2")
    assert match.drawing == ". w2"
    assert match.state.where[0, 2] == SPACES


def test_a_pawn_off_the_track_can_be_placed_on_a_track_full_but_for_its_end() -> None:
    match = ending("w1 w2 w3 w4 o1 o2 o3 o4 o5 . .", roll="5")
    match.play("move 5")
    assert match.state.where[0, 5] == 1


def test_a_turn_is_a_roll_and_its_answer() -> None:
    match = position("w1 . o1 .")
    assert match.to_play == CHANCE
    match.play("roll 1")
    assert match.to_play == 0
    match.play("move 1")
    assert match.to_play == CHANCE
    assert match.turn == "o"
    match.play("roll 1")
    assert match.to_play == 1


def test_a_number_means_the_pawn_of_the_seat_that_rolled_it() -> None:
    match = position("w1 . o1 .", turn="o", roll="1")
    match.play("move 1")
    assert match.drawing == "w1 . . o1"


def test_the_roll_cannot_be_declined_or_made_twice() -> None:
    match = position("w1 . o1 .")
    with pytest.raises(IllegalAction, match="'move 1' is not allowed now; chance may: roll 1, roll 2"):
        match.play("move 1")
    match.play("roll 1")
    with pytest.raises(IllegalAction, match="'roll 2' is not allowed now; seat 1 may: move 1"):
        match.play("roll 2")


def test_another_pawn_than_the_one_named_is_refused() -> None:
    match = position("w1 . w2 .", roll="1")
    with pytest.raises(IllegalAction, match=r"'move 2' is not allowed now; seat 1 may: move 1$"):
        match.play("move 2")
