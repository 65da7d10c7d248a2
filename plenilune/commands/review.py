"""`plenilune review`: what a search thinks of every action of a saved match."""

from __future__ import annotations

import argparse
from pathlib import Path

from plenilune.commands.arguments import Command
from plenilune.commands.files import load_match, save_match


def add(command: Command) -> None:
    """Add the command to the command line."""
    made = command("review", run, "say what a search thinks of every action of a saved match")
    made.add_argument("file", type=Path, metavar="FILE")
    made.add_argument("--bot", default="mcts:2000", metavar="NAME", help="how long to think (mcts:2000)")
    made.add_argument("--seat", type=int, metavar="N", help="one seat's actions only")
    made.add_argument("--out", type=Path, metavar="FILE", help="draw the chances to win as SVG")
    made.add_argument("--annotate", type=Path, metavar="FILE", help="save the match with the remarks in it")


def run(given: argparse.Namespace) -> None:
    from plenilune.bots import review_report
    from plenilune.bots.annotations import annotated

    match = load_match(given.file)
    seat = None if given.seat is None else given.seat - 1
    remarks = review_report.main(match, given.bot, seat, given.out)
    if given.annotate:
        save_match(annotated(match, remarks), given.annotate)
