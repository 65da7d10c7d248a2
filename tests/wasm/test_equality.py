"""A module in Node does byte for byte what the rules and the search do natively."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from plenilune import Game
from plenilune.core.shape import RecordView
from plenilune.games.moon_leap.evaluate import WEIGHTS
from plenilune.games.moon_leap.rules import GOAL
from tests.play import choices, games, package_games
from tests.wasm.conftest import Replay
from tests.wasm.fixtures import fixture, recorded

pytestmark = pytest.mark.slow
GAMES = [game for game in games() if isinstance(game.view, RecordView)]
NOTHING: dict[str, Any] = {"matches": [], "searches": [], "greedy": []}


def title(game: Game) -> str:
    return f"{game.name}-{game.version}"


@pytest.mark.parametrize("game", GAMES, ids=title)
def test_matches_and_searches_are_the_same_as_natively(game: Game, module: Path, replay: Replay) -> None:
    told = fixture(game)
    assert len(told["matches"]) == len(choices(game)) + len(list(recorded(game)))
    assert len(told["searches"]) == len(told["greedy"]) >= 2 * len(choices(game))
    if game.name in package_games():  # in Comets chance plays after every action
        assert any(search["reuse"] for search in told["searches"])
        assert any(search["done"] < search["simulations"] for search in told["searches"])
    assert replay(module, told) == NOTHING


# Errors that are planted


@pytest.fixture(scope="module")
def told() -> Any:
    return fixture(moon_leap())


def moon_leap() -> Game:
    return next(game for game in GAMES if title(game) == "moon-leap-2")


@pytest.fixture
def game() -> Game:
    return moon_leap()


def test_an_action_that_is_another_is_found_at_the_ply_after_it(told: Any, module: Path, replay: Replay) -> None:
    wrong = copy.deepcopy(told)
    actions = wrong["matches"][1]["actions"]
    ply = next(i for i, action in enumerate(actions) if i > 10 and action != actions[0] and told_a_roll(told, action))
    actions[ply] = next(other for other in actions if told_a_roll(told, other) and other != actions[ply])
    found = replay(module, wrong)
    assert found["matches"][0] == [1, ply + 1]
    assert found["searches"] == []


def told_a_roll(told: Any, action: int) -> bool:
    return moon_leap().actions.text(action).startswith("roll")


@pytest.mark.parametrize("part", ["tree", "rng"])
def test_a_search_that_ends_otherwise_is_found(part: str, told: Any, module: Path, replay: Replay) -> None:
    wrong = copy.deepcopy(told)
    wrong["searches"][3][part] = "0"
    assert replay(module, wrong) == NOTHING | {"searches": [3]}


def test_wrong_weights_are_found(told: Any, module: Path, replay: Replay, tmp_path: Path) -> None:
    content = bytearray(module.with_name(f"{module.name}.wasm").read_bytes())
    right = WEIGHTS[2, GOAL, 1].tobytes()
    at = content.index(right)
    content[at : at + len(right)] = (-WEIGHTS[2, GOAL, 1]).tobytes()
    (tmp_path / "wrong.wasm").write_bytes(content)
    (tmp_path / "wrong.json").write_bytes(module.with_name(f"{module.name}.json").read_bytes())
    found = replay(tmp_path / "wrong", told)
    assert found["matches"] == []
    assert found["searches"]
    assert found["greedy"]
