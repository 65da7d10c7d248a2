"""`make bench`: how fast every game is played here, beside the nearest game of OpenSpiel and the tests' naive oracles.

Every ratio is of two figures taken in this same run, one core each.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from plenilune import Match, bench

# What we want at least, in millions a second: of which verbs' actions (none: of all plies), with how many seats.
AIMS = [
    ("moon-leap", (), 2, 8.0),
    ("moon-leap", (), 3, 8.0),
    ("moon-leap", (), 4, 8.0),
    ("nova-luna", ("take",), 2, 1.5),
    ("via-nebula", (), 4, 0.7),
]
SAMPLE = 20  # random matches to see how many of the plies are of those verbs


def share(name: str, seats: int, verbs: tuple[str, ...]) -> float:
    """How many of the plies of random matches are actions of these verbs."""
    if not verbs:
        return 1.0
    choose, texts = random.Random(1).choice, []
    for _ in range(SAMPLE):
        match = Match(name, seats)
        while not match.over:
            match.play(choose(match.legal()))
        texts += match.history
    return sum(text.split()[0] in verbs for text in texts) / len(texts)


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
    console.print()
    table = Table("beside it, in this run", "seats", "M plies/s", "ours is", box=None)
    for (name, seats), ours in speeds.items():
        if play := oracle(name, seats):
            theirs = bench.per_second(play)
            table.add_row(f"the naive oracle of {name}", str(seats), f"{theirs / 1e6:.3f}", f"{ours / theirs:,.0f} ×")
    if play := maedn():
        theirs = bench.per_second(play)
        slowest = min(speed for (name, _), speed in speeds.items() if name == "moon-leap")
        table.add_row(
            "OpenSpiel's maedn from Python", "", f"{theirs / 1e6:.3f}", f"Moon Leap {slowest / theirs:,.1f} ×"
        )
    else:
        table.add_row("OpenSpiel is not installed", "", "", "")
    console.print(table)
    console.print()
    for name, verbs, seats, aim in AIMS:
        reached = speeds[name, seats] * share(name, seats, verbs) / 1e6
        what = f"M {'/'.join(verbs) or 'plies'}/s with {seats} seats"
        verdict = "met" if reached >= aim else "[red]NOT met[/]"
        console.print(f"{name}: {reached:.2f} {what}, aim {aim}: {verdict}", highlight=False)


if __name__ == "__main__":
    main()
