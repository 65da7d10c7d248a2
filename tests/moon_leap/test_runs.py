"""Three in a row, the extra turn: RULES 6, and 12.13 to 12.18."""

from typing import Any

import pytest

from tests.moon_leap.positions import DrawnMatch, ending, in_colour, in_digits, position, rules_table

PICTURE_A = "w3 w1 . . w2 w4 . w5"


def play(before: str, action: str, **settings: Any) -> DrawnMatch:
    """Play white's action, after the roll it answers."""
    _, *pawns = action.split()
    match = position(before, roll=str(sum(map(int, pawns))), **settings)
    match.play(action)
    return match


@pytest.mark.parametrize(
    ("action", "after", "next_turn"),
    [
        ("split 3 1", ". . w3 w1 w2 w4 . w5", "w"),  # picture B
        ("move 4", "w3 w1 . . w2 . w4 w5", "o"),  # picture C
        ("split 1 3", ". w3 w1 . w2 w4 . w5", "o"),  # picture D
    ],
)
def test_the_pictures_of_the_rulebook(action: str, after: str, next_turn: str) -> None:
    match = play(PICTURE_A, action)
    assert match.drawing == after
    assert match.turn == next_turn


def test_picture_a_allows_these_three_answers_and_no_other() -> None:
    assert position(PICTURE_A, roll="4").legal() == ["move 4", "split 1 3", "split 3 1"]


def test_the_rules_list_ten_cases() -> None:
    assert len(rules_table("6.7")) == 10


@pytest.mark.parametrize(("before", "action", "after", "verdict"), rules_table("6.7"))
def test_the_cases_in_the_rules(before: str, action: str, after: str, verdict: str) -> None:
    match = play(in_colour(before), action)
    assert in_digits(match.drawing) == after
    assert match.turn == {"yes": "w", "no": "o"}[verdict.partition(":")[0]]


def test_three_in_a_row_are_a_run_whatever_their_order() -> None:
    for before in ("w5 . w3 w4", "w5 w4 w3 .", "w5 w3 . w4"):
        assert play(before, "move 5").turn == "w"


def test_two_in_a_row_are_not_a_run() -> None:
    assert play("w3 . w1 . w2", "move 3").turn == "o"


def test_an_empty_space_breaks_a_run() -> None:
    assert play("w3 . w1 . w2 w4", "move 3").turn == "o"


def test_a_pawn_of_another_colour_breaks_a_run() -> None:
    assert play("w3 . w1 o1 w2 w4", "move 3").turn == "o"


@pytest.mark.parametrize("other", ["o1", "g1", "v1"])
def test_a_pawn_of_any_other_colour_breaks_a_run(other: str) -> None:
    match = play(f"w3 . w1 {other} w2", "move 3", seats=4)
    assert match.drawing == f". w3 w1 {other} w2"
    assert match.turn == "o"


def test_a_pawn_that_joins_another_seats_run_has_none() -> None:
    assert play("w3 . o1 o2 o3", "move 3").turn == "o"


def test_a_placed_pawn_can_make_a_run() -> None:
    match = play(". w1 w2 . .", "move 5", at=1)
    assert match.drawing == "w5 w1 w2 . ."
    assert match.turn == "w"


def test_pawns_off_the_track_belong_to_no_run() -> None:
    match = play(". w1 .", "move 2", at=1)
    assert match.drawing == "w2 w1 ."
    assert match.turn == "o"


def test_a_run_may_reach_into_the_last_three_spaces() -> None:
    match = ending("w1 . w2 w3 .", roll="1")
    match.play("move 1")
    assert match.drawing == ". w1 w2 w3 ."
    assert match.turn == "w"


def test_every_seat_can_earn_an_extra_turn() -> None:
    for turn in "wogv":
        match = position(f"{turn}3 . {turn}1 {turn}2", seats=4, turn=turn, roll="3")
        match.play("move 3")
        assert match.turn == turn


def test_no_post_need_be_passed_for_an_extra_turn() -> None:
    assert play("w3 . w1 w2", "move 3", at=1).turn == "w"


def test_an_extra_turn_begins_with_a_roll_of_its_own() -> None:
    match = play("w3 . w1 w2", "move 3")
    assert len(match.legal()) == 6
    match.play("roll 5")
    assert match.to_play == 0


def test_a_run_gives_one_extra_turn_only() -> None:
    match = play("w3 . w1 w2 . w5 .", "move 3")
    assert match.turn == "w"
    match.play("roll 5")
    match.play("move 5")
    assert match.drawing == ". w3 w1 w2 . . w5"
    assert match.turn == "o"


def test_a_run_of_five_gives_one_extra_turn_like_any_other() -> None:
    match = play("w3 . w1 w2 w4 w5 o1 .", "move 3")
    assert match.drawing == ". w3 w1 w2 w4 w5 o1 ."
    assert match.turn == "w"
    match.play("roll 5")
    match.play("move 5")
    assert match.drawing == ". w3 w1 w2 w4 . o1 w5"
    assert match.turn == "o"


def test_new_runs_in_extra_turns_earn_further_ones() -> None:
    match = position("w3 . w1 w2 . . .", seats=4)
    for pawn, after in (("3", ". w3 w1 w2 . . ."), ("3", ". . w1 w2 w3 . ."), ("1", ". . . w2 w3 w1 .")):
        match.play(f"roll {pawn}")
        match.play(f"move {pawn}")
        assert match.drawing == after
        assert match.turn == "w"


def test_a_pawn_that_went_in_the_turn_before_does_not_count_for_the_extra_turn() -> None:
    match = play("w3 . w1 w2 . . w5 .", "move 3")
    match.play("roll 4")
    match.play("move 4")
    assert match.turn == "o"


def test_a_run_that_stayed_gives_nothing_turn_after_turn() -> None:
    match = position("w1 w2 w3 . . w5 . . . .")
    for _ in range(3):
        match.play("roll 5")
        match.play("move 5")
        assert match.turn == "o"
        match.play("roll 5")
        match.play("move 5")
        assert match.turn == "w"


def test_another_seats_run_gives_nothing() -> None:
    assert play("o1 o2 o3 . w3 .", "move 3").turn == "o"


def test_either_pawn_of_a_split_may_be_in_the_run() -> None:
    first_alone = play("w3 . w2 w4 . w1 .", "split 3 1")
    assert first_alone.drawing == ". w3 w2 w4 . . w1"
    assert first_alone.turn == "w"
    second_alone = play("w3 . . w1 w2 w4 .", "split 3 1")
    assert second_alone.drawing == ". w3 . . w2 w4 w1"
    assert second_alone.turn == "w"


def test_a_split_may_complete_its_run_with_the_second_pawn() -> None:
    match = play("w3 w1 . w2", "split 1 3")
    assert match.drawing == ". w3 w1 w2"
    assert match.turn == "w"


def test_a_run_that_only_the_first_half_of_a_split_made_does_not_count() -> None:
    """RULES 12.16: after the 3 a run of three stands, after the 2 it does not."""
    match = play("w3 . w2 w4 o1 .", "split 3 2")
    assert match.drawing == ". w3 . w4 o1 w2"
    assert match.turn == "o"


def test_there_is_no_extra_turn_after_a_pass() -> None:
    match = ending("w2 w3 w4 . . w1", roll="1")
    match.play("pass")
    assert match.turn == "o"
