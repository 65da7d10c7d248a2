"""`plenilune backup`: everything a server keeps, in one file, while it runs."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from plenilune.commands.arguments import Command, variable

if TYPE_CHECKING:
    from plenilune.server.settings import Settings


def add(command: Command) -> None:
    """Add the command to the command line."""
    made = command("backup", run, "save everything a server keeps in one file, while it runs")
    made.add_argument("file", type=Path, metavar="FILE", help="an earlier backup of that name is replaced")
    add_database(made)


def add_database(command: argparse.ArgumentParser) -> None:
    for option, meta in (("database", "URL"), ("data", "FOLDER")):
        command.add_argument(f"--{option}", metavar=meta, help=f"as given to the server; {variable(option)}")


def run(given: argparse.Namespace) -> None:
    from plenilune.server.storage.backup import back_up

    saved = asyncio.run(back_up(settings(given).url, given.file, show_progress))
    clear_progress()
    print(f"{counted(saved.matches, saved.actions)} saved in {saved.place} ({saved.bytes / 1e6:.1f} MB)")


def settings(given: argparse.Namespace) -> Settings:
    from plenilune.server.settings import load_settings

    return load_settings({name: getattr(given, name) for name in ("database", "data") if getattr(given, name)})


def counted(matches: int, actions: int) -> str:
    return f"{matches:,} match{'es' * (matches != 1)} with {actions:,} action{'s' * (actions != 1)}"


def show_progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{100 * done // max(1, total):3}%", end="", file=sys.stderr, flush=True)


def clear_progress() -> None:
    if sys.stderr.isatty():
        print("\r      \r", end="", file=sys.stderr, flush=True)
