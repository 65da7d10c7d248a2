"""Random matches for the tests."""

import random
from collections.abc import Iterator
from pathlib import Path

import plenilune
from plenilune import Game, Match, info, load, names

Setting = tuple[str, int, dict[str, str]]  # game, seats, options


def package_games() -> list[str]:
    """The games that ship, without the tutorial's and a developer's own."""
    return [name for name in names() if (folder_of(name) / "__init__.py").exists()]


def folder_of(game: str) -> Path:
    """Where the package has a game of that name, if it has one."""
    return Path(plenilune.__file__).parent / "games" / game.replace("-", "_")


def games() -> list[Game]:
    """Every game by every version of its rules."""
    return [load(name, version) for name in names() for version in load(name).versions]


def settings() -> list[Setting]:
    """Every game, number of seats and choice of options that go together."""
    return [(name, seats, options) for name in names() for seats, options in choices(load(name))]


def describe(setting: Setting) -> str:
    name, seats, options = setting
    return " ".join([name, f"{seats} seats", *options.values()])


def choices(game: Game) -> list[tuple[int, dict[str, str]]]:
    """Every number of seats and choice of options that go together."""
    return [(setting.seats, setting.options) for setting in info.settings(game)]


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
