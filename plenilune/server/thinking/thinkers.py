"""Bots, hints and reviews think in threads of their own: compiled code does not hold Python's lock, so tables go on."""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Literal, TypeVar, cast

from plenilune import bots
from plenilune.bots import Bot, Budget, review
from plenilune.errors import BadSetting
from plenilune.game import Game
from plenilune.match import Match
from plenilune.server.protocol import Hinted, ReviewRemark
from plenilune.server.thinking.priority import step_back
from plenilune.server.thinking.ready import Ready

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
        self.pool = ThreadPoolExecutor(threads, "thinker", initializer=step_back)
        self.slow = ThreadPoolExecutor(1, "reader", initializer=step_back)  # what nobody's turn waits for
        self.closing = threading.Event()
        self.ready = Ready()

    def close(self) -> None:
        self.closing.set()
        for pool in (self.pool, self.slow):
            pool.shutdown(wait=False, cancel_futures=True)

    async def _can_think(self, game: Game) -> None:
        await self.ready.bots(game.name)
        if self.closing.is_set():
            raise asyncio.CancelledError

    async def choose(self, thinker: Bot, game: Game, seen: Any, seat: int, stop: Callable[[], bool]) -> str:
        """What the bot plays."""
        await self._can_think(game)

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

        return self._stream(game, self.pool, answers)

    def remarks(self, match: Match) -> AsyncIterator[ReviewRemark]:
        total = sum(actor >= 0 for actor in match.actors)

        def found(stop: Callable[[], bool]) -> Iterator[ReviewRemark]:
            for done, r in enumerate(review.review(match, REVIEW), 1):
                if stop():
                    return
                mark = cast(Mark, r.mark)
                yield ReviewRemark(r.ply, r.seat, r.action, r.better, r.before, r.after, mark, r.forced, done, total)

        return self._stream(match.game, self.slow, found)

    async def _stream(
        self, game: Game, pool: ThreadPoolExecutor, make: Callable[[Callable[[], bool]], Iterator[T]]
    ) -> AsyncIterator[T]:
        """What a generator in a thread yields, as it comes; the thread stops soon after nobody listens any more."""
        await self._can_think(game)
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
