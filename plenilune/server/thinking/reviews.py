"""Reviews of matches. Everybody who asks for a review of the same match follows the same one."""

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
from plenilune.core.errors import Refusal
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
THOUGHT = Budget(simulations=400)  # per position
PATIENCE = 5.0  # seconds for which a review without followers goes on: a page may be reloading
MOST_FOLLOWED = 3  # reviews that one person follows at a time; a network, NETWORK times as many


class Review:
    """A review in progress: its remarks so far, and its followers."""

    def __init__(self, match: Match) -> None:
        self.remarks: list[ReviewRemark] = []
        self.followers: deque[Owner] = deque()
        self.over = False
        self.error: Exception | None = None
        self._found = _remarks(match, lambda: self._stop())
        self._stop: Stop = never
        self._joined, self._news = asyncio.Event(), asyncio.Event()

    async def follow(self, owner: Owner) -> AsyncGenerator[ReviewRemark, None]:
        """Yield every remark from the first on, as they are made."""
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
        """Whether anybody follows; waits a moment for a follower if there is none."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._joined.wait(), PATIENCE)
        return bool(self.followers)

    def advance(self, stop: Stop) -> ReviewRemark | None:
        """Search one more position, in a thread; None after the last."""
        self._stop = stop
        return next(self._found, None)

    def add(self, remark: ReviewRemark) -> None:
        self.remarks.append(remark)
        self._wake_followers()

    def end(self, error: Exception | None) -> None:
        self.over, self.error = True, error
        del self._found  # breaks a reference cycle
        self._wake_followers()

    def _wake_followers(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class Reviews:
    """The reviews in progress in this process."""

    def __init__(self, scheduler: Scheduler, budgets: Budgets, until_ready: Callable[[Game], Awaitable[None]]) -> None:
        self._scheduler, self._budgets, self._until_ready = scheduler, budgets, until_ready
        self._reviews: dict[str, Review] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def follow(self, owner: Owner, id: str, match: Match, store: Store) -> AsyncGenerator[ReviewRemark, None]:
        """Follow the review of the match with this id; refused at once or not at all. The first follower starts it. It
        goes on while it has followers, and is stored when it is complete."""
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
            said = f"at most {MOST_FOLLOWED} reviews are made for you at a time: wait for one to end"
            raise Denied("too_many_reviews", said, n=MOST_FOLLOWED)

    def _begin(self, id: str, match: Match, store: Store) -> None:
        review = self._reviews[id] = Review(match)
        task = asyncio.create_task(self._make(id, review, match.game, store))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _make(self, id: str, review: Review, game: Game, store: Store) -> None:
        error: Exception | None = Denied("review_stopped", "the review was stopped: ask for it again")
        try:
            await self._until_ready(game)
            if await self._find(review):
                await _store(store, review.remarks)  # first: once it is complete, followers may ask again
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
        """Make every remark; returns False if nobody follows any more."""
        while await review.is_followed():
            remark = await self._scheduler.run(self._payer(review), review.advance)
            if remark is None:
                return True
            review.add(remark)
        return False

    def _payer(self, review: Review) -> Owner:
        """Who pays for the next position: followers take turns, those with budget left first."""
        review.followers.rotate(-1)
        return min(review.followers, key=self._budgets.wait)


async def _store(store: Store, remarks: list[ReviewRemark]) -> None:
    """Store a review; a failure does not affect its followers."""
    try:
        await store(remarks)
    except Exception:
        log.exception("a review could not be stored")


def _remarks(match: Match, stop: Stop) -> Generator[ReviewRemark, None, None]:
    total = sum(actor >= 0 for actor in match.actors)
    for done, r in enumerate(reviewing.review(match, THOUGHT, stop=stop), 1):
        mark = cast(Mark, r.mark)
        yield ReviewRemark(r.ply, r.seat, r.action, r.better, r.before, r.after, mark, r.forced, done, total)
