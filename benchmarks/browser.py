"""How fast bots think in a page, beside the same searches natively: `python -m benchmarks.browser`.

One thread each, alternately, with the simulations of `master`: what else the machine does meets both. Prints for each
game simulations a second, natively and in a Web Worker of Chromium, and how they compare; whether both chose the same
actions; how long a preview takes in the page, with its view; and how long it takes to load a game's rules. Then says
whether the targets are met: in a page at least 60% of the native speed, and a preview within a frame.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.figures import percentile, verdict
from plenilune import Match, load
from plenilune.bots import Budget, mcts
from plenilune.bots.thought import seed_of
from plenilune.game import Game
from plenilune.position import hidden
from plenilune.server.http.headers import HEADERS
from plenilune.wasm.build import SHIPPED
from tests.browser.conftest import FLAGS, browser_path
from tests.browser.games import GAMES
from tests.play import walk

CLIENT = Path(__file__).parents[1] / "client"
SPEED = 0.6  # of the native one
FRAME = 16  # milliseconds for a preview, in the median


class Searched(NamedTuple):
    simulations: int
    seconds: float
    action: int


class Measured(NamedTuple):
    game: str
    native: float  # simulations a second
    page: float
    alike: int  # searches that chose the same action after as many simulations
    searches: int
    previews: list[float]  # milliseconds
    load: float  # milliseconds

    @property
    def ratio(self) -> float:
        return self.page / self.native

    @property
    def preview(self) -> float:
        """The median, in milliseconds."""
        return percentile([ms / 1000 for ms in self.previews], 0.5)

    def row(self) -> list[str]:
        speeds = f"{self.native:,.0f}", f"{self.page:,.0f}", f"{self.ratio:.2f}"
        quick = f"{self.preview:.2f} / {max(self.previews):.1f}"
        return [self.game, *speeds, f"{self.alike} of {self.searches}", quick, f"{self.load:.0f}"]

    def verdicts(self) -> list[str]:
        return [
            f"{self.game}: master in a page at {SPEED:.0%} of native speed or more: {verdict(self.ratio >= SPEED)}",
            f"{self.game}: a preview in less than {FRAME} ms: {verdict(self.preview < FRAME)}",
        ]


class Files(http.server.SimpleHTTPRequestHandler):
    """Sent as our server sends them, with the policy that says what a page may do."""

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@contextmanager
def pages(folder: Path) -> Iterator[str]:
    """The address of a page with the rules and the bots, built for this."""
    command = [sys.executable, str(CLIENT / "build.py"), "build:speed"]
    subprocess.run(command, env={**os.environ, "PLENILUNE_SPEED": str(folder)}, check=True)
    shutil.copytree(SHIPPED, folder / "modules")
    serve = functools.partial(Files, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/speed.html"
        server.shutdown()


def positions(game: Game, number: int) -> list[Any]:
    """What the seat to play sees at some plies of random matches."""
    found = []
    for seed in range(number):
        match = Match(game, game.seats[seed % len(game.seats)], str(seed))
        every = [hidden(game, m.state, m.to_play) for m in walk(match, seed) if not m.over]
        found.append(random.Random(seed).choice(every[: len(every) * 3 // 4]))
    return found


def natively(game: Game, seen: Any, simulations: int) -> Searched:
    search = mcts.Search(game, seen, int(seen.to_play), Budget(simulations=simulations), seed_of(seen))
    began = time.perf_counter()
    thought = search.conclude()
    return Searched(thought.simulations, time.perf_counter() - began, thought.action)


def in_the_page(page: Page, game: Game, seen: Any, simulations: int) -> Searched:
    asked = [game.name, seen.tobytes().hex(), int(seen.to_play), simulations]
    done, milliseconds, action = page.evaluate("asked => search(...asked)", asked)
    return Searched(done, milliseconds / 1000, action)


def measure(page: Page, game: Game, number: int) -> Measured:
    loaded = page.evaluate("game => load(game)", game.name)
    simulations = game.levels["master"].simulations
    asked = positions(game, number)
    for warm_up in (natively, functools.partial(in_the_page, page)):
        warm_up(game, asked[0], 1000)
    both = [
        (natively(game, seen, simulations), in_the_page(page, game, seen, simulations))
        for seen in track(asked, game.name, transient=True)
    ]
    native, browser = (sum(s.simulations for s in one) / sum(s.seconds for s in one) for one in zip(*both, strict=True))
    alike = sum(a[::2] == b[::2] for a, b in both)
    previews = [ms for seen in asked for ms in page.evaluate("asked => previews(...asked)", _asked(game, seen))]
    return Measured(game.name, native, browser, alike, len(both), previews, loaded)


def _asked(game: Game, seen: Any) -> list[Any]:
    return [game.name, seen.tobytes().hex(), int(seen.to_play)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.browser", description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=12, help="positions of each game (12)")
    wishes = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, pages(Path(folder)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        busy = f"load {os.getloadavg()[0]:.1f} in the minute before"
        caption = f"Chromium {browser.version}, {os.cpu_count()} cores, {busy}"
        table = Table("game", "native, simulations/s", "page", "ratio", "same", caption=caption)
        table.add_column("preview, ms: median / slowest")
        table.add_column("load, ms")
        page = browser.new_page()
        page.goto(address)
        found = [measure(page, load(name), wishes.positions) for name in GAMES]
        browser.close()
    for measured in found:
        table.add_row(*measured.row())
    Console().print(table, *(line for measured in found for line in measured.verdicts()), sep="\n")


if __name__ == "__main__":
    main()
