"""Ratings: intervals that hold the truth, and Elo that finds it."""

import numpy as np
import pytest

from plenilune.bots.ratings import Rating, elo, interval, rate


def rated(wins: list[int]) -> list[Rating]:
    """Two bots after sets of two matches, by how many of each the weak one has won."""
    return rate(np.array([[[0.0, won], [2 - won, 0.0]] for won in wins]), ("weak", "strong"))


# Intervals


def test_an_interval_is_narrower_where_the_matches_of_a_set_cancel_each_others_luck() -> None:
    def width(scores: list[float]) -> float:
        low, high = interval(scores, matches=2)
        return high - low

    cancelled, independent, shared = [0.5] * 100, [0, 0.5, 0.5, 1] * 25, [0.0, 1.0] * 50
    assert width(cancelled) < width(independent) / 3
    assert width(independent) < width(shared)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(7)
    for truth in (0.5, 0.75, 0.95):
        scores = rng.binomial(2, truth, size=(1000, 50)) / 2
        ends = [interval(list(row), matches=2) for row in scores]
        assert 0.925 < np.mean([low <= truth <= high for low, high in ends]) < 0.985


# Elo


def test_ratings_are_those_that_the_results_were_made_from() -> None:
    truth = {"a": 0.0, "b": 120.0, "c": 310.0}
    points = np.array(
        [[0 if x == y else 1000 / (1 + 10 ** ((truth[y] - truth[x]) / 400)) for y in truth] for x in truth]
    )
    assert elo(points) == pytest.approx(list(truth.values()), abs=0.01)


def test_the_first_bot_is_rated_0_and_the_strongest_stands_first() -> None:
    strong, weak = rated([0, 1] * 50)
    assert (strong.bot, weak.bot, weak.elo) == ("strong", "weak", 0)
    assert strong.elo == pytest.approx(191, abs=3)
    assert strong.low < 191 < strong.high
    assert strong.lead is not None
    assert strong.lead[0] == pytest.approx(strong.elo)
    assert weak.lead is None


def test_more_sets_make_narrower_intervals() -> None:
    def width(sets: int) -> float:
        return max(rating.high - rating.low for rating in rated([2, 1, 0, 1] * (sets // 4)))

    assert width(400) < width(100) * 0.6 < width(24) * 0.4


def test_who_has_won_everything_has_a_rating_with_a_wide_interval() -> None:
    winner = rated([0] * 50)[0]
    assert 600 < winner.elo < 1200
    assert winner.high - winner.low > 200
