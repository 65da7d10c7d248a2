"""Scores and places: RULES 9, and 12.19."""

import pytest

from plenilune import Match
from tests.moon_leap.positions import ending, position

ALL_OFF = -75  # -5 x (1 + 2 + 3 + 4 + 5)


def counts(pawn: int, space: int) -> int:
    """What a seat gains by having this pawn on this space and not off the track."""
    return position(f"w{pawn}", at=space).scores[0] - ALL_OFF


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_begins_with_minus_75_points_each(seats: int) -> None:
    assert Match("moon-leap", seats).scores == [ALL_OFF] * seats


@pytest.mark.parametrize("pawn", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(
    ("space", "value"),
    [(1, -3), (3, -3), (4, -2), (7, -1), (8, 0), (10, 1), (23, 0), (28, 8), (34, 12), (35, 20), (36, 25), (37, 30)],
)
def test_a_pawn_counts_its_number_times_the_value_of_its_space(pawn: int, space: int, value: int) -> None:
    assert counts(pawn, space) == pawn * value + pawn * 5


def test_all_spaces_count_as_on_the_standard_board() -> None:
    values = [counts(1, space) - 5 for space in range(1, 38)]
    assert values[:9] == [-3, -3, -3, -2, -2, -1, -1, 0, 0]
    assert values[9:34] == [1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0, 6, 0, 0, 8, 0, 0, 10, 0, 0, 12]
    assert values[34:] == [20, 25, 30]


def test_a_seats_score_is_the_sum_over_its_pawns() -> None:
    match = ending("w4 o5 . w2 o3 . w1 . w5 w3 .", seats=3)
    assert match.scores == [1 * 0 + 2 * 0 + 3 * 25 + 4 * 0 + 5 * 20, -5 * (1 + 2 + 4) + 3 * 10 + 5 * 8, ALL_OFF]


def test_scores_and_places_can_be_read_at_any_time() -> None:
    match = position(". . . .", at=1)
    assert (match.scores, match.places) == ([-75, -75], [1, 1])
    match.play("roll 5")
    assert (match.scores, match.places) == ([-75, -75], [1, 1])
    match.play("move 5")
    assert (match.scores, match.places) == ([-65, -75], [1, 2])
    match.play("roll 2")
    match.play("move 2")
    assert (match.scores, match.places) == ([-65, -71], [1, 2])


def test_the_scores_of_a_finished_match_are_those_of_its_last_position() -> None:
    match = ending("w5 . o1 o2", roll="5")
    match.play("move 5")
    assert match.over
    assert match.scores == [-50 + 5 * 20, -60 + 25 + 60]
    assert match.places == [1, 2]


@pytest.mark.parametrize(
    ("drawing", "seats", "scores", "places"),
    [
        ("w1 o2", 2, [-70, -65], [2, 1]),
        ("w1 o1", 2, [-70, -70], [1, 1]),
        ("w1 o1 . g1", 3, [-70, -70, -70], [1, 1, 1]),
        ("w2 g2 . o1", 3, [-65, -70, -65], [1, 3, 1]),
        ("w2 g1 . o1", 3, [-65, -70, -70], [1, 2, 2]),
        ("w1 o1 . g1", 4, [-70, -70, -70, -75], [1, 1, 1, 4]),
        ("v3 o2 . w2 g1", 4, [-65, -65, -70, -60], [2, 2, 4, 1]),
        ("g1 v2 . o3 w4", 4, [-55, -60, -70, -65], [1, 2, 4, 3]),
    ],
)
def test_equal_scores_share_a_place_and_leave_out_the_next(
    drawing: str, seats: int, scores: list[int], places: list[int]
) -> None:
    match = position(drawing, seats, at=23)  # on blank spaces
    assert match.scores == scores
    assert match.places == places


def test_there_is_no_tie_break() -> None:
    """Two pawns far from equal: the 2 on a 5 counts what the 4 on a blank does, for it would be -20 off the track."""
    match = position("w2 o4", at=22)
    assert match.scores == [-55, -55]
    assert match.places == [1, 1]
