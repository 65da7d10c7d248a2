"""`plenilune components`: a game's component table, and what is uncertain in one."""

from __future__ import annotations

import argparse
from pathlib import Path

from plenilune.commands.arguments import Command
from plenilune.core import components
from plenilune.core.errors import BadSetting
from plenilune.game import Game, load


def add(command: Command) -> None:
    """Add the command to the command line."""
    made = command("components", run, "print a game's component table as a starting point for your own, or check one")
    made.add_argument("game", metavar="GAME")
    made.add_argument("--check", metavar="FILE", type=Path, help="list what is still uncertain in this table")


def run(given: argparse.Namespace) -> None:
    game = load(given.game)
    if not game.read_components:
        raise BadSetting(f"{game.name} has no component table")
    if given.check:
        print("\n".join(report(game, components.read_table(given.check))))
    else:
        print(components.table(game.State.home()).path.read_text("utf-8"), end="")


def report(game: Game, table: components.Table) -> list[str]:
    """What is uncertain in a table, a line for each row; refuses a table that makes no sense."""
    assert game.read_components
    game.read_components(table)
    if not table.uncertain:
        return [f"{table.path}: every figure is known"]
    lines = [f"line {row.line}: {' '.join(row.words)}" for row in table.uncertain]
    return [*lines, f"{table.path}: {len(table.uncertain)} of {len(table.rows)} rows are uncertain"]
