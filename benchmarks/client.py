"""How light the pages are, measured in Chromium: `python -m benchmarks.client` (`--help` says what else it takes).

Prints, for each game's table: what the first load weighs compressed, when something is first painted, how many frames
come late while pieces glide, and what the page itself worked meanwhile (its main thread's own time, which a busy
machine does not change as it changes frames); then how the page grows over many matches in one tab.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Response, sync_playwright
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tests.browser.conftest import FLAGS, browser_path
from tests.browser.visitor import Visitor
from tests.server.running import Process

GAMES = ("moon-leap", "nova-luna", "via-nebula")
LATE = 20.0  # milliseconds from one frame to the next: one of sixty a second was left out
COMPILING = 300_000  # milliseconds: the first use of a game on a machine compiles its rules

# From the first frame in which a piece is under way until none is: the time between frames.
FRAMES = """() => new Promise(done => {
  const gaps = [], end = performance.now() + 1500;
  const gliding = () => document.getAnimations().some(one => one.effect.target?.closest?.('.piece') &&
    one.effect.getTiming().iterations !== Infinity && one.playState === 'running');
  let last = 0;
  const tick = now => {
    const moves = gliding();
    if (moves && last) gaps.push(now - last);
    last = moves ? now : 0;
    (gaps.length && !moves) || now > end ? (performance.mark('rest'), done(gaps)) : requestAnimationFrame(tick);
  };
  performance.mark('start');
  requestAnimationFrame(tick);
})"""
TRACED = ["devtools.timeline", "toplevel", "blink.user_timing"]


@dataclass
class Glide:
    gaps: list[float] = field(default_factory=list)  # milliseconds between frames
    tasks: list[float] = field(default_factory=list)  # milliseconds of the main thread's own time, of each task

    @property
    def late(self) -> int:
        return sum(gap > LATE for gap in self.gaps)


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


def glides(browser: Browser, address: str, game: str, turns: int) -> Glide:
    """What happens while pieces glide, over a few turns, each after a moment of rest."""
    lena = Visitor(browser, address, motion="full", confirm="never", pace="calm")
    lena.sit(lena.table(game, "me", "greedy"))
    found = Glide()
    for _ in range(turns):
        if not lena.my_turn():
            break
        lena.page.wait_for_timeout(900)
        if picks := lena.legal():
            browser.start_tracing(page=lena.page, categories=TRACED)
            lena.click(picks[0])
            found.gaps += lena.page.evaluate(FRAMES)
            found.tasks += main_thread(json.loads(browser.stop_tracing())["traceEvents"])
    lena.close()
    return found


def main_thread(events: list[dict[str, Any]]) -> Iterator[float]:
    """The tasks of the page's main thread, from the click until all is at rest."""
    start = next(event for event in events if event.get("name") == "start")
    rest = next(event for event in events if event.get("name") == "rest")
    for event in events:
        mine = event.get("pid") == start["pid"] and event.get("tid") == start["tid"]
        if mine and event["name"] == "ThreadControllerImpl::RunTask" and start["ts"] <= event["ts"] <= rest["ts"]:
            yield event.get("tdur", 0) / 1000


def growth(browser: Browser, address: str, matches: int) -> Iterator[tuple[int, dict[str, int]]]:
    """Nodes, listeners and bytes after every tenth match, all played in one tab; the first three warm up."""
    lena = Visitor(browser, address, motion="full")
    lena.page.goto(address)
    session = lena.context.new_cdp_session(lena.page)
    for number in track(range(1, matches + 1), "matches in one tab"):
        match = lena.table(GAMES[number % 3], "me", "greedy")
        go(lena, f"/table/{match}", ".table[data-ready]")
        lena.finish(match)
        lena.page.locator("dialog .headline").wait_for()
        go(lena, "/", "main.games")
        if number == 3 or number % 10 == 0 or number == matches:
            yield number, weigh(lena, session)
    lena.close()


def weigh(lena: Visitor, session: Any) -> dict[str, int]:
    lena.page.wait_for_timeout(1000)  # what the last page still awaited has come
    session.send("HeapProfiler.collectGarbage")
    counters = session.send("Memory.getDOMCounters")
    heap = session.send("Runtime.getHeapUsage")["usedSize"]
    return {"nodes": counters["nodes"], "listeners": counters["jsEventListeners"], "heap": int(heap)}


def go(lena: Visitor, path: str, shows: str) -> None:
    """To another page in the same tab, as a link does."""
    lena.page.evaluate(
        "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')) }", path
    )
    lena.page.locator(shows).wait_for()


def compile_rules(browser: Browser, address: str) -> None:
    for game in GAMES:
        lena = Visitor(browser, address)
        lena.page.set_default_timeout(COMPILING)
        lena.sit(lena.table(game, "me", "greedy"))
        lena.my_turn()
        lena.close()


def tables(browser: Browser, address: str, turns: int) -> Table:
    table = Table("table", "first load, kB", "first paint, ms", "frames", "late", "slowest, ms")
    table.add_column("page's own work: longest task, ms")
    table.add_column("tasks over 16 ms")
    for game in GAMES:
        size, paint = first_load(browser, address, game)
        glide = glides(browser, address, game, turns)
        work = f"{max(glide.tasks):.1f}", str(sum(task > 16 for task in glide.tasks))
        row = (str(len(glide.gaps)), str(glide.late), f"{max(glide.gaps):.0f}", *work)
        table.add_row(game, f"{size / 1000:.0f}", f"{paint:.0f}", *row)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.client", description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=50, help="matches in one tab; 0 for none (50)")
    parser.add_argument("--turns", type=int, default=8, help="turns whose glides are measured; 0 for none (8)")
    wishes, console = parser.parse_args(), Console()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Process("--data", folder, PLENILUNE_LIMITS="off", PLENILUNE_BOT_PAUSE="0")
        try:
            browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
            compile_rules(browser, server.address)
            if wishes.turns:
                console.print(tables(browser, server.address, wishes.turns))
            for number, found in growth(browser, server.address, wishes.matches):
                heap = found["heap"] / 1e6
                console.print(
                    f"after {number} matches: {found['nodes']} nodes, {found['listeners']} listeners, {heap:.1f} MB"
                )
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
