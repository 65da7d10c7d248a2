"""Compile the rules and the bots of every game once: `python -m tests.compiled`. Otherwise the tests, which run in
several processes, would each compile them, or wait for others to do so."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import conftest  # noqa: F401  # the tests' own games are found
from plenilune import Game
from plenilune.bots.pool import cores
from plenilune.server.thinking.warmup import BOTS, RULES, is_made
from tests.play import games


def compile_missing(game: Game) -> None:
    for kind in (RULES, BOTS):
        if not is_made(kind, game):
            words = [kind, game.name, str(game.version)]
            subprocess.run([sys.executable, "-m", "plenilune.server.thinking.warmup", *words], check=True)


if __name__ == "__main__":
    with ThreadPoolExecutor(cores()) as pool:
        list(pool.map(compile_missing, reversed(games())))  # what takes longest comes last in the alphabet
