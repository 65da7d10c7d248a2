"""`plenilune components`: a game's component table."""

from __future__ import annotations

import argparse

from plenilune.commands.arguments import Command
from plenilune.core.errors import BadSetting
from plenilune.game import load


def add(command: Command) -> None:
    """Add the command to the command line."""
    made = command("components", run, "print a game's component table, to make one's own from")
    made.add_argument("game", metavar="GAME")


def run(given: argparse.Namespace) -> None:
    from plenilune.core import components

    game = load(given.game)
    if not game.components:
        raise BadSetting(f"{game.name} has no component table")
    print(components.table(game.State.home()).path.read_text("utf-8"), end="")
