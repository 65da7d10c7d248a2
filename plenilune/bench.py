"""How fast this machine plays: random plies a second for every game, and how long compiling takes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

from plenilune.game import Game, load, names
from plenilune.match import Match

ROUNDS = 5  # the best of so many is what the machine can do; the rest is what else it was doing
SECONDS = 0.4  # a round's length, about

START = """
import time; began = time.perf_counter()
from plenilune import Match; imported = time.perf_counter()
match = Match({name!r}, {seats})
match.play(match.legal()[0]); match.scores, match.places
print(imported - began, time.perf_counter() - began)
"""


def best(measure: Callable[[], float]) -> float:
    return max(measure() for _ in range(ROUNDS))


def per_second(work: Callable[[], int]) -> float:
    """How much of the work is done in a second, in the best of several rounds."""

    def measure() -> float:
        done, began = 0, time.perf_counter()
        while (took := time.perf_counter() - began) < SECONDS:
            done += work()
        return done / took

    return best(measure)


def plies_per_second(game: Game, seats: int) -> float:
    """Random play through the generic driver, chance included, on one core."""
    from plenilune.engine import generator
    from plenilune.search import playouts

    start = np.array([Match(game, seats).state], game.State.dtype)
    scratch, out, rng = np.zeros_like(start), np.zeros(game.actions.size, np.int32), generator(1)
    playouts(start, scratch, out, rng, 1)
    return per_second(lambda: playouts(start, scratch, out, rng, 100_000))


def nanoseconds_to_copy(game: Game) -> float:
    """A state, from one of many places to another, as a search does."""
    from plenilune.search import copies

    states = np.zeros(64, game.State.dtype)
    copies(states, 1)
    return 1e9 / per_second(lambda: copies(states, 100_000))


def start_times(game: Game) -> tuple[float, float, float]:
    """Seconds for the import, and to a first action with nothing compiled, and with everything compiled."""
    with tempfile.TemporaryDirectory() as cache:
        _, cold = _start(game, cache)
        imported, warm = (min(times) for times in zip(*(_start(game, cache) for _ in range(ROUNDS)), strict=True))
    return imported, cold, warm


def _start(game: Game, cache: str) -> tuple[float, float]:
    code = START.format(name=game.name, seats=game.seats[0])
    environment = {**os.environ, "PLENILUNE_CACHE": cache}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    imported, ready = map(float, done.stdout.split())
    return imported, ready


def main(console: Console | None = None) -> dict[tuple[str, int], float]:
    """Print the figures of every game; returns plies a second by game and seats."""
    console = console or Console()
    speeds: dict[tuple[str, int], float] = {}
    games = [load(name) for name in names()]
    states = Table("game", "import s", "first action: cold s", "warm s", "state bytes", "copied in ns", box=None)
    plies = Table("game", "seats", "M plies/s", box=None)
    with console.status("measuring") as status:
        for game in games:
            status.update(f"starting {game.title}")
            times = [f"{seconds:.2f}" for seconds in start_times(game)]
            states.add_row(game.title, *times, str(game.State.dtype.itemsize), f"{nanoseconds_to_copy(game):.0f}")
            for seats in game.seats:
                status.update(f"playing {game.title} with {seats} seats")
                speeds[game.name, seats] = plies_per_second(game, seats)
                plies.add_row(game.title, str(seats), f"{speeds[game.name, seats] / 1e6:.2f}")
    console.print(states, "\nRandom play to the end, chance included, one core; the best of several rounds.", plies)
    return speeds
