"""What no bot can do is refused in one sentence that says why, and budgets end what they are meant to end."""

from typing import Any

import pytest

from plenilune import BadSetting, Match, bots
from plenilune.bots import Budget
from plenilune.bots.mcts import Search
from tests.play import finished

BOTS = ["random", "greedy", "mcts:10", "mcts:10ms"]


@pytest.mark.parametrize("name", BOTS)
def test_no_bot_answers_for_chance_or_another_seat_or_after_the_end(name: str) -> None:
    waiting, begun, over = Match("moon-leap", 2), Match("moon-leap", 2, "a"), finished(Match("moon-leap", 2, "a"))
    bot = bots.load(name, begun.game)
    for match, seat, reason in (
        (waiting, 0, "seat 1, but chance is to play"),
        (begun, 1, "seat 2, but seat 1 is to play"),
        (begun, 7, "seat 8, but seat 1 is to play"),
        (over, 0, "seat 1, but the match is over"),
    ):
        with pytest.raises(BadSetting, match=f"^{name} was asked to play for {reason}$"):
            bot.think(match.game, match.seen_by(0), seat)


@pytest.mark.parametrize(
    "budget",
    [
        {"simulations": -1},
        {"simulations": 2.5},
        {"simulations": "many"},
        {"seconds": -0.5},
        {"seconds": float("nan")},  # no clock ever gets there
        {"seconds": float("inf")},
        {"seconds": "1"},
        {"threads": 0},
        {"threads": 1.5},
        {"threads": 10**9},
    ],
)
def test_a_budget_that_makes_no_sense_is_refused(budget: dict[str, Any]) -> None:
    (given,) = budget.values()
    with pytest.raises(BadSetting, match=r"^a budget is some simulations, seconds and 1 to 64 threads, not ") as told:
        Budget(**budget)
    assert repr(given) in str(told.value)


def test_a_search_without_an_end_is_refused() -> None:
    match = Match("moon-leap", 2, "a")
    with pytest.raises(BadSetting, match=r"^a search needs a number of simulations or some time$"):
        Search(match.game, match.seen_by(0), 0, Budget())


def test_of_simulations_and_time_whichever_is_over_first_ends_the_search() -> None:
    match = Match("moon-leap", 2, "moon")
    (few,) = Search(match.game, match.seen_by(0), 0, Budget(40, seconds=60)).thoughts(report=float("inf"))
    assert few.simulations == 40
    (short,) = Search(match.game, match.seen_by(0), 0, Budget(10**9, seconds=0.05)).thoughts(report=float("inf"))
    assert 40 < short.simulations < 10**9


def test_a_match_that_is_over_is_not_searched() -> None:
    match = finished(Match("moon-leap", 2, "a"))
    with pytest.raises(BadSetting, match="the match is over"):
        Search(match.game, match.seen_by(0), 0, Budget(simulations=10))
