"""`plenilune arena`: bots play one another and are rated."""

from __future__ import annotations

import argparse
from pathlib import Path

from plenilune.commands.arguments import Command, add_match, match_setting

BOTS = "random, greedy, beginner … master, mcts:10000, mcts:500ms"


def add(command: Command) -> None:
    """Add the command to the command line."""
    made = command("arena", run, "let bots play one another, on all cores, and rate them")
    add_match(made)
    made.add_argument("bots", nargs="+", metavar="BOT", help=BOTS)
    made.add_argument("--games", type=int, default=100, metavar="N", help="matches for each pair of bots (100)")
    made.add_argument("--jobs", type=int, metavar="N", help="how many processes play (one for each core)")
    made.add_argument("--out", type=Path, metavar="FOLDER", help="keep results, table and chart here, and continue")


def run(given: argparse.Namespace) -> int:
    from plenilune.bots import arena

    game, seats, options = match_setting(given)
    seed = "arena" if given.seed is None else given.seed
    plan = arena.Plan(game.name, tuple(given.bots), seats, options, given.games, seed)
    return arena.main(plan, given.jobs, given.out)
