"""`plenilune verify`: play saved matches again, or all matches of a server."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from plenilune.commands.arguments import Command
from plenilune.commands.files import read_text
from plenilune.core.errors import BadReplay, BadSetting
from plenilune.match import Match
from plenilune.verify import verify_file


def add(command: Command) -> None:
    """Add the command to the command line."""
    made = command("verify", run, "replay saved matches; check actions, dice and scores")
    made.add_argument("files", nargs="*", type=Path, metavar="FILE")
    made.add_argument("--database", metavar="URL", help="replay all matches in a server's database")


def run(given: argparse.Namespace) -> int:
    if bool(given.files) == bool(given.database):
        raise BadSetting("name files to verify, or a --database (see plenilune verify --help)")
    return _verify_database(given.database) if given.database else _verify_files(given.files)


def _verify_database(url: str) -> int:
    from plenilune.server.storage import verify

    return verify.main(url)


def _verify_files(files: Sequence[Path]) -> int:
    bad = 0
    for file in files:
        try:
            print(f"{file}: good ({_summary(verify_file(read_text(file)))})")
        except BadReplay as refusal:
            bad += 1
            print(f"{file}: {refusal}")
    return 1 if bad else 0


def _summary(match: Match) -> str:
    dice = "dice checked" if match.dice else "no seed, dice not checked"
    end = f"scores {' '.join(map(str, match.scores))}" if match.over else "unfinished"
    return f"{match.game.name}, {match.ply} plies, {dice}, {end}"
