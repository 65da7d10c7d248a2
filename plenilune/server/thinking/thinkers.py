"""Bots, hints, reviews and replays: what computes for long, beside the loop that serves people."""

from __future__ import annotations

import asyncio
import re
import weakref
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import Any, TypeVar

from plenilune import bots
from plenilune.bots import Bot, Budget, review
from plenilune.bots.thought import Stop
from plenilune.errors import BadSetting
from plenilune.game import Game
from plenilune.server.protocol import Hinted
from plenilune.server.thinking.budgets import Buckets, Budgets, Unlimited
from plenilune.server.thinking.fairness import Capacity, Owner
from plenilune.server.thinking.ready import Ready
from plenilune.server.thinking.reviews import Reviews
from plenilune.server.thinking.scheduler import Scheduler, in_loop

T = TypeVar("T")
MOST_SIMULATIONS = 20_000  # of a bot that is named by them: a table may not ask for hours of thought
SEARCH = re.compile(r"mcts:([0-9]+)(ms)?")
MOST_STARTED = 32  # searches of a class, running or held up: one of a strong bot takes up to 20 MB
MOST_REMEMBERING = 32  # bots that keep such a search until their next decision
READERS = Capacity(permits=2, started=4, at_once=1, each=8)


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
    """Everything that computes for long, each class of work with threads and permits of its own."""

    def __init__(self, permits: int, buckets: Buckets | None = None) -> None:
        self.ready = Ready()
        self._closed = False
        self._budgets = Budgets(buckets or Unlimited())
        self._bots = Scheduler("bots", _capacity(permits, each=64), self._budgets)
        self._hints = Scheduler("hints", _capacity(max(1, permits // 2), each=4), self._budgets)
        self._reviewers = Scheduler("reviews", _capacity(max(1, permits // 4), each=8), self._budgets)
        self._readers = Scheduler("readers", READERS, Budgets(Unlimited()), in_background=False)
        self.reviews = Reviews(self._reviewers, self._budgets, self._until_ready)
        self._remembering: weakref.WeakSet[Bot] = weakref.WeakSet()

    @property
    def _schedulers(self) -> tuple[Scheduler, ...]:
        return self._bots, self._hints, self._reviewers, self._readers

    def queues(self) -> dict[str, int]:
        """How many jobs of each class wait."""
        return {scheduler.name: scheduler.waiting for scheduler in self._schedulers}

    def close(self) -> None:
        self._closed = True
        self.reviews.close()
        for scheduler in self._schedulers:
            scheduler.close()

    def sit(self, thinker: Bot) -> Bot:
        """The bot for one seat, which remembers what it found out; one too many does not, but plays as well."""
        if len(self._remembering) >= MOST_REMEMBERING:
            return thinker
        sitting = thinker.sit()
        self._remembering.add(sitting)
        return sitting

    async def choose(self, owner: Owner, thinker: Bot, game: Game, seen: Any, seat: int, stop: Stop) -> str:
        """What the bot plays. If its owner has used up their computing time, it begins when some has come back."""
        await self._until_ready(game)

        def think(give_way: Stop) -> str:
            thought = thinker.think(game, seen, seat, stop=lambda: stop() or give_way())
            return game.actions.text(thought.action)

        return await self._bots.run(owner, think)

    async def read(self, owner: Owner, work: Callable[[], T]) -> T:
        """What takes tens of milliseconds, such as replaying a match: one at a time for each person."""
        return await self._readers.run(owner, lambda stop: work())

    async def hints(
        self, owner: Owner, game: Game, seen: Any, seat: int, seconds: float, id: str, ply: int
    ) -> AsyncGenerator[Hinted, None]:
        """Better and better answers, until somebody stops listening."""
        self._budgets.check(owner)
        await self._until_ready(game)
        budget, loop = Budget(simulations=MOST_SIMULATIONS, seconds=seconds), asyncio.get_running_loop()
        answers: asyncio.Queue[Hinted | None] = asyncio.Queue()

        def think(stop: Stop) -> None:
            for answer in review.stream(game, seen, seat, budget, stop=stop):
                in_loop(loop, answers.put_nowait, Hinted(id=id, ply=ply, **answer))

        def end(task: asyncio.Task[None]) -> None:
            if not task.cancelled():
                task.exception()  # raised below, if anybody still listens
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
        await self.ready.bots(game.name, game.version)
        if self._closed:
            raise asyncio.CancelledError


def _capacity(permits: int, each: int) -> Capacity:
    """Of a class whose jobs give way to one another, and of which one person may have so many."""
    return Capacity(permits, started=max(MOST_STARTED, 4 * permits), at_once=permits, each=each)
