"""RULES 7: the game for one."""

import pytest

from plenilune import CHANCE, Match
from plenilune.games.nova_luna.view import Solo
from tests.nova_luna.positions import (
    deal,
    done,
    laid,
    lay_row,
    play,
    supply,
    table,
    tiles_of,
    tokens_left,
    track,
    wheel,
)
from tests.play import walk

TAKES = ["take 1", "take 2", "take 3"]

# Eight tokens with five tiles, which cost 28.
EIGHT = """
    t5a b7  r5a
    t5b y6b .
"""
# Seven tokens with five tiles, ten with six.
SEVEN = """
    b6b r7  y5b
    y7  t7  .
"""
# Eight tokens with the first six tiles, thirteen with seven …, 21 of the 22 tasks with all ten, which cost 60.
DENSE = """
    b5b t7  y7  r5b
    y6a r7  b7  .
    y5a r6a t5a .
"""
FIRST_SIX = """
    b5b t7  y7  r5b
    y6a r7  .   .
"""
RED = "r1 r2a r2b r3a r3b r3c r3d r4a r4b r4c r4d"  # in a row: three tokens for 33


def solo(match: Match) -> Solo:
    found: Solo = match.view().solo
    return found


def sums(match: Match) -> tuple[int, int]:
    return solo(match).sum_1, solo(match).sum_2


# What is different


def test_taking_a_tile_advances_nobody() -> None:
    match = play(table(1, "r7"), "take 1 place 0,0")
    assert track(match) == ""
    assert match.to_play == 0


def test_the_only_seat_is_first() -> None:
    assert all(match.places == [1] for match in walk(Match("nova-luna", 1, "3")))


# Phase 1


def test_stop_is_offered_with_the_eighth_token_and_not_with_the_seventh() -> None:
    match = laid(SEVEN, then="r5b")
    assert (tokens_left(match), match.legal()) == ([14], TAKES)
    play(match, "take 1")
    assert "stop" not in match.legal()
    play(match, "place 0,-2")
    assert (tokens_left(match), sorted(match.legal())) == ([11], ["stop", *TAKES])


def test_stop_is_offered_with_just_eight() -> None:
    match = laid(EIGHT)
    assert (tokens_left(match), sorted(match.legal())) == ([13], ["stop", *TAKES])


def test_going_on_after_the_eighth_stop_is_offered_again_before_every_take() -> None:
    match = laid(EIGHT)
    for x in range(3, 9):
        assert "stop" in match.legal()
        play(match, "take 1")
        assert "stop" not in match.legal()
        play(match, f"place {x},0")
    assert solo(match).phase == 2


def test_stop_is_offered_exactly_in_phase_1_before_a_take_with_eight_tokens_or_more() -> None:
    for seed in range(20):
        for match in walk(Match("nova-luna", 1, str(seed)), seed):
            view = match.view()
            may_stop = view.step == "take" and view.solo.phase == 1 and tokens_left(match)[0] <= 13
            assert ("stop" in match.legal()) == view.solo.may_stop == may_stop


def test_phase_1_ends_by_itself_when_the_wheel_is_empty() -> None:
    match = lay_row(table(1, RED), 10)
    assert (solo(match).phase, match.legal()) == (1, ["take 1"])
    lay_row(match, 1)
    assert (solo(match).phase, match.to_play) == (2, CHANCE)


def test_a_wheel_that_runs_empty_after_the_eighth_token_ends_phase_1_without_a_stop() -> None:
    match = laid(EIGHT)
    for x in range(3, 9):
        play(match, f"take 1 place {x},0")
    assert (solo(match).phase, match.to_play) == (2, CHANCE)
    assert "stop" not in match.history


# Between the phases


def test_stopping_early_writes_down_the_numbers_laid() -> None:
    match = laid(EIGHT)
    match.play("stop")
    assert solo(match).sum_1 == 28
    assert (solo(match).phase, match.to_play) == (2, CHANCE)


def test_stopping_late_writes_down_more() -> None:
    match = play(laid(EIGHT, then="r1 b6a"), "take 1 place 3,0 take 1 place 4,0 stop")
    assert solo(match).sum_1 == 28 + 1 + 6


def test_each_of_the_eight_tokens_not_placed_costs_ten() -> None:
    match = lay_row(table(1, RED), 11)
    assert tokens_left(match) == [18]
    assert solo(match).sum_1 == 33 + 10 * 5


def test_tokens_beyond_the_eighth_earn_nothing_in_phase_1() -> None:
    match = play(laid(SEVEN, then="r5b"), "take 1 place 0,-2 stop")
    assert tokens_left(match) == [11]
    assert solo(match).sum_1 == 6 + 7 + 5 + 7 + 7 + 5


def test_the_wheel_is_filled_around_the_tiles_left_and_the_moon_stays() -> None:
    match = laid(EIGHT, then="b1 b2a b2b b3a b3b b3c")
    assert wheel(match) == ". . . . . moon b1 b2a b2b b3a b3b b3c"
    play(match, "take 3 place 3,0 stop")
    assert wheel(match) == ". . . . . . b1 b2a moon b3a b3b b3c"
    play(match, "draw y1 draw y2a draw y2b draw y3a draw y3b")
    assert match.to_play == CHANCE
    match.play("draw y3c")
    assert wheel(match) == "y1 y2a y2b y3a y3b y3c b1 b2a moon b3a b3b b3c"
    assert (match.to_play, match.legal()) == (0, TAKES)


def test_phase_2_begins_with_eleven_tiles() -> None:
    match = deal(lay_row(table(1, RED), 11))
    assert len(wheel(match).replace("moon", "").split()) == 11
    assert supply(match) == 68 - 22


def test_the_first_sum_does_not_change_in_phase_2() -> None:
    match = deal(play(laid(EIGHT), "stop"))
    for x in range(3, 14):
        play(match, f"take 1 place {x},0")
        assert solo(match).sum_1 == 28
    assert match.over


# Phase 2


def test_there_is_no_stop_in_phase_2() -> None:
    match = deal(play(laid(EIGHT), "stop"))
    assert match.legal() == TAKES
    play(match, "take 1 place 3,0")
    assert match.legal() == TAKES


def test_phase_2_is_over_when_the_wheel_is_empty() -> None:
    match = deal(lay_row(table(1, RED), 11))
    lay_row(match, 10)
    assert match.legal() == ["take 1"]
    lay_row(match, 1)
    assert match.over
    assert len(tiles_of(match)) == 22


def test_the_second_sum_counts_all_tiles_those_of_phase_1_once_more_and_ten_for_each_token_left() -> None:
    match = deal(lay_row(table(1, RED), 11), "b1 b2a b2b b3a b3b b3c b3d b4a b4b b4c b4d")
    lay_row(match, 11)
    assert (match.over, tokens_left(match)) == (True, [14])
    assert sums(match) == (33 + 10 * 5, 33 + 33 + 10 * 14)
    assert match.scores == [83 + 206]


def test_phase_2_is_over_at_once_with_the_last_token() -> None:
    match = deal(play(laid(FIRST_SIX, then="b7 y5a r6a t5a"), "stop"))
    play(match, "take 1 place 2,-1 take 1 place 0,-2 take 1 place 1,-2")
    assert not match.over
    play(match, "take 1 place 2,-2")
    assert (match.over, tokens_left(match)) == (True, [0])
    assert sums(match) == (37, 60)
    assert match.scores == [97]


def test_tokens_placed_in_phase_1_count_towards_the_21() -> None:
    match = play(laid(EIGHT), "stop")
    assert tokens_left(match) == [13]
    assert solo(match).sum_2 == 28 + 10 * 13


# Everything in phase 1


def test_the_last_token_in_phase_1_ends_the_match_with_two_equal_sums() -> None:
    match = laid(DENSE)
    assert (match.over, solo(match).phase) == (True, 1)
    assert sums(match) == (60, 60)
    assert match.scores == [120]
    assert "stop" not in match.history


def test_the_task_beyond_the_last_token_stays_bare() -> None:
    match = laid(DENSE)
    assert (len(done(match)), tokens_left(match)) == (21, [0])


# Read early


def test_the_score_starts_at_290() -> None:
    match = Match("nova-luna", 1)
    assert (sums(match), match.scores) == ((80, 210), [290])
    assert deal(match).scores == [290]


@pytest.mark.parametrize(("tiles", "placed"), [("r1 r2a", 0), ("r6a t6b", 2)])
def test_the_running_score_is_as_if_both_phases_ended_now(tiles: str, placed: int) -> None:
    match = laid(tiles)
    numbers = sum(int(tile[1]) for tile in tiles.split())
    assert sums(match) == (numbers + 10 * (8 - placed), numbers + 10 * (21 - placed))


def test_a_tile_in_hand_does_not_count_until_it_is_laid() -> None:
    match = table(1, "r7")
    assert play(match, "take 1").scores == [290]
    assert play(match, "place 0,0").scores == [290 + 7 + 7]
