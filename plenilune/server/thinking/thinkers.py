"""Bots, hints, reviews and replays: long computations, in threads beside the event loop."""

from __future__ import annotations

import asyncio
import re
import weakref
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import Any, TypeVar

from plenilune import bots
from plenilune.bots import Bot, Budget, hints
from plenilune.bots.thought import Stop
from plenilune.core.errors import BadSetting
from plenilune.game import Game
from plenilune.server.protocol import Hinted
from plenilune.server.thinking.budgets import Buckets, Budgets, Unlimited
from plenilune.server.thinking.fairness import Capacity, Owner
from plenilune.server.thinking.reviews import Reviews
from plenilune.server.thinking.scheduler import Scheduler, in_loop
from plenilune.server.thinking.warmup import Warmup

T = TypeVar("T")
MOST_SIMULATIONS = 20_000  # of `mcts:N`: nobody may ask for hours of computing
SEARCH = re.compile(r"mcts:([0-9]+)(ms)?")
MOST_STARTED = 32  # searches of one class, running or waiting to continue: a strong bot's takes up to 20 MB
MOST_REMEMBERING = 32  # bots that keep their search tree until their next decision
READERS = Capacity(permits=2, started=4, at_once=1, each=8)


def bot(name: str, game: Game) -> Bot:
    """The bot of that name, within the server's limits."""
    found, asked = bots.load(name, game), SEARCH.fullmatch(name)
    if asked and int(asked[1]) > (2_000 if asked[2] else MOST_SIMULATIONS):
        raise BadSetting(f"a bot at a table thinks at most mcts:{MOST_SIMULATIONS} or mcts:2000ms, not {name!r}")
    if asked and asked[2]:
        return replace(found, budget=replace(found.budget, simulations=MOST_SIMULATIONS))
    return found


class Thinkers:
    """All long computations; each class of work has threads and permits of its own."""

    def __init__(self, permits: int, buckets: Buckets | None = None) -> None:
        self.warmup = Warmup()
        self._closed = False
        self._budgets = Budgets(buckets or Unlimited())
        self._bots = Scheduler("bots", _capacity(permits, each=64), self._budgets)
        self._hints = Scheduler("hints", _capacity(max(1, permits // 2), each=4), self._budgets)
        self._reviewers = Scheduler("reviews", _capacity(max(1, permits // 4), each=8), self._budgets)
        self._readers = Scheduler("readers", READERS, Budgets(Unlimited()))
        self.reviews = Reviews(self._reviewers, self._budgets, self._until_ready)
        self._remembering: weakref.WeakSet[Bot] = weakref.WeakSet()

    @property
    def _schedulers(self) -> tuple[Scheduler, ...]:
        return self._bots, self._hints, self._reviewers, self._readers

    def queues(self) -> dict[str, int]:
        """The number of waiting jobs of each class."""
        return {scheduler.name: scheduler.waiting for scheduler in self._schedulers}

    def close(self) -> None:
        self._closed = True
        self.reviews.close()
        for scheduler in self._schedulers:
            scheduler.close()

    def sit(self, thinker: Bot) -> Bot:
        """A bot for one seat, which keeps its search tree between decisions; beyond the limit, one that does not."""
        if len(self._remembering) >= MOST_REMEMBERING:
            return thinker
        sitting = thinker.sit()
        self._remembering.add(sitting)
        return sitting

    async def choose(self, owner: Owner, thinker: Bot, game: Game, seen: Any, seat: int, stop: Stop) -> str:
        """The bot's action. If its owner's budget is used up, the search waits until it has recovered."""
        await self._until_ready(game)

        def think(give_way: Stop) -> str:
            thought = thinker.think(game, seen, seat, stop=lambda: stop() or give_way())
            return game.actions.text(thought.action)

        return await self._bots.run(owner, think)

    async def run(self, owner: Owner, work: Callable[[], T]) -> T:
        """Run work of tens of milliseconds, such as replaying a match; one job at a time per person."""
        return await self._readers.run(owner, lambda stop: work())

    async def hints(
        self,
        owner: Owner,
        game: Game,
        seen: Any,
        seat: int,
        seconds: float,
        id: str,
        ply: int,
        turn: tuple[Any, int] | None = None,
    ) -> AsyncGenerator[Hinted, None]:
        """Better and better hints, as long as somebody listens. Half of the time is for the worth of `turn`."""
        self._budgets.check(owner)
        await self._until_ready(game)
        budget = Budget(simulations=MOST_SIMULATIONS, seconds=seconds / 2 if turn else seconds)
        loop = asyncio.get_running_loop()
        answers: asyncio.Queue[Hinted | None] = asyncio.Queue()

        def think(stop: Stop) -> None:
            worth = hints.worth_of(game, turn[0], seat, turn[1], budget, stop) if turn else None
            for answer in hints.stream(game, seen, seat, budget, stop=stop):
                in_loop(loop, answers.put_nowait, Hinted(id=id, ply=ply, turn=worth, **answer))

        def end(task: asyncio.Task[None]) -> None:
            if not task.cancelled():
                task.exception()  # retrieved; it is raised below if anybody still listens
            answers.put_nowait(None)

        thinking = asyncio.create_task(self._hints.run(owner, think))
        thinking.add_done_callback(end)
        try:
            while answer := await answers.get():
                yield answer
            await thinking
        finally:
            thinking.cancel()

    async def _until_ready(self, game: Game) -> None:
        await self.warmup.until_bots(game.name, game.version)
        if self._closed:
            raise asyncio.CancelledError


def _capacity(permits: int, each: int) -> Capacity:
    """The capacity of a class whose jobs give way to one another, with so many jobs per person."""
    return Capacity(permits, started=max(MOST_STARTED, 4 * permits), at_once=permits, each=each)
