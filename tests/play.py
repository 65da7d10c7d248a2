"""Random matches for the tests."""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import plenilune
from plenilune import Game, Match, load, names
from plenilune.core.errors import BadSetting


def package_games() -> list[str]:
    """The games that ship, without the tutorial's and a developer's own."""
    return [name for name in names() if (folder_of(name) / "__init__.py").exists()]


def folder_of(game: str) -> Path:
    """Where the package has a game of that name, if it has one."""
    return Path(plenilune.__file__).parent / "games" / game.replace("-", "_")


def games() -> list[Game]:
    """Every game by every version of its rules."""
    return [load(name, version) for name in names() for version in load(name).versions]


def settings() -> list[tuple[str, int, dict[str, str]]]:
    """Every game, number of seats and choice of options that go together."""
    return [(name, seats, options) for name in names() for seats, options in choices(load(name))]


def choices(game: Game) -> list[tuple[int, dict[str, str]]]:
    """Every number of seats and choice of options that go together."""
    return [
        (seats, dict(zip(game.options, words, strict=True)))
        for seats in game.seats
        for words in itertools.product(*game.options.values())
        if _go_together(game, seats, dict(zip(game.options, words, strict=True)))
    ]


def _go_together(game: Game, seats: int, options: dict[str, str]) -> bool:
    try:
        game.choices(seats, options)
    except BadSetting:
        return False
    return True


def walk(match: Match, seed: int = 0) -> Iterator[Match]:
    """The match at every ply, chance's too, played on at random."""
    player = random.Random(seed)
    yield match
    while not match.over:
        match.play(player.choice(match.legal()))
        yield match


def finished(match: Match, seed: int = 0) -> Match:
    for _ in walk(match, seed):
        pass
    return match
