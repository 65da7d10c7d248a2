"""The examples run, and find what they say."""

import importlib.util
import re
import subprocess
import sys
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


def test_ppo_learns_to_beat_random_play_by_far_within_a_minute() -> None:
    """Random play costs 302 points ± 2.4 on average, and what was learned from other seeds 163 to 167."""
    done = subprocess.run([sys.executable, FOLDER / "ppo.py"], capture_output=True, text=True, check=True)
    told = [float(number) for number in re.findall(r"\d+", done.stdout)]
    at_random, _, learned = told
    assert at_random > 280
    assert learned < 200, done.stdout


def test_a_networks_gradients_are_its_slopes() -> None:
    """Which the figures above would not show for certain: compare with differences."""
    ppo = example("ppo")
    chooser = np.random.default_rng(1)
    network, rows = ppo.Network(5, chooser), chooser.normal(size=(7, 5))
    network.weights = [chooser.normal(size=weight.shape) for weight in network.weights]
    slopes = chooser.normal(size=7)
    network(rows)
    found = network.gradients(slopes)
    for weight, gradient in zip(network.weights, found, strict=True):
        for at in np.ndindex(weight.shape):
            before, loss = weight[at], []
            for change in (-1e-6, 1e-6):
                weight[at] = before + change
                loss.append(float(slopes @ network(rows)))
            weight[at] = before
            assert (loss[1] - loss[0]) / 2e-6 == pytest.approx(gradient[at], rel=1e-4, abs=1e-7)


def test_a_search_of_openspiel_plays_against_ours() -> None:
    found = example("openspiel_search").contest(pairs=1, simulations=6)
    assert found["ours"] == -found["theirs"]
    assert abs(found["ours"]) <= 1


def test_a_tournament_rates_every_player() -> None:
    found = example("tournament").tournament("moon-leap", matches=2)
    assert set(found) == {"anything", "first", "last"}
    assert sum(found.values()) == pytest.approx(0)
