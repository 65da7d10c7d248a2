"""The examples run, and find what they say."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

FOLDER = Path(__file__).parents[2] / "examples"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_random_play_favours_nobody_much_and_greedy_play_wins() -> None:
    many = example("many_matches")
    rewards = many.random_play("moon-leap")
    assert np.allclose(rewards.sum(axis=1), 0)
    assert abs(rewards.mean(axis=0)).max() < 0.3
    assert many.greedy_against_random("moon-leap") > 0.5


def test_a_tournament_rates_every_player() -> None:
    found = example("tournament").tournament("moon-leap", matches=2)
    assert set(found) == {"anything", "first", "last"}
    assert sum(found.values()) == pytest.approx(0)
