"""Compile a game's rules, once per machine, and say so while it lasts."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from typing import Any

from plenilune.game import Game


def prepare(game: Game) -> None:
    """Have the game's rules compiled and kept on disk; shows progress on a terminal."""
    from plenilune import engine

    if engine.PLAIN:
        return
    home = game.State.home()  # numba keeps code apart by the path of its source, too
    marker = engine.cache_folder(home) / f"compiled-{hashlib.sha256(str(home).encode()).hexdigest()[:12]}"
    if not marker.exists():
        _compile(game, {name: getattr(game, name) for name in engine.SIGNATURES})
        marker.touch()


def _compile(game: Game, functions: dict[str, Callable[..., Any]]) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from plenilune import engine

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        bar = progress.add_task(f"Compiling {game.title}, once on this machine", total=len(functions))
        for name in engine.compile_all(game.State.dtype, functions):
            progress.update(bar, completed=list(functions).index(name))
