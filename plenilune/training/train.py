"""Make a game's weights by the method that its `evaluate.py` has the functions for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress

from plenilune.core.errors import BadSetting
from plenilune.game import Game
from plenilune.training import fit, self_play
from plenilune.training.weights import part, place

METHODS = {"learn": self_play, "note_facts": fit}  # by the function that a game has for it


def train(game: Game, seat_counts: Iterable[int], matches: int | None, folder: Path | None, console: Console) -> None:
    """Train for each number of seats in turn; what is done is kept at once."""
    method = method_of(game)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with Progress(console=console) as progress:
        for seats, file, weights in method.train(game, seat_counts, matches or method.MATCHES, folder, progress):
            np.save(place(file, folder), weights)
            progress.print(f"{game.title}, {seats} seat{'s' * (seats != 1)}: {place(file, folder)}")


def method_of(game: Game) -> self_play.Method:
    try:
        own = part(game, "evaluate")
    except ModuleNotFoundError:
        own = None
    for name, method in METHODS.items():
        if hasattr(own, name):
            return method
    raise BadSetting(f"{game.name} has no weights: its evaluate.py has neither of {', '.join(METHODS)}")
