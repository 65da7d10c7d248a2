"""Compile a game's rules, once per machine, and say so while it lasts."""

from __future__ import annotations

import pickle
import shutil
import sys
import time
from typing import TYPE_CHECKING

from plenilune.drawing import is_terminal
from plenilune.errors import BadCache
from plenilune.game import Game

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 0.5  # seconds before there is a progress bar
_ready: set[str] = set()


def prepare(game: Game) -> None:
    """Have the game's rules compiled, or read from disk; shows progress on a terminal if it takes long."""
    from plenilune import engine

    if engine.PLAIN or game.name in _ready:
        return
    folder = engine.cache_folder(game.State.home())
    try:
        _compile(game)
    except OSError as error:
        raise BadCache(f"compiled rules cannot be kept in {folder}: {error.strerror}") from error
    except (EOFError, pickle.UnpicklingError, ValueError, KeyError):  # what is kept there has been damaged
        shutil.rmtree(folder, ignore_errors=True)
        _compile(game)
    _ready.add(game.name)


def _compile(game: Game) -> None:
    from plenilune import engine

    functions = {name: getattr(game, name) for name in engine.SIGNATURES}
    began, progress = time.perf_counter(), None
    try:
        for done, _ in enumerate(engine.compile_all(game.State.dtype, functions)):
            if progress is None and is_terminal(sys.stderr) and time.perf_counter() - began > PATIENCE:
                progress = _bar(f"Compiling {game.title}, once on this machine", len(functions))
            if progress:
                progress.update(progress.task_ids[0], completed=done)
    finally:
        if progress:
            progress.stop()


def _bar(text: str, steps: int) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    progress.add_task(text, total=steps)
    progress.start()
    return progress
