"""The files that weights are kept in."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from plenilune.game import Game


def part(game: Game, name: str) -> Any:
    """A module of the game's folder, such as `evaluate`."""
    return importlib.import_module(f"plenilune.games.{game.name.replace('-', '_')}.{name}")


def place(file: Path, folder: Path | None) -> Path:
    """Where the file is written: in the game's own folder, or in another."""
    return file if folder is None else folder / file.name


def weights_in(file: Path, folder: Path | None, shape: tuple[int, ...]) -> Any:
    """What was kept there, otherwise what the game has; zeros if it has none."""
    found = next((path for path in (place(file, folder), file) if path.exists()), None)
    return np.load(found) if found else np.zeros(shape, np.float32)
