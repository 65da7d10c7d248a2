"""Reviews of matches: everybody who asks for the same one follows the same work."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from typing import Literal, cast

from plenilune.bots import Budget
from plenilune.bots import review as reviewing
from plenilune.bots.thought import Stop, never
from plenilune.errors import Refusal
from plenilune.game import Game
from plenilune.match import Match
from plenilune.server.protocol import ReviewRemark
from plenilune.server.protocol.refusals import Denied
from plenilune.server.thinking.budgets import Budgets
from plenilune.server.thinking.fairness import NETWORK, Owner
from plenilune.server.thinking.scheduler import Scheduler

log = logging.getLogger("plenilune")
Mark = Literal["", "best", "?!", "?", "??"]
Store = Callable[[list[ReviewRemark]], Awaitable[None]]
THOUGHT = Budget(simulations=400)  # for each position
PATIENCE = 5.0  # seconds for which a review that nobody follows is kept: a page may be reloaded
MOST_FOLLOWED = 3  # reviews one person follows at the same time; a network NETWORK times as many


class Review:
    """What has been found so far about one match, and who follows it."""

    def __init__(self, match: Match) -> None:
        self.remarks: list[ReviewRemark] = []
        self.followers: deque[Owner] = deque()
        self.over = False
        self.error: Exception | None = None
        self._found = _remarks(match, lambda: self._stop())
        self._stop: Stop = never
        self._joined, self._news = asyncio.Event(), asyncio.Event()

    async def follow(self, owner: Owner) -> AsyncGenerator[ReviewRemark, None]:
        """Every remark from the first on, as they are made."""
        self.followers.append(owner)
        self._joined.set()
        try:
            told = 0
            while told < len(self.remarks) or not self.over:
                if told == len(self.remarks):
                    await self._news.wait()
                else:
                    told += 1
                    yield self.remarks[told - 1]
            if self.error:
                raise self.error
        finally:
            self._leave(owner)

    def _leave(self, owner: Owner) -> None:
        self.followers.remove(owner)
        if not self.followers:
            self._joined.clear()

    async def is_followed(self) -> bool:
        """Gives somebody a moment to come, if nobody is there."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._joined.wait(), PATIENCE)
        return bool(self.followers)

    def advance(self, stop: Stop) -> ReviewRemark | None:
        """Think about one more position, in a thread; None after the last."""
        self._stop = stop
        return next(self._found, None)

    def add(self, remark: ReviewRemark) -> None:
        self.remarks.append(remark)
        self._tell()

    def end(self, error: Exception | None) -> None:
        self.over, self.error = True, error
        del self._found  # it knows us: a cycle would stay in memory
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class Reviews:
    """All reviews that are being made by this process."""

    def __init__(self, scheduler: Scheduler, budgets: Budgets, until_ready: Callable[[Game], Awaitable[None]]) -> None:
        self._scheduler, self._budgets, self._until_ready = scheduler, budgets, until_ready
        self._reviews: dict[str, Review] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def follow(self, owner: Owner, id: str, match: Match, store: Store) -> AsyncGenerator[ReviewRemark, None]:
        """Every remark on the match of that id, refused at once or not at all. The first who asks has the review
        begin; it goes on while somebody follows it, and is stored when it is complete."""
        self._budgets.check(owner)
        self._check_number(owner)
        if id not in self._reviews:
            self._begin(id, match, store)
        return self._reviews[id].follow(owner)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _check_number(self, owner: Owner) -> None:
        followed = [follower for review in self._reviews.values() for follower in review.followers]
        near = sum(follower.network == owner.network for follower in followed)
        if followed.count(owner) >= MOST_FOLLOWED or near >= NETWORK * MOST_FOLLOWED:
            raise Denied("too_many", f"at most {MOST_FOLLOWED} reviews are made for you at a time: wait for one to end")

    def _begin(self, id: str, match: Match, store: Store) -> None:
        review = self._reviews[id] = Review(match)
        task = asyncio.create_task(self._make(id, review, match.game, store))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _make(self, id: str, review: Review, game: Game, store: Store) -> None:
        error: Exception | None = Denied("unavailable", "the review was stopped: ask for it again")
        try:
            await self._until_ready(game)
            if await self._find(review):
                await _store(store, review.remarks)  # before anybody knows that it is complete, and asks again
                error = None
        except Refusal as refusal:
            error = refusal
        except Exception as raised:
            log.exception("review of %s", id)
            error = raised
        finally:
            del self._reviews[id]
            review.end(error)

    async def _find(self, review: Review) -> bool:
        """Make every remark; False if nobody follows any more."""
        while await review.is_followed():
            remark = await self._scheduler.run(self._payer(review), review.advance)
            if remark is None:
                return True
            review.add(remark)
        return False

    def _payer(self, review: Review) -> Owner:
        """Followers take turns, those first whose budget allows it."""
        review.followers.rotate(-1)
        return min(review.followers, key=self._budgets.wait)


async def _store(store: Store, remarks: list[ReviewRemark]) -> None:
    """Whoever follows a review gets it whole, even if it cannot be stored."""
    try:
        await store(remarks)
    except Exception:
        log.exception("a review could not be stored")


def _remarks(match: Match, stop: Stop) -> Generator[ReviewRemark, None, None]:
    total = sum(actor >= 0 for actor in match.actors)
    for done, r in enumerate(reviewing.review(match, THOUGHT, stop=stop), 1):
        mark = cast(Mark, r.mark)
        yield ReviewRemark(r.ply, r.seat, r.action, r.better, r.before, r.after, mark, r.forced, done, total)
