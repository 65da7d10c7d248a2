"""`plenilune perft`: how many positions there are after so many plies, to compare implementations of a game."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator

import numpy as np

from plenilune.commands.arguments import Command, add_match, match_setting
from plenilune.core.dice import Dice
from plenilune.core.errors import BadSetting
from plenilune.game import Game
from plenilune.match import Match

DEEPEST = 64


def add(command: Command) -> None:
    """Add the command to the command line."""
    made = command("perft", run, "count the positions after each number of plies")
    add_match(made)
    made.add_argument("--depth", type=int, required=True, metavar="N", help="how many plies")
    made.add_argument("--after", type=int, default=0, metavar="N", help="let the seed play N plies first")


def run(given: argparse.Namespace) -> None:
    game, seats, options = match_setting(given)
    match = start(game, seats, "perft" if given.seed is None else given.seed, given.after, **options)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # compiled code would not notice Ctrl-C for minutes
    for ply, count in enumerate(perft(match, given.depth), 1):
        print(f"{ply:>3} {count:>15,}", flush=True)


def start(game: Game | str, seats: int, seed: str, after: int = 0, **options: str) -> Match:
    """A match at its first decision of a seat `after` so many plies, which the seed plays for everybody: at every ply
    its dice pick among the legal actions, the seats' too."""
    if after < 0:
        raise BadSetting(f"a number of plies is 0 or more, not {after}")
    match, dice = Match(game, seats, seed, **options), Dice(seed)
    while match.ply < after and not match.over:
        match.play(match.game.actions.text(dice.pick(match.ply, match.legal_numbers())))
    return match


def perft(match: Match, depth: int) -> Iterator[int]:
    """The number of ways to play 1, 2 … `depth` plies from here, every outcome of chance counted as one.

    >>> list(perft(start("moon-leap", 2, "perft"), 3))
    [1, 6, 10]
    """
    from plenilune.core import drivers

    if not 1 <= depth <= DEEPEST:
        raise BadSetting(f"a depth is 1 to {DEEPEST}, not {depth}")
    for deepest in range(1, depth + 1):
        states = np.zeros(deepest + 1, match.game.State.dtype)
        states[0] = match.state
        counts, left = np.zeros(deepest, np.int64), np.zeros(deepest, np.int32)
        actions = np.zeros((deepest, match.game.actions.size), np.int32)
        drivers.perft(states, actions, left, counts)
        yield int(counts[-1])
