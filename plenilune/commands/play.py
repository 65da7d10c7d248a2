"""`plenilune play`: a match in the terminal."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plenilune.commands.arguments import Command, add_match, match_setting, pair
from plenilune.commands.files import load_match, save_match
from plenilune.core.errors import BadSetting
from plenilune.match import Match

if TYPE_CHECKING:
    from plenilune.bots import Bot


def add(command: Command) -> None:
    """Add the command to the command line."""
    made = command("play", run, "play a match in the terminal, everybody at one screen")
    add_match(made, game_needed=False)
    made.add_argument("--bot", action="append", default=[], metavar="SEAT=NAME", help="a bot for a seat: 2=random")
    made.add_argument("--save", type=Path, metavar="FILE", help="keep the match in FILE, after every action")
    made.add_argument("--resume", type=Path, metavar="FILE", help="continue a saved match, and keep it there")


def run(given: argparse.Namespace) -> None:
    if _nothing_said(given):
        _choose_and_play()
    else:
        _play(given, _resumed(given) if given.resume else _new_match(given))


def _nothing_said(given: argparse.Namespace) -> bool:
    return not (given.game or given.resume or given.save or given.bot or given.option or given.seed or given.seats)


def _choose_and_play() -> None:
    from rich.console import Console

    from plenilune.commands import terminal

    console, ask = Console(), terminal.asker()
    try:
        match, bots = terminal.choose(console, ask)
        terminal.Sitting(match, bots, lambda _: None, console, ask).play()
    except terminal.Left:
        console.print("\nYou left the table. Nothing was kept; plenilune play GAME --save FILE keeps a match.")


def _play(given: argparse.Namespace, match: Match) -> None:
    from rich.console import Console

    from plenilune.commands import terminal

    file, console = given.resume or given.save, Console()

    def keep(match: Match) -> None:
        if file:
            save_match(match, file)

    sitting = terminal.Sitting(match, _bots(given.bot, match), keep, console, terminal.asker())
    next_step = "resume it with: plenilune play --resume"
    try:
        sitting.play()
        next_step = "check it with: plenilune verify"
    except terminal.Left:
        console.print("\nYou left the table.")
    if file:
        console.print(f"The match is kept in {file}; {next_step} {file}", highlight=False, markup=False, soft_wrap=True)


def _new_match(given: argparse.Namespace) -> Match:
    from plenilune.commands.terminal import new_seed

    if given.save and os.path.exists(given.save):  # noqa: PTH110  Path.exists raises where it may not look
        raise BadSetting(f"{given.save} is already there; go on with it by --resume, or name another file")
    game, seats, options = match_setting(given)
    return Match(game, seats, new_seed() if given.seed is None else given.seed, **options)


def _resumed(given: argparse.Namespace) -> Match:
    if given.option or any(word is not None for word in (given.game, given.seats, given.seed, given.save)):
        raise BadSetting("--resume takes everything from the file: give no game, seats, seed, option or --save with it")
    return load_match(given.resume)


def _bots(words: Sequence[str], match: Match) -> dict[int, Bot]:
    from plenilune import bots

    found = {}
    for word in words:
        seat, name = pair(word, "SEAT=NAME")
        if seat not in map(str, range(1, match.seats + 1)):
            raise BadSetting(f"a bot sits at a seat from 1 to {match.seats}, not {seat!r}")
        found[int(seat) - 1] = bots.load(name, match.game)
    return found
