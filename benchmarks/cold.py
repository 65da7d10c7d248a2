"""How long somebody waits who has never played on this machine: `python -m benchmarks.cold` (`--help` says more).

For each game a server is started with nothing compiled (an empty `PLENILUNE_CACHE`), and a browser that has never been
there opens it at once. Printed is how long it was from the command until the server says where it is; from opening the
page until a table against a bot is shown, until something can be chosen, and until the bot has answered the first
turn; and what was loaded until something could be chosen, compressed. `--static` does the same on a host without a
server. What else runs on the machine counts: its load is printed. Then says whether the target is met: something can be
chosen within a second of opening the page.
"""

from __future__ import annotations

import argparse
import gzip
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Response, sync_playwright
from rich.console import Console
from rich.table import Table

from benchmarks.figures import verdict
from tests.browser.conftest import FLAGS, browser_path
from tests.browser.games import GAMES
from tests.browser.hosts import Host
from tests.browser.visitor import LEGAL, Visitor
from tests.server.running import Process

PATIENCE = 180_000  # milliseconds
TARGET = 1000  # milliseconds until something can be chosen
NOTHING_OWN = {"PLENILUNE_GAMES": "", "PLENILUNE_COMPONENTS": ""}


# When each of these was first seen, in milliseconds after the page was opened. The title says whose turn it is.
WATCH = f"""
  const seen = window.seen = {{}};
  const see = name => seen[name] ??= performance.now();
  new MutationObserver(() => {{
    const due = document.title.startsWith('●');
    if (document.querySelector('.table[data-ready]')) see('table');
    if (document.querySelector('{LEGAL}')) see('choice');
    if (!due && seen.due) see('played');
    if (due && seen.choice) see('due');
    if (due && seen.played) see('reply');
  }}).observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }});
"""


@dataclass
class Wait:
    start: float  # seconds
    seen: dict[str, float]  # milliseconds
    loaded: int  # bytes


@contextmanager
def first_start(static: bool) -> Iterator[tuple[str, float]]:
    """The address of a server that has never run before, and how long it took to start."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        if static:
            host: Host | Process = Host(Path(folder))
        else:
            host = Process("--data", folder, PLENILUNE_CACHE=f"{folder}/cache", **NOTHING_OWN)
        try:
            yield host.address, time.perf_counter() - began
        finally:
            host.stop()


def first_turn(browser: Browser, game: str, static: bool) -> Wait:
    with first_start(static) as (address, start):
        lena = Visitor(browser, address, confirm="never", pace="quick")
        lena.page.set_default_timeout(PATIENCE)
        lena.page.add_init_script(WATCH)
        loaded: list[Response] = []
        lena.page.on("response", lambda response: loaded.append(response))
        lena.page.goto(f"{address}/")
        lena.page.locator(f"article:has(a[href$='/learn/{game}']) .gold").click()
        lena.page.locator(LEGAL).first.wait_for()
        weight = sum(len(gzip.compress(response.body())) for response in list(loaded))
        while "reply" not in (seen := lena.page.evaluate("window.seen")):
            if lena.my_turn():
                lena.act(lambda picks: picks[0])
        lena.close()
        return Wait(start, seen, weight)


def report(waits: dict[str, list[Wait]], static: bool) -> Table:
    """Medians."""
    table = Table(title=f"{'static host' if static else 'server'}, load of the machine {os.getloadavg()[0]:.1f}")
    for name in ("", "starts, s", "table, ms", "first choice, ms", "bot has answered, ms", "loaded, kB"):
        table.add_column(name, justify="right" if name else "left")
    for game, found in waits.items():
        seen = [f"{statistics.median(wait.seen[name] for wait in found):.0f}" for name in ("table", "choice", "reply")]
        start = statistics.median(wait.start for wait in found)
        table.add_row(game, f"{start:.1f}", *seen, f"{max(wait.loaded for wait in found) / 1000:.0f}")
    return table


def verdicts(waits: dict[str, list[Wait]]) -> Iterator[str]:
    for game, found in waits.items():
        waited = statistics.median(wait.seen["choice"] for wait in found)
        yield f"{game}: something can be chosen within {TARGET} ms: {verdict(waited <= TARGET)}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cold", description=__doc__)
    parser.add_argument("--games", nargs="*", default=list(GAMES), metavar="GAME")
    parser.add_argument("--times", type=int, default=3, metavar="N", help="first visits of each game (3)")
    parser.add_argument("--static", action="store_true", help="a host that has files only")
    asked = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        waits = {game: [first_turn(browser, game, asked.static) for _ in range(asked.times)] for game in asked.games}
        browser.close()
    Console().print(report(waits, asked.static), *verdicts(waits), sep="\n")


if __name__ == "__main__":
    main()
