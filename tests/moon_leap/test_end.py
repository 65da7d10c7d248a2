"""The end of a match: RULES 8, 5.6, and 12.8, 12.9 and 12.18."""

import pytest

from plenilune import OVER, IllegalAction
from tests.moon_leap.positions import ending, in_colour, in_digits, rules_drawings, splits


def end(before, action, **settings):
    """Play white's action near the end of the track, after the roll it answers."""
    _, *pawns = action.split()
    match = ending(before, roll=str(sum(map(int, pawns))), **settings)
    match.play(action)
    return match


@pytest.mark.parametrize(
    ("before", "pawn"),
    [("w1 . o1 o2", 1), ("w1 . o1 w2", 1), ("w1 . w2 w3", 1), ("w1 o1 . g1", 1), ("w1 g4 v1 .", 1)],
)
def test_a_match_is_over_once_the_last_three_spaces_are_taken_by_whomever(before, pawn):
    match = end(before, f"move {pawn}", seats=4)
    assert match.over
    assert match.to_play == OVER


@pytest.mark.parametrize("before", ["w1 . . o2", "w1 . o2 .", "w1 o1 . ."])
def test_a_match_goes_on_while_one_of_the_last_three_is_empty(before):
    assert not end(before, "move 1").over


def test_other_spaces_than_the_last_three_do_not_matter():
    match = end("w1 . o1 o2 .", "move 1")
    assert match.drawing == ". w1 o1 o2 ."
    assert not match.over
    match = end("o4 . w1 . o1 o2", "move 1")
    assert match.drawing == "o4 . . w1 o1 o2"
    assert match.over


def test_a_pawn_that_leaves_one_of_the_last_three_for_another_does_not_end_the_match():
    match = end("w1 o1 .", "move 1")
    assert match.drawing == ". o1 w1"
    assert not match.over


def test_nothing_can_be_done_after_the_end():
    match = end("w1 . o1 o2", "move 1")
    assert match.legal() == []
    with pytest.raises(IllegalAction, match="'roll 1' is not allowed now; the match is over"):
        match.play("roll 1")


def test_the_end_comes_halfway_through_a_split():
    """RULES 12.8: the 1 could have gone, and stays."""
    match = end("w1 . w3 o1 . o2", "split 3 1")
    assert match.drawing == "w1 . . o1 w3 o2"
    assert match.over


def test_a_pawn_off_the_track_stays_there_if_the_first_half_of_the_split_ends_the_match():
    match = end("w3 o1 . o2", "split 3 1")
    assert match.drawing == ". o1 w3 o2"
    assert match.over
    assert match.state.where[0, 1] == 0


def test_the_other_order_of_the_same_split_lets_both_go():
    match = end("w1 . w3 o1 . o2", "split 1 3")
    assert match.drawing == ". w1 . o1 w3 o2"
    assert match.over


def test_a_split_whose_first_half_ends_the_match_needs_no_second_half():
    """RULES 12.9, as drawn in RULES 5.6: the 1 stands on the last space."""
    drawn = rules_drawings("5.6")
    match = ending(in_colour(drawn["before"]), roll="4")
    assert splits(match) == {"split 3 1"}
    match.play("split 3 1")
    assert in_digits(match.drawing) == drawn["split 3 1"]
    assert match.over


def test_nor_does_it_if_the_second_pawn_stands_on_the_last_space_but_one():
    match = ending("w3 . w1 o1", roll="4")
    assert splits(match) == {"split 3 1"}
    match.play("split 3 1")
    assert match.drawing == ". w3 w1 o1"
    assert match.over


def test_a_first_half_that_does_not_end_the_match_needs_its_second_half():
    assert splits(ending("w3 . . o1 w1", roll="4")) == set()
    assert splits(ending("w3 . . w1 o1", roll="4")) == set()


def test_a_first_half_that_leaves_one_of_the_last_three_needs_its_second_half():
    """The 1 would take the last empty one of them, but empty another."""
    assert splits(ending("w1 . w3", roll="4")) == set()


def test_a_first_half_that_leaves_one_of_the_last_three_does_not_end_the_match():
    match = end("w3 . w1 o1 .", "split 1 3")
    assert match.drawing == ". w3 . o1 w1"
    assert not match.over
    assert match.turn == "o"


def test_the_second_half_of_a_split_may_end_the_match():
    match = end("w3 w1 o1 .", "split 1 3")
    assert match.drawing == ". w3 o1 w1"
    assert match.over


def test_the_end_comes_before_an_extra_turn():
    """RULES 12.18: a run made by the very last pawn earns nothing."""
    match = end("w1 . w2 w3", "move 1")
    assert match.drawing == ". w1 w2 w3"
    assert match.to_play == OVER


def test_the_end_comes_before_the_extra_turn_of_a_split():
    match = end("w1 w3 . w2 . o1", "split 1 3")
    assert match.drawing == ". . w1 w2 w3 o1"
    assert match.to_play == OVER
    match = end("w3 w4 w2 . o1", "split 3 1")
    assert match.drawing == ". w4 w2 w3 o1"
    assert match.to_play == OVER
