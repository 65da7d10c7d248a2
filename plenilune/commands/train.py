"""`plenilune train`: makes the weights of a game's evaluation."""

from __future__ import annotations

import argparse
from pathlib import Path

from plenilune.commands.arguments import Command
from plenilune.core.errors import BadSetting
from plenilune.game import load


def add(command: Command) -> None:
    """Add the command to the command line."""
    made = command("train", run, "make the weights that a game's bots evaluate positions by, from matches it plays")
    made.add_argument("game", metavar="GAME")
    made.add_argument("--seats", type=int, metavar="N", help="for N seats only (for every number of seats)")
    made.add_argument("--matches", type=int, metavar="N", help="how many matches to learn from (by method)")
    made.add_argument("--out", type=Path, metavar="FOLDER", help="keep the weights there, not in the game's own folder")


def run(given: argparse.Namespace) -> None:
    from rich.console import Console

    from plenilune.training.train import train

    game = load(given.game)
    if given.seats is not None and given.seats not in game.seats:
        raise BadSetting(f"{game.name} is for {game.seats[0]} to {game.seats[-1]} seats, not {given.seats}")
    if given.matches is not None and given.matches < 1:
        raise BadSetting(f"a number of matches is 1 or more, not {given.matches}")
    seats = list(game.seats) if given.seats is None else [given.seats]
    train(game, seats, given.matches, given.out, Console())
