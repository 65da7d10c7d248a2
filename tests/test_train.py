"""`plenilune train`: a game's weights are made by the method that its evaluation has the functions for."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from plenilune import load
from plenilune.core.errors import BadSetting
from plenilune.training.train import method_of
from plenilune.training.weights import part
from tests.play import folder_of, package_games


def train(folder: Path, *words: str, **variables: str) -> str:
    command = [sys.executable, "-m", "plenilune", "train", *words, "--out", str(folder)]
    given = os.environ | {"COLUMNS": "200"} | variables
    return subprocess.run(command, env=given, stdout=subprocess.PIPE, text=True, check=True).stdout


def test_weights_for_one_number_of_seats_are_learned_and_the_others_kept(tmp_path: Path) -> None:
    said = train(tmp_path, "moon-leap", "--seats", "2", "--matches", "1", NUMBA_DISABLE_JIT="1")
    own = part(load("moon-leap"), "evaluate")
    before, after = np.load(own.FILE), np.load(tmp_path / own.FILE.name)
    assert str(tmp_path / own.FILE.name) in said
    assert after[2].any()
    assert (after[2] != before[2]).any()
    assert (np.delete(after, 2, 0) == np.delete(before, 2, 0)).all()


@pytest.mark.slow
def test_weights_that_are_fitted_are_kept_like_those_that_are_learned(tmp_path: Path) -> None:
    said = train(tmp_path, "via-nebula", "--seats", "2", "--matches", "20")
    own = part(load("via-nebula"), "evaluate")
    before, after = np.load(own.FILE), np.load(tmp_path / own.FILE.name)
    assert said.count("log loss") == 4
    assert (after[2] != before[2]).any()
    assert (np.delete(after, 2, 0) == np.delete(before, 2, 0)).all()


def test_every_game_that_ships_weights_can_be_trained() -> None:
    shipped = [name for name in package_games() if any(folder_of(name).glob("*.npy"))]
    assert shipped
    for name in shipped:
        assert method_of(load(name)).MATCHES > 0


def test_a_game_without_weights_is_refused() -> None:
    with pytest.raises(BadSetting, match="lanterns has no weights"):
        method_of(load("lanterns"))
