"""`make bench`: how fast every game is played here, beside the nearest game of OpenSpiel and the tests' naive oracles.

Every ratio is of two figures taken in this same run, one core each.
"""

from __future__ import annotations

import importlib.util
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks import environments
from benchmarks.figures import verdict
from plenilune import Match
from plenilune.commands import bench

# What we want at least, in millions a second: of which verbs' actions (none: of all plies), with how many seats.
AIMS = [
    ("moon-leap", (), 2, 8.0),
    ("moon-leap", (), 3, 8.0),
    ("moon-leap", (), 4, 8.0),
    ("nova-luna", ("take",), 2, 1.5),
    ("via-nebula", (), 4, 0.7),
]
# Simulations a second of a search, on one core, wherever it is measured.
SEARCH_AIMS = {"moon-leap": 150_000, "nova-luna": 30_000, "via-nebula": 10_000}
# OpenSpiel's games that come nearest: dice that move pawns, tiles laid beside tiles, ways over a board of hexagons.
NEAREST = {
    "moon-leap": ("maedn", "backgammon"),
    "nova-luna": ("hive",),
    "via-nebula": ("chinese_checkers(players=2)",),
}
EXPLORE, MEMORY = 2.0, 1_000  # OpenSpiel's usual weight of trying against value; megabytes
UNLIMITED = 10**9  # simulations: the clock ends a search
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


class Theirs(NamedTuple):
    """A search of OpenSpiel's: simulations a second, and plies that each plays at random to the end, on average."""

    speed: float
    plies: float


def openspiel_searches(name: str) -> dict[str, Theirs]:
    """OpenSpiel's own search, in C++, of one of its games from the first choice of a match and from the one halfway."""
    import pyspiel

    game, choose = pyspiel.load_game(name), random.Random(1).choice

    def played(state: Any) -> list[Any]:
        """The states of a random match from there on."""
        states = [state.clone()]
        while not states[-1].is_terminal():
            states.append(states[-1].clone())
            states[-1].apply_action(choose(states[-1].legal_actions()))
        return states

    def measure(state: Any) -> float:
        leaf = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
        bot = pyspiel.MCTSBot(
            game, leaf, EXPLORE, UNLIMITED, MEMORY, solve=True, seed=1, verbose=False, max_wall_clock_time=bench.SECONDS
        )
        began = time.perf_counter()
        return float(bot.mcts_search(state).explore_count / (time.perf_counter() - began))

    match = [s for s in played(game.new_initial_state()) if not s.is_terminal()]
    choices = [s for s in match if not s.is_chance_node() and len(s.legal_actions()) > 1]
    return {
        where: Theirs(
            max(measure(state) for _ in range(bench.ROUNDS)),
            sum(len(played(state)) - 1 for _ in range(SAMPLE)) / SAMPLE,
        )
        for where, state in ((bench.START, choices[0]), (bench.MIDDLE, choices[len(choices) // 2]))
    }


def compare_searches(searches: dict[tuple[str, str], bench.Searched], console: Console) -> None:
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        console.print("OpenSpiel is not installed: there is no search to compare with")
        return
    table = Table("OpenSpiel's", "position", "simulations/s", "plies", "ours", "to the end", "as bots do", box=None)
    with console.status("searching with OpenSpiel") as status:
        for ours, nearest in NEAREST.items():
            for name in nearest:
                status.update(f"searching OpenSpiel's {name}")
                for where, theirs in openspiel_searches(name).items():
                    table.add_row(
                        name.partition("(")[0],
                        where,
                        f"{theirs.speed:,.0f}",
                        f"{theirs.plies:,.0f}",
                        ours,
                        f"{searches[ours, where].to_the_end / theirs.speed:,.1f} ×",
                        f"{searches[ours, where].one / theirs.speed:,.1f} ×",
                    )
    console.print(OPENSPIEL_NOTE, table)


OPENSPIEL_NOTE = (
    "OpenSpiel's search in C++, on one core, in this run. It plays every simulation at random to the end, so many "
    "plies; ours is so many times as fast if it does the same, and as it searches for bots."
)


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
    for (name, seats), ours in speeds.plies.items():
        if play := oracle(name, seats):
            theirs = bench.per_second(play)
            table.add_row(f"the naive oracle of {name}", str(seats), f"{theirs / 1e6:.3f}", f"{ours / theirs:,.0f} ×")
    if importlib.util.find_spec("pyspiel"):
        theirs = bench.per_second(environments.openspiel_match("maedn"))  # Mensch ärgere Dich nicht
        slowest = min(speed for (name, _), speed in speeds.plies.items() if name == "moon-leap")
        table.add_row(
            "OpenSpiel's maedn from Python", "", f"{theirs / 1e6:.3f}", f"Moon Leap {slowest / theirs:,.1f} ×"
        )
    else:
        table.add_row("OpenSpiel is not installed", "", "", "")
    console.print(table)
    console.print()
    compare_searches(speeds.searches, console)
    console.print()
    environments.main(console)
    console.print()
    for name, verbs, seats, aim in AIMS:
        reached = speeds.plies[name, seats] * share(name, seats, verbs) / 1e6
        what = f"{reached:.2f} M {'/'.join(verbs) or 'plies'}/s with {seats} seats"
        console.print(f"{name}: {what}, aim {aim}: {verdict(reached >= aim)}", highlight=False)
    for name, least in SEARCH_AIMS.items():
        slowest = min(found.one for (game, _), found in speeds.searches.items() if game == name)
        what = f"{slowest:,.0f} simulations/s by one thread"
        console.print(f"{name}: {what}, aim {least:,}: {verdict(slowest >= least)}", highlight=False)


if __name__ == "__main__":
    main()
