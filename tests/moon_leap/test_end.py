"""The end of a match: RULES 8, 5.6, and 12.8, 12.9 and 12.18."""

from typing import Any

import pytest

from plenilune import OVER, IllegalAction
from tests.moon_leap.positions import DrawnMatch, ending, in_colour, in_digits, rules_drawings, splits


def end(before: str, action: str, **settings: Any) -> DrawnMatch:
    """Play white's action near the end of the track, after the roll it answers."""
    _, *pawns = action.split()
    match = ending(before, roll=str(sum(map(int, pawns))), **settings)
    match.play(action)
    return match


@pytest.mark.parametrize(
    ("before", "pawn"),
    [("w1 . o1 o2", 1), ("w1 . o1 w2", 1), ("w1 . w2 w3", 1), ("w1 o1 . g1", 1), ("w1 g4 v1 .", 1)],
)
def test_a_match_is_over_once_the_last_three_spaces_are_taken_by_whomever(before: str, pawn: int) -> None:
    match = end(before, f"move {pawn}", seats=4)
    assert match.over
    assert match.to_play == OVER


@pytest.mark.parametrize("before", ["w1 . . o2", "w1 . o2 .", "w1 o1 . ."])
def test_a_match_goes_on_while_one_of_the_last_three_is_empty(before: str) -> None:
    assert not end(before, "move 1").over


def test_other_spaces_than_the_last_three_do_not_matter() -> None:
    match = end("w1 . o1 o2 .", "move 1")
    assert match.drawing == ". w1 o1 o2 ."
    assert not match.over
    match = end("o4 . w1 . o1 o2", "move 1")
    assert match.drawing == "o4 . . w1 o1 o2"
    assert match.over


def test_a_pawn_that_leaves_one_of_the_last_three_for_another_does_not_end_the_match() -> None:
    match = end("w1 o1 .", "move 1")
    assert match.drawing == ". o1 w1"
    assert not match.over


def test_nothing_can_be_done_after_the_end() -> None:
    match = end("w1 . o1 o2", "move 1")
    assert match.legal() == []
    with pytest.raises(IllegalAction, match="'roll 1' is not allowed now; the match is over"):
        match.play("roll 1")


def test_the_end_comes_halfway_through_a_split() -> None:
    """RULES 12.8: the 1 could have gone, and stays."""
    match = end("w1 . w3 o1 . o2", "split 3 1")
    assert match.drawing == "w1 . . o1 w3 o2"
    assert match.over


def test_a_pawn_off_the_track_stays_there_if_the_first_half_of_the_split_ends_the_match() -> None:
    match = end("w3 o1 . o2", "split 3 1")
    assert match.drawing == ". o1 w3 o2"
    assert match.over
    assert match.state.where[0, 1] == 0


def test_the_other_order_of_the_same_split_lets_both_go() -> None:
    match = end("w1 . w3 o1 . o2", "split 1 3")
    assert match.drawing == ". w1 . o1 w3 o2"
    assert match.over


def test_a_split_that_ends_the_match_halfway_needs_a_second_pawn_that_could_go() -> None:
    """RULES 12.9, as drawn in RULES 5.6."""
    drawn = rules_drawings("5.6")
    match = ending(in_colour(drawn["before"]), roll="5")
    assert match.legal() == ["move 5", "split 3 2"]
    match.play("split 3 2")
    assert in_digits(match.drawing) == drawn["split 3 2"]
    assert match.over


@pytest.mark.parametrize("action", ["split 2 3", "split 4 1"])
def test_what_the_rules_draw_as_not_allowed_version_1_allowed(action: str) -> None:
    drawn = rules_drawings("5.6")
    with pytest.raises(IllegalAction, match=f"'{action}' is not allowed now"):
        ending(in_colour(drawn["before"]), roll="5").play(action)
    match = ending(in_colour(drawn["before"]), roll="5", rules=1)
    match.play(action)
    assert in_digits(match.drawing) == drawn[action]
    assert match.over


STUCK = {  # positions in which the 3 would end the match and the 1 could not go: by where the 1 stands
    "on the last space": "w3 o1 . w1",
    "on the last but one": "w3 . w1 o1",
    "on the last but two": "w3 w1 . o1",
    "just before the last three": "w3 w1 o1 . o2",
    "behind pawns up to the last three": "w3 w1 w2 w4 o1 . o2",
}


@pytest.mark.parametrize("where", STUCK)
def test_a_pawn_that_could_not_go_bars_the_split_that_would_end_the_match(where: str) -> None:
    assert "split 3 1" not in splits(ending(STUCK[where], roll="4"))
    assert "split 3 1" in splits(ending(STUCK[where], roll="4", rules=1))


def test_the_space_the_first_pawn_leaves_is_one_the_second_could_go_to() -> None:
    assert "split 3 1" in splits(ending("w1 w3 o1 . o2", roll="4"))
    assert "split 3 1" in splits(ending("w1 o3 w3 o1 . o2", roll="4"))


@pytest.mark.parametrize(
    ("drawing", "roll", "forced"), [("w2 . w3 w1", "3", "split 2 1"), ("w3 o5 . w1 w4", "4", "split 3 1")]
)
def test_a_seat_passes_where_version_1_made_it_split(drawing: str, roll: str, forced: str) -> None:
    assert ending(drawing, roll=roll).legal() == ["pass"]
    assert ending(drawing, roll=roll, rules=1).legal() == [forced]


def test_a_first_half_that_does_not_end_the_match_needs_its_second_half() -> None:
    assert splits(ending("w3 . . o1 w1", roll="4")) == set()
    assert splits(ending("w3 . . w1 o1", roll="4")) == set()


def test_a_first_half_that_leaves_one_of_the_last_three_needs_its_second_half() -> None:
    """The 1 would take the last empty one of them, but empty another."""
    assert splits(ending("w1 . w3", roll="4")) == set()


def test_a_first_half_that_leaves_one_of_the_last_three_does_not_end_the_match() -> None:
    match = end("w3 . w1 o1 .", "split 1 3")
    assert match.drawing == ". w3 . o1 w1"
    assert not match.over
    assert match.turn == "o"


def test_the_second_half_of_a_split_may_end_the_match() -> None:
    match = end("w3 w1 o1 .", "split 1 3")
    assert match.drawing == ". w3 o1 w1"
    assert match.over


def test_the_end_comes_before_an_extra_turn() -> None:
    """RULES 12.18: a run made by the very last pawn earns nothing."""
    match = end("w1 . w2 w3", "move 1")
    assert match.drawing == ". w1 w2 w3"
    assert match.to_play == OVER


def test_the_end_comes_before_the_extra_turn_of_a_split() -> None:
    match = end("w1 w3 . w2 . o1", "split 1 3")
    assert match.drawing == ". . w1 w2 w3 o1"
    assert match.to_play == OVER
    match = end("w3 w4 w2 . o1", "split 3 1")
    assert match.drawing == ". w4 w2 w3 o1"
    assert match.to_play == OVER
