"""What is measured is what the figures say; how fast it is, no test asks."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from plenilune import load
from plenilune.bots import Budget
from plenilune.bots.mcts import Search
from plenilune.commands import bench
from plenilune.game import Game
from tests.play import package_games


@pytest.fixture(params=package_games())
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "SECONDS", 0.02)


def test_a_search_is_measured_where_there_is_something_to_choose_and_nothing_is_solved_at_once(game: Game) -> None:
    for position in bench.positions(game).values():
        search = Search(game, position.seen, position.seat, Budget(simulations=400), seed=1)
        (thought,) = search.thoughts(report=float("inf"))
        assert (thought.simulations, thought.solved) == (400, False)
        assert len(thought.visits) > 1


@pytest.mark.slow
def test_a_position_halfway_is_nearer_to_the_end(game: Game) -> None:
    plies = [bench.plies_to_the_end(game, position, matches=50) for position in bench.positions(game).values()]
    assert plies[0] > 1.2 * plies[1] > 12


def test_to_the_end_means_that_no_look_is_taken_before_it(game: Game) -> None:
    """With nobody to say what an unfinished match is worth, everything found is a victory or a part of one."""
    position = bench.positions(game)[bench.MIDDLE]
    search = Search(replace(game, tuning=bench.TO_THE_END), position.seen, position.seat, Budget(simulations=1), seed=1)
    (thought,) = search.thoughts(report=float("inf"))
    assert set(thought.values) <= {0.0, 0.5, 1.0}


def test_every_game_and_position_has_its_row(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "start_times", lambda game: (0.0, 0.0, 0.0))
    monkeypatch.setattr(bench, "names", lambda: ["moon-leap"])
    out = io.StringIO()
    speeds = bench.main(Console(file=out, width=120))
    assert set(speeds.plies) == {("moon-leap", seats) for seats in (2, 3, 4)}
    assert set(speeds.searches) == {("moon-leap", bench.START), ("moon-leap", bench.MIDDLE)}
    for (_, where), found in speeds.searches.items():
        row = " ".join(next(line for line in out.getvalue().splitlines() if where in line.split()).split())
        assert row == " ".join(["Moon Leap", where, *(f"{figure:,.0f}" for figure in found)])
        assert min(found) > 0
