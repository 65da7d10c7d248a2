"""How light the pages are, measured in Chromium: `python -m benchmarks.client [matches]` (50 without a number).

Prints, for each game's table: what the first load weighs compressed, when something is first painted, and how many
frames come late while pieces glide; then how the page grows over so many matches in one tab.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
from typing import Any

from playwright.sync_api import Browser, Response, sync_playwright
from rich.console import Console
from rich.table import Table

from tests.browser.conftest import FLAGS, browser_path
from tests.browser.visitor import Visitor
from tests.server.running import Process

GAMES = ("moon-leap", "nova-luna", "via-nebula")
LATE = 1000 / 60 * 1.5  # milliseconds: a frame of sixty a second was left out

FRAMES = """() => new Promise(done => {
  const times = [], end = performance.now() + 700, gaps = () => times.slice(1).map((time, i) => time - times[i]);
  const tick = now => { times.push(now); now < end ? requestAnimationFrame(tick) : done(gaps()) };
  requestAnimationFrame(tick);
})"""


def first_load(browser: Browser, address: str, game: str) -> tuple[int, float]:
    """Bytes, compressed, of everything a table asks for, and milliseconds to the first paint with content."""
    lena = Visitor(browser, address, motion="full")
    match = lena.table(game, "me", "greedy")
    loaded: list[Response] = []
    lena.page.on("response", lambda response: loaded.append(response))
    lena.sit(match)
    lena.page.wait_for_load_state("networkidle")
    size = sum(len(gzip.compress(response.body())) for response in loaded)
    paint = lena.page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN")
    lena.close()
    return size, float(paint)


def frames(browser: Browser, address: str, game: str) -> list[float]:
    """The time between frames while pieces glide, over a few turns."""
    lena = Visitor(browser, address, motion="full", confirm="never")
    lena.sit(lena.table(game, "me", "greedy"))
    gaps: list[float] = []
    for _ in range(8):
        if not lena.my_turn():
            break
        lena.page.wait_for_timeout(400)
        if picks := lena.legal():
            lena.click(picks[0])
            gaps += lena.page.evaluate(FRAMES)
    lena.close()
    return gaps


def growth(browser: Browser, address: str, matches: int) -> list[tuple[int, dict[str, Any]]]:
    """Nodes and listeners after the first match, the second, and the last, all played in one tab."""
    lena = Visitor(browser, address, motion="full")
    lena.page.goto(address)
    session = lena.context.new_cdp_session(lena.page)
    found: list[tuple[int, dict[str, Any]]] = []
    for number in range(1, matches + 1):
        match = lena.table(GAMES[number % 3], "me", "greedy")
        go(lena, f"/table/{match}", ".table[data-ready]")
        lena.finish(match)
        lena.page.locator("dialog .headline").wait_for()
        go(lena, "/", "main.games")
        if number in (3, 6, matches // 2, matches):
            lena.page.wait_for_timeout(500)
            session.send("HeapProfiler.collectGarbage")
            found.append((number, session.send("Memory.getDOMCounters")))
    lena.close()
    return found


def go(lena: Visitor, path: str, shows: str) -> None:
    lena.page.evaluate(
        "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')) }", path
    )
    lena.page.locator(shows).wait_for()


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    console, table = Console(), Table("table", "first load, kB", "first paint, ms", "frames", "late", "slowest, ms")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Process("--data", folder, PLENILUNE_LIMITS="off", PLENILUNE_BOT_PAUSE="0")
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        for game in GAMES:
            size, paint = first_load(browser, server.address, game)
            gaps = frames(browser, server.address, game)
            late = sum(gap > LATE for gap in gaps)
            table.add_row(game, f"{size / 1000:.0f}", f"{paint:.0f}", str(len(gaps)), str(late), f"{max(gaps):.0f}")
        console.print(table)
        for number, counters in growth(browser, server.address, matches):
            console.print(
                f"after {number} matches: {counters['nodes']} nodes, {counters['jsEventListeners']} listeners"
            )
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
