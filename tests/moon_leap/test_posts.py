"""Posts and splitting: RULES 5, and 12.1 to 12.7."""

import pytest

from plenilune import CHANCE, IllegalAction, UnknownAction
from tests.moon_leap.positions import ending, in_colour, in_digits, position, rules_drawings, rules_table, splits

POST_AFTER = {2: 9, 3: 12, 4: 15}  # by the number of seats
SPLITS = {
    "1": set(),
    "2": set(),
    "3": {"split 1 2", "split 2 1"},
    "4": {"split 1 3", "split 3 1"},
    "5": {"split 1 4", "split 4 1", "split 2 3", "split 3 2"},
    "*": set(),
}


@pytest.mark.parametrize("roll", SPLITS)
def test_a_roll_splits_into_what_adds_up_to_it(roll: str) -> None:
    assert splits(position("w1 . w2 . w3 . w4 . w5", roll=roll)) == SPLITS[roll]


@pytest.mark.parametrize("roll", SPLITS)
def test_nothing_splits_before_the_post_is_passed(roll: str) -> None:
    assert splits(position("w1 . w2 . w3 . w4 . w5", at=1, roll=roll)) == set()


def test_the_table_in_the_rules_says_the_same() -> None:
    said = {roll: {tuple(pair.split(" and ")) for pair in pairs.split(", or ")} for roll, pairs in rules_table("5.2")}
    assert {
        roll: {f"split {p} {q}" for a, b in pairs for p, q in ((a, b), (b, a))} for roll, pairs in said.items()
    } == {roll: allowed for roll, allowed in SPLITS.items() if allowed}


def test_a_4_is_not_split_into_1_and_2() -> None:
    """RULES 12.1: the misprint."""
    match = position("w1 . w2 . w3 .", roll="4")
    with pytest.raises(IllegalAction):
        match.play("split 1 2")


def test_a_4_is_not_split_into_2_and_2() -> None:
    with pytest.raises(UnknownAction, match="no such action: 'split 2 2'"):
        position("w1 . w2 . w3 .", roll="4").play("split 2 2")


@pytest.mark.parametrize("roll", ["3", "4", "5"])
def test_the_named_pawn_may_go_instead(roll: str) -> None:
    assert f"move {roll}" in position("w1 . w2 . w3 . w4 . w5", roll=roll).legal()


@pytest.mark.parametrize("seats", POST_AFTER)
def test_a_pawn_just_before_the_post_has_not_passed_it(seats: int) -> None:
    assert splits(position("w1", seats, at=POST_AFTER[seats], roll="3")) == set()


@pytest.mark.parametrize("seats", POST_AFTER)
def test_a_pawn_just_behind_the_post_has_passed_it(seats: int) -> None:
    assert splits(position("w1", seats, at=POST_AFTER[seats] + 1, roll="3")) == SPLITS["3"]


@pytest.mark.parametrize("seats", POST_AFTER)
@pytest.mark.parametrize("roll", ["3", "4", "5"])
def test_the_step_over_the_post_opens_it(seats: int, roll: str) -> None:
    match = position("w1 .", seats, at=POST_AFTER[seats], roll="1")
    match.play("move 1")
    match.play(f"roll {roll}")
    assert splits(match) == SPLITS[roll]


@pytest.mark.parametrize("seats", POST_AFTER)
def test_the_step_up_to_the_post_does_not_open_it(seats: int) -> None:
    match = position("w1 .", seats, at=POST_AFTER[seats] - 1, roll="1")
    match.play("move 1")
    match.play("roll 3")
    assert splits(match) == set()


def test_only_the_post_of_the_number_of_seats_matters() -> None:
    for space in (10, 13, 16):
        opened = [bool(splits(position("w5", seats, at=space, roll="3"))) for seats in (2, 3, 4)]
        assert opened == [space > 9, space > 12, space > 15]


@pytest.mark.parametrize("opener", ["w", "o", "g", "v"])
@pytest.mark.parametrize("turn", ["w", "o", "g", "v"])
def test_any_pawn_beyond_the_post_opens_it_for_every_seat(opener: str, turn: str) -> None:
    assert splits(position(f"{opener}5", seats=4, turn=turn, roll="3")) == SPLITS["3"]


def test_the_roll_that_carries_a_pawn_past_the_post_is_not_split() -> None:
    """RULES 12.3: not before the move, and nothing is left of it afterwards."""
    match = position("w3 . w1 . w4 .", at=5, roll="4")
    assert match.legal() == ["move 4"]
    match.play("move 4")
    assert match.drawing == "w3 . w1 . . w4"
    assert match.to_play == CHANCE
    assert match.turn == "o"


def test_the_roll_of_an_extra_turn_earned_past_the_post_may_be_split() -> None:
    match = position("w3 w1 w2 .", at=7, roll="3")
    assert match.legal() == ["move 3"]
    match.play("move 3")
    assert match.drawing == ". w1 w2 w3"
    assert match.turn == "w"
    match.play("roll 4")
    assert splits(match) == SPLITS["4"]


def test_a_passed_post_stays_passed() -> None:
    match = position("w1 . .", at=10, roll="1")
    match.play("move 1")
    match.play("roll 1")
    match.play("move 1")
    match.play("roll 5")
    assert splits(match) == SPLITS["5"]


@pytest.mark.parametrize(
    ("action", "after"),
    [("split 1 2", ". . w1 o1 w2 ."), ("split 2 1", ". w1 w2 o1 . .")],
)
def test_the_second_pawn_goes_from_where_the_first_has_left_things(action: str, after: str) -> None:
    match = position("w1 w2 . o1 . .", roll="3")
    match.play(action)
    assert match.drawing == after


def test_the_second_pawn_may_take_the_space_the_first_has_left() -> None:
    match = position("w2 w1 .", roll="3")
    match.play("split 1 2")
    assert match.drawing == ". w2 w1"


def test_the_order_matters_as_drawn_in_the_rules() -> None:
    drawn = rules_drawings("5.7")
    assert len(drawn) == 4
    for action in ("split 3 1", "split 1 3", "move 4"):
        match = position(in_colour(drawn["before"]), roll="4")
        match.play(action)
        assert in_digits(match.drawing) == drawn[action]


def test_both_pawns_of_a_split_may_be_placed() -> None:
    match = position(". . . o1 . . . . . o2", at=1, roll="3")
    match.play("split 2 1")
    assert match.drawing == "w2 w1 . o1 . . . . . o2"


def test_one_pawn_of_a_split_may_be_placed_and_the_other_moved() -> None:
    match = position("w4 . o1 . . . . . . o2", at=1, roll="5")
    match.play("split 4 1")
    assert match.drawing == "w1 w4 o1 . . . . . . o2"


def test_a_pawn_may_be_placed_on_the_space_another_has_left_in_the_same_split() -> None:
    match = position("w4 o3 . . . . . . . o2", at=1, roll="5")
    match.play("split 4 1")
    assert match.drawing == "w1 o3 w4 . . . . . . o2"


def test_a_split_with_a_pawn_that_cannot_go_is_not_allowed_in_either_order() -> None:
    assert splits(ending(". . w1", roll="4")) == set()
    assert splits(ending("w1 . . o1 w3", roll="4")) == set()


def test_a_pawn_that_cannot_go_spoils_only_its_own_splits() -> None:
    assert ending(". . w1", roll="5").legal() == ["move 5", "split 2 3", "split 3 2"]


def test_an_order_that_strands_the_second_pawn_is_not_allowed() -> None:
    drawn = rules_drawings("5.5")
    match = ending(in_colour(drawn["before"]), roll="4")
    assert splits(match) == {"split 3 1"}
    match.play("split 3 1")
    assert in_digits(match.drawing) == drawn["split 3 1"]


def test_a_split_is_one_action_and_ends_the_turn() -> None:
    """RULES 12.7: nobody can stop after the first pawn."""
    match = position("w1 . w3 . .", roll="4")
    match.play("split 1 3")
    assert match.drawing == ". w1 . w3 ."
    assert (match.to_play, match.turn) == (CHANCE, "o")


def test_only_own_pawns_go_in_a_split() -> None:
    match = position("w1 . w3 . o1 . o3 .", turn="o", roll="4")
    match.play("split 1 3")
    assert match.drawing == "w1 . w3 . . o1 . o3"
