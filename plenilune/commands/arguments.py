"""Arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from plenilune.core.errors import BadSetting
from plenilune.game import Game, load

# Adds a command to the command line: (name, what runs it, help).
Command = Callable[[str, Callable[[argparse.Namespace], int | None], str], argparse.ArgumentParser]


def variable(option: str) -> str:
    """The environment variable that stands for an option of the server."""
    return f"PLENILUNE_{option.upper()}"


def add_match(made: argparse.ArgumentParser, game_needed: bool = True) -> None:
    """The arguments that say what match is played."""
    made.add_argument("game", metavar="GAME", nargs=None if game_needed else "?")
    made.add_argument("--seats", type=int, metavar="N", help="how many sit at the table (2)")
    made.add_argument("--seed", metavar="TEXT", help="the dice's seed")
    made.add_argument("--option", action="append", default=[], metavar="NAME=WORD", help="an option of the game")


def match_setting(given: argparse.Namespace) -> tuple[Game, int, dict[str, str]]:
    """The game, the number of seats and the options that `add_match` was given."""
    if given.game is None:
        raise BadSetting("which game? (see plenilune play --help)")
    game, options = load(given.game), dict(pair(word, "NAME=WORD") for word in given.option)
    seats = min(max(2, game.seats[0]), game.seats[-1]) if given.seats is None else given.seats
    return game, seats, game.choices(seats, options)


def pair(word: str, form: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise BadSetting(f"expected {form}, not {word!r}")
    return name, value
