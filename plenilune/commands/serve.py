"""`plenilune serve`, and `plenilune` alone: tables in the browser."""

from __future__ import annotations

import argparse

from plenilune.commands.arguments import Command, variable

OPTIONS = (
    ("host", "HOST", "the address to listen on (127.0.0.1)"),
    ("port", "PORT", "the port (7272, or the next free one)"),
    ("database", "URL", "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME (SQLite in the data folder)"),
    ("data", "FOLDER", "where SQLite's file is kept (the user's data folder)"),
    ("workers", "N", "how many processes; more than one need PostgreSQL (1)"),
)


def add(command: Command) -> None:
    """Add the command to the command line."""
    add_options(command("serve", run, "serve tables to browsers (what plenilune does without a command)"))


def add_options(made: argparse.ArgumentParser) -> None:
    for name, meta, text in OPTIONS:
        made.add_argument(f"--{name}", metavar=meta, default=argparse.SUPPRESS, help=f"{text}; {variable(name)}")
    quiet = f"do not open a browser; {variable('browser')}=off"
    made.add_argument(
        "--no-browser", dest="browser", action="store_const", const="off", default=argparse.SUPPRESS, help=quiet
    )
    made.add_argument(
        "--accept-clock",
        action="store_true",
        default=argparse.SUPPRESS,
        help="go on from this machine's time if the database is ahead of it (docs/operating.md)",
    )


def run(given: argparse.Namespace) -> None:
    from plenilune.server import serve as server
    from plenilune.server.settings import load_settings

    names = [*(name for name, _, _ in OPTIONS), "browser"]
    settings = load_settings({name: getattr(given, name) for name in names if hasattr(given, name)})
    server.run(settings, getattr(given, "accept_clock", False))
