"""`plenilune dataset`: matches of bots, or a server's, as Parquet files to learn from."""

from __future__ import annotations

import argparse
from pathlib import Path

from plenilune.commands.arena import BOTS
from plenilune.commands.arguments import Command, add_match, match_setting
from plenilune.core.errors import BadSetting

OF_BOTS = ("bots", "matches", "seats", "seed", "option")  # arguments about matches that are yet to be played
MATCHES = 100


def add(command: Command) -> None:
    """Add the command to the command line."""
    made = command("dataset", run, "let bots play on all cores, or take a server's matches, and write Parquet files")
    add_match(made)
    made.add_argument("--bots", nargs="+", metavar="BOT", help=BOTS)
    made.add_argument("--matches", type=int, metavar="N", help=f"how many are played ({MATCHES})")
    made.add_argument("--from", dest="database", metavar="URL", help="take the finished matches of a server instead")
    made.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where to write, or to continue")
    made.add_argument("--observe", default="", metavar="KIND", help="tokens, planes or state (tokens)")
    made.add_argument("--jobs", type=int, metavar="N", help="how many processes work (one for each core)")


def run(given: argparse.Namespace) -> int:
    if given.database is not None:
        return _export(given)
    from plenilune.rl import recording

    game, seats, options = match_setting(given)
    bots, seed = tuple(given.bots or ()), "dataset" if given.seed is None else given.seed
    matches = MATCHES if given.matches is None else given.matches
    plan = recording.Plan(game.name, bots, seats, options, matches, seed, given.observe)
    return recording.main(plan, given.out, given.jobs)


def _export(given: argparse.Namespace) -> int:
    if unused := [name for name in OF_BOTS if getattr(given, name) not in (None, [])]:
        raise BadSetting(f"--from takes matches as they were played: leave out --{unused[0]}")
    from plenilune.game import load
    from plenilune.server.storage import dataset

    return dataset.main(given.database, load(given.game), given.out, given.observe, given.jobs)
