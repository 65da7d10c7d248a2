"""Bots, hints and reviews think in threads of their own: compiled code does not hold Python's lock, so tables go on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from plenilune import bots, engine
from plenilune.bots import Bot, Budget, review, tree
from plenilune.errors import BadSetting, Refusal
from plenilune.fingerprint import fingerprint
from plenilune.game import Game, load, names
from plenilune.match import Match
from plenilune.server.protocol import Hinted, ReviewRemark

T = TypeVar("T")
Mark = Literal["", "best", "?!", "?", "??"]
MOST_SIMULATIONS = 20_000  # of a bot that is named by them: a table may not ask for hours of thought
REVIEW = Budget(simulations=400)  # for each position
SEARCH = re.compile(r"mcts:([0-9]+)(ms)?")


def bot(name: str, game: Game) -> Bot:
    """The bot of that name, if it is content with what a server can give it."""
    found, asked = bots.load(name, game), SEARCH.fullmatch(name)
    if asked and int(asked[1]) > (2_000 if asked[2] else MOST_SIMULATIONS):
        raise BadSetting(f"a bot at a table thinks at most mcts:{MOST_SIMULATIONS} or mcts:2000ms, not {name!r}")
    if asked and asked[2]:
        return replace(found, budget=replace(found.budget, simulations=MOST_SIMULATIONS))
    return found


def levels(game: Game) -> list[str]:
    """The bots to offer, weakest first."""
    return list(game.levels) or ["random", "greedy", "mcts:1000"]


class Thinkers:
    def __init__(self, threads: int) -> None:
        self.pool = ThreadPoolExecutor(threads, "thinker", initializer=_step_back)
        self.slow = ThreadPoolExecutor(1, "reader", initializer=_step_back)  # what nobody's turn waits for
        self.closing = threading.Event()

    def close(self) -> None:
        self.closing.set()
        for pool in (self.pool, self.slow):
            pool.shutdown(wait=False, cancel_futures=True)

    async def choose(self, name: str, game: Game, seen: Any, seat: int, stop: Callable[[], bool]) -> str:
        """What the bot plays."""
        thinker = bot(name, game)

        def think() -> str:
            thought = thinker.think(game, seen, seat, stop=lambda: stop() or self.closing.is_set())
            return game.actions.text(thought.action)

        return await asyncio.get_running_loop().run_in_executor(self.pool, think)

    async def read(self, work: Callable[[], T]) -> T:
        """Something that takes a while and that no turn waits for."""
        return await asyncio.get_running_loop().run_in_executor(self.slow, work)

    def hints(self, game: Game, seen: Any, seat: int, seconds: float, id: str, ply: int) -> AsyncIterator[Hinted]:
        budget = Budget(simulations=MOST_SIMULATIONS, seconds=seconds)

        def answers(stop: Callable[[], bool]) -> Iterator[Hinted]:
            for answer in review.stream(game, seen, seat, budget, stop=stop):
                yield Hinted(id=id, ply=ply, **answer)

        return self._stream(self.pool, answers)

    def remarks(self, match: Match) -> AsyncIterator[ReviewRemark]:
        total = sum(actor >= 0 for actor in match.actors)

        def found(stop: Callable[[], bool]) -> Iterator[ReviewRemark]:
            for done, r in enumerate(review.review(match, REVIEW), 1):
                if stop():
                    return
                mark = cast(Mark, r.mark)
                yield ReviewRemark(r.ply, r.seat, r.action, r.better, r.before, r.after, mark, r.forced, done, total)

        return self._stream(self.slow, found)

    async def _stream(
        self, pool: ThreadPoolExecutor, make: Callable[[Callable[[], bool]], Iterator[T]]
    ) -> AsyncIterator[T]:
        """What a generator in a thread yields, as it comes; the thread stops soon after nobody listens any more."""
        loop, stopped = asyncio.get_running_loop(), threading.Event()
        queue: asyncio.Queue[tuple[T | None, BaseException | None]] = asyncio.Queue()

        def tell(item: T | None, error: BaseException | None = None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(queue.put_nowait, (item, error))

        def work() -> None:
            try:
                for item in make(lambda: stopped.is_set() or self.closing.is_set()):
                    tell(item)
                tell(None)
            except BaseException as error:
                tell(None, error)

        pool.submit(work)
        try:
            while True:
                item, error = await queue.get()
                if error:
                    raise error
                if item is None:
                    return
                yield item
        finally:
            stopped.set()


def _step_back() -> None:
    """Thinking gives way to whoever moves pieces."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


class WarmUp:
    """Has rules and searches read from disk before the first person waits for them. What has to be compiled first is
    compiled in a process of its own, which can be ended at any time."""

    def __init__(self) -> None:
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="warm-up")

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        _step_back()
        for name in names():
            with contextlib.suppress(Refusal):
                game = load(name)
                if not _marker(game).exists():
                    self._compile(name)
                if self._closing.is_set():
                    return
                if _marker(game).exists():
                    think_once(game)

    def _compile(self, name: str) -> None:
        with subprocess.Popen([sys.executable, "-m", "plenilune.server.thinking", name]) as process:
            while process.poll() is None:
                if self._closing.wait(0.1):
                    process.terminate()


def think_once(game: Game) -> None:
    """With every kind of bot, so that all compiled code is there."""
    if game.name in _warm:
        return
    match = Match(game, game.seats[-1], "warm")
    seen = match.seen_by(match.to_play)
    for name in ("greedy", "mcts:1"):
        bots.load(name, game).think(game, seen, match.to_play)
    game.view(seen)
    _warm.add(game.name)
    _marker(game).touch()


_warm: set[str] = set()


def _marker(game: Game) -> Path:
    """A file that says that the game's search has been compiled as it is now."""
    search = fingerprint(Path(tree.__file__))
    return engine.cache_folder(game.State.home()) / f"searched-{search}"


if __name__ == "__main__":
    think_once(load(sys.argv[1]))
