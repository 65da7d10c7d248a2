"""A module in a worker of Chromium does byte for byte what the rules and the search do natively."""

from __future__ import annotations

import copy
import itertools
import json
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from plenilune import Game
from tests.browser.hosts import Files
from tests.wasm.conftest import MODULES, REPLAY, built
from tests.wasm.fixtures import fixture
from tests.wasm.test_equality import GAMES, NOTHING, title

__all__ = ["built"]  # a fixture
Compare = Callable[[Game, Any], dict[str, Any]]
COMPARED = """asked => new Promise((done, failed) => {
  const worker = new Worker('compare-worker.mjs', { type: 'module' });
  worker.onmessage = ({ data }) => done(data);
  worker.onerror = error => failed(new Error(error.message || 'the worker could not be started'));
  worker.postMessage(asked);
})"""


@pytest.fixture(scope="module")
def compare(chromium: Browser, built: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compare]:
    """Has Chromium do what a fixture says with the game's module; returns what came out otherwise than natively."""
    folder = tmp_path_factory.mktemp("equality")
    shutil.copytree(MODULES, folder, dirs_exist_ok=True)
    for name in ("compare.mjs", "compare-worker.mjs"):
        shutil.copy(REPLAY.with_name(name), folder)
    host, page = Files(folder), chromium.new_page()
    page.goto(host.above)

    numbers = itertools.count()

    def run(game: Game, told: Any) -> dict[str, Any]:
        name = (
            f"fixture-{next(numbers)}.json"  # a name of its own: the browser would take the one before from its cache
        )
        (folder / name).write_text(json.dumps(told), "utf-8")
        module = next(made.name for which, made in built.items() if which == (game.name, game.version))
        found: dict[str, Any] = page.evaluate(COMPARED, {"module": module, "fixture": name})
        return found

    yield run
    page.close()
    host.stop()


@pytest.mark.parametrize("game", GAMES, ids=title)
def test_matches_and_searches_are_the_same_as_natively(game: Game, compare: Compare) -> None:
    told = fixture(game)
    assert told["matches"]
    assert told["searches"]
    assert compare(game, told) == NOTHING


def test_what_comes_out_otherwise_is_found(compare: Compare) -> None:
    told = fixture(GAMES[0])
    wrong = copy.deepcopy(told)
    wrong["matches"][1]["digests"][7] = wrong["searches"][2]["tree"] = wrong["greedy"][1]["rng"] = "0"
    assert compare(GAMES[0], wrong) == {"matches": [[1, 7]], "searches": [2], "greedy": [1]}
