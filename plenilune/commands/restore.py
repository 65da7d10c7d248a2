"""`plenilune restore`: a backup becomes a server's database."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from plenilune.commands.arguments import Command
from plenilune.commands.backup import add_database, clear_progress, counted, settings, show_progress


def add(command: Command) -> None:
    """Add the command to the command line."""
    made = command("restore", run, "make a database from a backup, while the server uses another")
    made.add_argument("file", type=Path, metavar="FILE")
    made.add_argument("--replace", action="store_true", help="delete what the database holds")
    add_database(made)


def run(given: argparse.Namespace) -> None:
    from plenilune.server.storage.backup import restore

    restored = asyncio.run(restore(given.file, settings(given).url, given.replace, show_progress))
    clear_progress()
    print(f"{counted(restored.matches, restored.actions)} restored into {restored.place}")
