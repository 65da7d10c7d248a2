"""What a search promises: the truth where it can be known, an honest guess where not, and its time kept."""

import threading
import time
from functools import cache

import pytest

from plenilune import BadSetting, Match, bots, load
from plenilune.bots import Budget
from plenilune.bots.mcts import Search
from plenilune.engine import generator
from tests.bots.little import CANDLE_GAME, CARD_GAME
from tests.play import settings, walk


@cache
def candle(inches: int) -> float:
    """The chance to win for the seat that is to take."""
    return max(sum(_after(inches - taken, wind) for wind in range(3)) / 3 for taken in (1, 2))


def _after(inches: int, wind: int) -> float:
    if inches <= 0 or inches - wind <= 0:
        return 1.0
    return 1 - candle(inches - wind)


def think(match: Match, simulations: int, seed: int = 1):
    return bots.load(f"mcts:{simulations}", match.game).think(
        match.game, match.seen_by(match.to_play), match.to_play, seed
    )


def test_a_game_small_enough_is_solved_exactly() -> None:
    match = Match(CANDLE_GAME)
    match.state.inches = 6
    thought = think(match, 50_000)
    assert thought.solved
    assert thought.simulations < 50_000
    assert thought.values == pytest.approx([candle(6), 1 - candle(6)], abs=1e-6)


@pytest.mark.parametrize("inches", [2, 3, 4, 5, 6, 7, 8])
def test_the_best_action_is_found(inches: int) -> None:
    match = Match(CANDLE_GAME)
    match.state.inches = inches
    thought = think(match, 20_000)
    worth = [sum(_after(inches - taken, wind) for wind in range(3)) / 3 for taken in (1, 2)]
    assert thought.worth[thought.action] == pytest.approx(max(worth), abs=0.01)


def test_others_are_not_taken_to_know_the_searchers_secrets() -> None:
    for card in ("moon", "sun"):
        match = Match(CARD_GAME)
        match.play(f"deal {card}")
        thought = think(match, 4_000)
        assert match.game.actions.text(thought.action) == "wait"
        assert thought.worth[thought.action] == pytest.approx(0.5, abs=0.2)  # 0 if it were known


def test_the_searcher_does_not_know_the_others_secrets() -> None:
    match = Match(CARD_GAME)
    match.play("deal moon")
    match.play("wait")
    thought = think(match, 4_000)
    assert list(thought.worth.values()) == pytest.approx([0.5, 0.5], abs=0.05)


def test_two_truths_that_look_the_same_get_the_same_answer() -> None:
    bot = bots.load("mcts:200", load("lanterns"))
    for match in walk(Match("lanterns", 3, "a")):
        if not match.over and match.ply % 5 == 0:
            seat = match.to_play
            truth = match.seen_by(seat)
            match.game.resample(truth, seat, generator(match.ply))
            other = match.game.State.copy(truth)
            match.game.hide(other, seat)
            assert bot.think(match.game, other, seat) == bot.think(match.game, match.seen_by(seat), seat)


@pytest.mark.parametrize("name", ["random", "greedy", "mcts:30"])
def test_every_bot_plays_every_game_to_the_end(name: str) -> None:
    for game, seats, options in settings():
        match = Match(game, seats, "a", **options)
        bot = bots.load(name, match.game)
        while not match.over and match.ply < 120:
            thought = bot.think(match.game, match.seen_by(match.to_play), match.to_play)
            match.play(match.game.actions.text(thought.action))
            assert len(thought.values) == seats
            assert sum(thought.values) == pytest.approx(1) or seats == 1


def test_the_same_simulations_give_the_same_thought() -> None:
    match = Match("moon-leap", 3, "a")
    assert think(match, 500) == think(match, 500)
    assert think(match, 500, seed=1) != think(match, 500, seed=2)


def test_thoughts_improve_while_they_are_streamed() -> None:
    match = Match("moon-leap", 2, "moon")
    search = Search(match.game, match.seen_by(0), 0, Budget(seconds=0.4))
    thoughts = list(search.thoughts(report=0.05))
    counts = [thought.simulations for thought in thoughts]
    assert len(counts) > 2
    assert counts == sorted(set(counts))


def test_several_threads_share_the_simulations() -> None:
    match = Match("moon-leap", 2, "moon")
    search = Search(match.game, match.seen_by(0), 0, Budget(simulations=3_000, threads=2))
    (thought,) = search.thoughts(report=float("inf"))
    assert thought.simulations == 3_000
    assert sum(thought.visits.values()) == pytest.approx(3_000, abs=10)


def test_the_expected_line_begins_with_the_action_and_can_be_played() -> None:
    match = Match("moon-leap", 2, "moon")
    thought = think(match, 3_000)
    assert thought.line[0] == thought.action
    again = Match("moon-leap", 2)
    for text in match.history:
        again.play(text)
    for number in thought.line:
        again.play(match.game.actions.text(number))
    assert len(thought.line) > 2


def test_thinking_stops_when_it_is_told_to() -> None:
    match, enough = Match("moon-leap", 2, "moon"), threading.Event()
    search = Search(match.game, match.seen_by(0), 0, Budget(seconds=60), stop=enough.is_set)
    threading.Timer(0.2, enough.set).start()
    began = time.perf_counter()
    assert list(search.thoughts(report=float("inf")))
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize("name", ["genius", "mcts", "mcts:", "mcts:0", "mcts:-5", "mcts:1e9", "mcts:5s", "Random"])
def test_an_unknown_bot_is_named(name: str) -> None:
    with pytest.raises(BadSetting, match=f"no such bot for moon-leap: '{name}'; there are: random, greedy, mcts:10000"):
        bots.load(name, load("moon-leap"))


def test_a_bot_is_not_asked_out_of_turn() -> None:
    match = Match("moon-leap", 2, "a")
    bot = bots.load("greedy", match.game)
    with pytest.raises(BadSetting, match="asked to play for seat 2, but seat 1 is to play"):
        bot.think(match.game, match.seen_by(1), 1)
    while not match.over:
        match.play(match.legal()[0])
    with pytest.raises(BadSetting, match="but the match is over"):
        bot.think(match.game, match.seen_by(0), 0)


@pytest.mark.parametrize("budget", [{"simulations": -1}, {"seconds": -0.5}, {"threads": 0}])
def test_an_absurd_budget_is_refused(budget: dict[str, int]) -> None:
    with pytest.raises(BadSetting, match="a budget is"):
        Budget(**budget)
