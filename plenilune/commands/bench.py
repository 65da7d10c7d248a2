"""`plenilune bench`: plies and simulations per second of every game on this machine, and how long compiling takes."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plenilune.commands.arguments import Command
from plenilune.game import Game, Tuning, load, names
from plenilune.match import Match

if TYPE_CHECKING:
    from rich.console import Console

ROUNDS = 5  # the best of so many is what the machine can do; the rest is what else it was doing
SECONDS = 0.4  # a round's length, about
BUSY = 0.5  # cores at work on other things, from which on we say so
SEARCHED_SEATS = 2
START, MIDDLE = "start", "middle"  # where a search is measured: the first choice of a match, and the one halfway
TO_THE_END = Tuning()  # what a search does in a game that says nothing: random play to the end of the match

FIRST_ACTION = """
import time; began = time.perf_counter()
from plenilune import Match; imported = time.perf_counter()
match = Match({name!r}, {seats})
match.play(match.legal()[0]); match.scores, match.places
print(imported - began, time.perf_counter() - began)
"""


def add(command: Command) -> None:
    """Add the command to the command line."""
    command("bench", run, "measure how fast this machine plays every game")


def run(given: argparse.Namespace) -> None:
    main()


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
    from plenilune.core.drivers import playouts
    from plenilune.core.engine import generator

    start = np.array([Match(game, seats).state], game.State.dtype)
    scratch, out, rng = np.zeros_like(start), np.zeros(game.actions.size, np.int32), generator(1)
    playouts(start, scratch, out, rng, 1)
    return per_second(lambda: playouts(start, scratch, out, rng, 100_000))


def nanoseconds_to_copy(game: Game) -> float:
    """A state, from one of many places to another, as a search does."""
    from plenilune.core.drivers import copies

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
    code = FIRST_ACTION.format(name=game.name, seats=game.seats[0])
    environment = {**os.environ, "PLENILUNE_CACHE": cache}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    imported, ready = map(float, done.stdout.split())
    return imported, ready


class Decision(NamedTuple):
    """A seat with a choice to make."""

    seen: Any
    seat: int


class Searched(NamedTuple):
    """How fast a position is searched, in simulations a second."""

    one: float  # as bots do, by one thread
    two: float  # and by two
    to_the_end: float  # by one thread that plays every simulation out
    plies: float  # that such a simulation is long, on average


def positions(game: Game) -> dict[str, Decision]:
    """Where searches are measured: choices from a match of random play, always the same one."""
    match, choose, found = Match(game, SEARCHED_SEATS, "bench"), random.Random(1).choice, []
    while not match.over:
        if len(match.legal()) > 1:
            found.append(Decision(match.seen_by(match.to_play), match.to_play))
        match.play(choose(match.legal()))
    return {START: found[0], MIDDLE: found[len(found) // 2]}


def simulations_per_second(game: Game, position: Decision, threads: int) -> float:
    """A simulation goes from the position to the end of the match, or to where it is cut."""
    from plenilune.bots import Budget
    from plenilune.bots.mcts import Search

    def measure() -> float:
        search = Search(game, position.seen, position.seat, Budget(seconds=SECONDS, threads=threads), seed=1)
        began = time.perf_counter()
        (thought,) = search.thoughts(report=float("inf"))
        return thought.simulations / (time.perf_counter() - began)

    return best(measure)


def plies_to_the_end(game: Game, position: Decision, matches: int = 1_000) -> float:
    """The mean length of random play from there."""
    from plenilune.core.drivers import playout
    from plenilune.core.engine import generator

    out, rng, plies = np.zeros(game.actions.size, np.int32), generator(1), 0
    for _ in range(matches):
        state = game.State.copy(position.seen)
        game.resample(state, position.seat, rng)
        plies += playout(state, out, rng, game.bound)
    return plies / matches


def searched(game: Game, position: Decision) -> Searched:
    return Searched(
        simulations_per_second(game, position, threads=1),
        simulations_per_second(game, position, threads=2),
        simulations_per_second(replace(game, tuning=TO_THE_END), position, threads=1),
        plies_to_the_end(game, position),
    )


class Speeds(NamedTuple):
    plies: dict[tuple[str, int], float]  # a second, by game and seats
    searches: dict[tuple[str, str], Searched]  # by game and position


def main(console: Console | None = None) -> Speeds:
    """Print the figures of every game."""
    from rich.console import Console
    from rich.table import Table

    console, speeds = console or Console(), Speeds({}, {})
    if (busy := os.getloadavg()[0]) > BUSY:
        console.print(
            f"This machine is busy (load {busy:.1f} on {os.cpu_count()} cores): it can do better than this.\n"
        )
    games = [load(name) for name in names()]
    states = Table("game", "import s", "first action: cold s", "warm s", "state bytes", "copied in ns", box=None)
    plies = Table("game", "seats", "M plies/s", box=None)
    searches = Table("game", "position", "one thread", "two threads", "to the end", "plies to the end", box=None)
    with console.status("measuring") as status:
        for game in games:
            status.update(f"starting {game.title}")
            times = [f"{seconds:.2f}" for seconds in start_times(game)]
            states.add_row(game.title, *times, str(game.State.dtype.itemsize), f"{nanoseconds_to_copy(game):.0f}")
            for seats in game.seats:
                status.update(f"playing {game.title} with {seats} seats")
                speeds.plies[game.name, seats] = plies_per_second(game, seats)
                plies.add_row(game.title, str(seats), f"{speeds.plies[game.name, seats] / 1e6:.2f}")
            for where, position in positions(game).items() if SEARCHED_SEATS in game.seats else ():
                status.update(f"searching {game.title} from the {where}")
                found = speeds.searches[game.name, where] = searched(game, position)
                searches.add_row(game.title, where, *(f"{figure:,.0f}" for figure in found))
    console.print(states, "\nRandom play to the end, chance included, one core; the best of several rounds.", plies)
    console.print(SEARCH_NOTE, searches)
    return speeds


SEARCH_NOTE = (
    "\nSimulations a second of a search with two seats, from the first choice of a match and from the one halfway; the "
    "best of several rounds. `to the end`: one thread, every simulation played at random to the end of the match, "
    "where bots cut it and take a quick look."
)
