"""How light the pages are, measured in Chromium: `python -m benchmarks.client` (`--help` says what else it takes).

Prints, for each game's table: what the first load weighs compressed, and when something is first painted; then of the
frames while pieces move, from the first in which one has left its place to the last: how many there were, how many the
page was given late, how many the browser's compositor left out, and how long after a click they begin; and what the
page itself worked meanwhile (its main thread's own time, which a busy machine does not change as it changes frames).
Last, how the page grows over many matches in one tab. What else runs on the machine makes frames late: its load is
printed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Response, sync_playwright
from rich.console import Console
from rich.progress import track
from rich.table import Table

from plenilune.game import load
from plenilune.server.thinking import warmup
from tests.browser.conftest import FLAGS, browser_path
from tests.browser.games import GAMES
from tests.browser.visitor import Visitor
from tests.server.running import Process

LATE = 20.0  # milliseconds from one frame to the next: one of sixty a second was left out

# From the first frame in which a piece is under way until none is: the time between frames, and how long it was until
# the first. A transition that is `pending` has not begun: what it moves still lies in its place.
FRAMES = """() => new Promise(done => {
  const gaps = [], start = performance.now(), end = start + 1500;
  const gliding = () => document.getAnimations().some(one => one.effect.target?.closest?.('.piece') &&
    one.effect.getTiming().iterations !== Infinity && one.playState === 'running' && !one.pending);
  let last = 0, first = null;
  const tick = now => {
    const moves = gliding();
    if (moves) performance.mark('moves');
    if (moves) first ??= now - start;
    if (moves && last) gaps.push(now - last);
    last = moves ? now : 0;
    if (now < end && (moves || !gaps.length)) return requestAnimationFrame(tick);
    performance.mark('rest');
    done([gaps, first]);
  };
  performance.mark('start');
  requestAnimationFrame(tick);
})"""
DROPPED = "STATE_DROPPED"
TRACED = ["devtools.timeline", "toplevel", "blink.user_timing", "cc", "benchmark"]


@dataclass
class Glide:
    gaps: list[float] = field(default_factory=list)  # milliseconds between frames
    begins: list[float] = field(default_factory=list)  # milliseconds after a click
    left_out: int = 0  # frames that the compositor did not show
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
            gaps, begins = lena.page.evaluate(FRAMES)
            events = json.loads(browser.stop_tracing())["traceEvents"]
            found.gaps += gaps
            found.begins += [begins] if gaps else []
            found.left_out += left_out(events)
            found.tasks += main_thread(events)
    lena.close()
    return found


def left_out(events: list[dict[str, Any]]) -> int:
    """Frames that the compositor should have shown while something moved, and did not."""
    moves = [event["ts"] for event in events if event.get("name") == "moves"]
    if not moves:
        return 0
    page = next(event["pid"] for event in events if event.get("name") == "start")
    shown: dict[int, bool] = {}  # by its number: a frame may be reported in parts
    for event in events:
        ours = event["name"] == "PipelineReporter" and event["ph"] == "b" and event["pid"] == page
        if ours and moves[0] <= event["ts"] < moves[-1]:
            frame = event["args"]["frame_reporter"]
            shown[frame["frame_sequence"]] = shown.get(frame["frame_sequence"], False) or frame["state"] != DROPPED
    return sum(not was for was in shown.values())


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
        match = lena.table(GAMES[number % len(GAMES)], "me", "greedy")
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


def compile_all() -> None:
    """What was never used on this machine: nobody is to wait for it while pieces glide."""
    for game in map(load, GAMES):
        warmup.warm_up(warmup.BOTS, game)


def warm_up(browser: Browser, address: str) -> None:
    """Until the server has read what was compiled."""
    for game in GAMES:
        lena = Visitor(browser, address)
        lena.sit(lena.table(game, "me", "greedy"))
        lena.my_turn()
        lena.close()


def tables(browser: Browser, address: str, turns: int) -> Table:
    busy = f"load {os.getloadavg()[0]:.1f} in the minute before"
    where = f"Chromium {browser.version} without a GPU, {os.cpu_count()} cores, {busy}"
    table = Table(
        "table", "first load, kB", "first paint, ms", "begin, ms", "frames", "late", "left out", caption=where
    )
    table.add_column("slowest, ms")
    table.add_column("longest task, ms")
    table.add_column("tasks over 16 ms")
    for game in GAMES:
        size, paint = first_load(browser, address, game)
        glide = glides(browser, address, game, turns)
        begin = statistics.median(glide.begins)
        frames = f"{begin:.0f}", str(len(glide.gaps)), str(glide.late), str(glide.left_out), f"{max(glide.gaps):.0f}"
        work = f"{max(glide.tasks):.1f}", str(sum(task > 16 for task in glide.tasks))
        table.add_row(game, f"{size / 1000:.0f}", f"{paint:.0f}", *frames, *work)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.client", description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=50, help="matches in one tab; 0 for none (50)")
    parser.add_argument("--turns", type=int, default=8, help="turns whose glides are measured; 0 for none (8)")
    wishes, console = parser.parse_args(), Console()
    compile_all()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Process("--data", folder, PLENILUNE_LIMITS="off", PLENILUNE_BOT_PAUSE="0")
        try:
            browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
            warm_up(browser, server.address)
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
