"""`make bench`: how fast every game is played here, beside the nearest game of OpenSpiel and the tests' naive oracles.

Every ratio is of two figures taken in this same run, one core each.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from plenilune import bench

AIMS = {"moon-leap": 8.0}  # M plies/s, at every number of seats
OPENSPIEL_AIM = 10  # times


def plies_per_second(play_a_match: Callable[[], int]) -> float:
    def measure() -> float:
        plies, began = 0, time.perf_counter()
        while (took := time.perf_counter() - began) < bench.SECONDS:
            plies += play_a_match()
        return plies / took

    return bench.best(measure)


def maedn() -> Callable[[], int] | None:
    """A random match of OpenSpiel's Mensch ärgere Dich nicht, played from Python, chance included."""
    try:
        import pyspiel
    except ImportError:
        return None
    game, choose = pyspiel.load_game("maedn"), random.Random(1).choice

    def play() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
            plies += 1
        return plies

    return play


def oracle(name: str, seats: int) -> Callable[[], int] | None:
    """A random match of the tests' naive oracle of the game."""
    try:
        kind = importlib.import_module(f"tests.oracles.{name.replace('-', '_')}").Oracle
    except ModuleNotFoundError:
        return None
    choose = random.Random(1).choice

    def play() -> int:
        match, plies = kind(seats), 0
        while legal := match.legal():
            match.play(choose(legal))
            plies += 1
        return plies

    return play


def main() -> None:
    console = Console()
    speeds = bench.main(console)
    table = Table("beside it, in this run", "seats", "M plies/s", "ours is", box=None)
    for (name, seats), ours in speeds.items():
        if play := oracle(name, seats):
            theirs = plies_per_second(play)
            table.add_row(f"the naive oracle of {name}", str(seats), f"{theirs / 1e6:.3f}", f"{ours / theirs:,.0f} ×")
    if play := maedn():
        theirs, ours = plies_per_second(play), min(s for (name, _), s in speeds.items() if name == "moon-leap")
        met = "" if ours >= OPENSPIEL_AIM * theirs else f"  below the aim of {OPENSPIEL_AIM} ×"
        table.add_row(
            "OpenSpiel's maedn from Python", "", f"{theirs / 1e6:.3f}", f"{ours / theirs:,.1f} × (Moon Leap){met}"
        )
    else:
        table.add_row("OpenSpiel is not installed", "", "", "")
    console.print(table)
    for name, aim in AIMS.items():
        slowest = min(s for (game, _), s in speeds.items() if game == name) / 1e6
        verdict = "met" if slowest >= aim else "NOT met"
        console.print(f"{name}: aim {aim:.1f} M plies/s, slowest {slowest:.2f}: {verdict}", highlight=False)


if __name__ == "__main__":
    main()
