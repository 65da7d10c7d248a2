"""Nova Luna, Via Nebula and Moon Leap, to the letter of their rules."""

from plenilune.core.errors import (
    BadCache,
    BadComponents,
    BadGame,
    BadReplay,
    BadSetting,
    IllegalAction,
    Refusal,
    UnknownAction,
    UnknownGame,
)
from plenilune.core.record import CHANCE, OVER
from plenilune.game import Game, load, names
from plenilune.match import Match

__all__ = [
    "CHANCE",
    "OVER",
    "BadCache",
    "BadComponents",
    "BadGame",
    "BadReplay",
    "BadSetting",
    "Game",
    "IllegalAction",
    "Match",
    "Refusal",
    "UnknownAction",
    "UnknownGame",
    "load",
    "names",
]
