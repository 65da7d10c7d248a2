"""Compiling: shows how far it is and is done once, what was damaged is made again, what several processes keep is not
mixed up, and rules make no arrays."""

import os
import pickle
import pty
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numba
import numpy as np
import pytest
from numba import NumbaError

from plenilune import load
from plenilune.core import compiling, engine
from plenilune.core.engine import PLAIN, rule
from plenilune.core.errors import BadCache
from plenilune.game import Game

pytestmark = pytest.mark.skipif(PLAIN, reason="nothing is compiled")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game that nobody has used yet; what is compiled for it is kept in tmp_path."""
    found = load("lanterns")

    def folder(source: Path) -> Path:
        (tmp_path / source.stem).mkdir(exist_ok=True)
        return tmp_path / source.stem

    monkeypatch.setattr(engine, "cache_folder", folder)
    monkeypatch.setattr(compiling, "_used", set())
    return found


def new_function() -> Callable[[int], int]:
    """One that is compiled when it is called, and calls another that is."""

    @numba.njit  # type: ignore[untyped-decorator]
    def inner(number: int) -> int:
        return number + 1

    @numba.njit  # type: ignore[untyped-decorator]
    def outer(number: int) -> int:
        return inner(number) * 2  # type: ignore[no-any-return]

    return outer  # type: ignore[no-any-return]


# Progress


class Bar:
    """Stands where the progress bar would, and notes what it is told."""

    def __init__(self, text: str, steps: int) -> None:
        self.text, self.steps, self.task_ids, self.stopped = text, steps, [0], False
        self.told: list[int] = []

    def update(self, task: int, completed: int) -> None:
        self.told.append(completed)

    def stop(self) -> None:
        self.stopped = True


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> list[Bar]:
    shown: list[Bar] = []

    def show(text: str, steps: int) -> Bar:
        shown.append(Bar(text, steps))
        return shown[-1]

    monkeypatch.setattr(compiling, "_bar", show)
    monkeypatch.setattr(compiling, "PATIENCE", 0)
    monkeypatch.setattr(compiling, "is_terminal", lambda stream: True)
    return shown


def test_every_function_moves_the_bar_on_and_it_goes_when_all_are_compiled(game: Game, bars: list[Bar]) -> None:
    f = new_function()
    compiling.first_use(game, f, lambda: f(1), parts=2)
    (bar,) = bars
    assert bar.text == "Compiling bots for Lanterns, once on this machine"
    assert bar.told == [0, 0, 1, 2]
    assert bar.stopped


def test_the_bar_is_never_more_than_full(game: Game, bars: list[Bar]) -> None:
    f = new_function()
    compiling.first_use(game, f, lambda: f(1), parts=1)
    assert max(bars[0].told) == bars[0].steps == 1


def test_what_has_been_used_is_not_used_again(game: Game, bars: list[Bar]) -> None:
    f, uses = new_function(), []
    for _ in range(2):
        compiling.first_use(game, f, lambda: uses.append(f(1)), parts=2)
    assert (len(uses), len(bars)) == (1, 1)


def test_what_one_version_of_the_rules_has_used_another_uses_too(game: Game) -> None:
    f = new_function()
    uses: list[int] = []
    for version in (1, 2, 1, 2):
        compiling.first_use(replace(game, version=version), f, partial(uses.append, version), parts=2)
    assert uses == [1, 2]


def test_one_version_of_the_rules_is_not_ready_because_another_is(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[int] = []
    monkeypatch.setattr(compiling, "_prepared", set())
    monkeypatch.setattr(compiling, "_compile_rules", lambda one: compiled.append(one.version))
    for version in (1, 2, 1, 2):
        compiling.prepare(replace(game, version=version))
    assert compiled == [1, 2]


def test_what_need_not_be_compiled_shows_no_bar(game: Game, bars: list[Bar]) -> None:
    f = new_function()
    f(1)
    compiling.first_use(game, f, lambda: f(2), parts=2)
    assert bars == []


def test_the_bar_goes_when_compiling_fails(game: Game, bars: list[Bar]) -> None:
    f = numba.njit(lambda number: number.no_such_thing)
    with pytest.raises(numba.TypingError):
        compiling.first_use(game, f, lambda: f(1), parts=2)
    assert bars[0].stopped


# Damage


@pytest.mark.parametrize("damage", [EOFError(), pickle.UnpicklingError(), UnicodeDecodeError("utf-8", b"", 0, 1, "")])
def test_what_was_damaged_is_forgotten_and_compiled_again(game: Game, tmp_path: Path, damage: Exception) -> None:
    f, failures = new_function(), [damage]

    def use() -> None:
        if failures:
            (tmp_path / "tests" / "damaged").touch()
            raise failures.pop()
        assert not (tmp_path / "tests").exists()
        f(1)

    compiling.first_use(game, f, use, parts=2)
    assert not failures


def test_what_was_not_damaged_is_kept(game: Game, tmp_path: Path) -> None:
    f, failures = new_function(), [EOFError()]

    def use() -> None:
        if failures:
            raise failures.pop()
        f(1)

    rules = tmp_path / "lanterns" / "rules"
    rules.parent.mkdir()
    rules.touch()
    compiling.first_use(game, f, use, parts=2)
    assert rules.exists()


def test_damage_is_found_wherever_it_is(game: Game, tmp_path: Path) -> None:
    f, damaged = new_function(), tmp_path / "lanterns" / "damaged"
    damaged.parent.mkdir()
    damaged.touch()

    def use() -> None:
        if damaged.exists():
            raise EOFError
        f(1)

    compiling.first_use(game, f, use, parts=2)
    assert not damaged.exists()


def test_what_fails_again_is_told(game: Game) -> None:
    with pytest.raises(ValueError, match="could not convert"):
        compiling.first_use(game, new_function(), lambda: float("moon"), parts=2)


def test_a_disk_that_is_full_is_named(game: Game, tmp_path: Path) -> None:
    def use() -> None:
        raise OSError(28, "No space left on device")

    said = f"compiled rules cannot be kept in {tmp_path}/tests: No space left on device"
    with pytest.raises(BadCache, match=said):
        compiling.first_use(game, new_function(), use, parts=2)


# All of it, as a person meets it


def play_bots(cache: Path) -> tuple[int, str]:
    """A match between bots whose errors are shown on a terminal: the exit code, and what was shown there."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "plenilune", "play", "lanterns", "--bot", "1=greedy", "--bot", "2=greedy"]
    environment = {**os.environ, "PLENILUNE_CACHE": str(cache), "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=theirs) as playing:
        os.close(theirs)
        shown = b"".join(iter(partial(read_terminal, ours), b""))
    os.close(ours)
    return playing.returncode, shown.decode()


def read_terminal(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # that is how a terminal says that nobody writes to it any more
        return b""


@pytest.mark.slow
def test_the_first_bot_shows_that_it_is_compiled_and_heals_what_was_damaged(tmp_path: Path) -> None:
    code, shown = play_bots(tmp_path)
    assert code == 0
    assert "Compiling bots for Lanterns, once on this machine" in shown
    kept = [file for folder in tmp_path.glob("search-*") for file in folder.rglob("*greedy_action*.nb[ic]")]
    assert len(kept) == 2
    assert "Compiling bots" not in play_bots(tmp_path)[1]
    for file in kept:
        file.write_bytes(file.read_bytes()[:100])
    assert play_bots(tmp_path)[0] == 0
    assert all(len(file.read_bytes()) > 100 for file in kept)


@rule
def wasteful(n: int) -> int:
    return len(np.zeros(n))


def test_a_rule_that_would_make_an_array_is_refused() -> None:
    with pytest.raises(NumbaError, match="zeros"):
        wasteful(3)
