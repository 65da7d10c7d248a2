"""Jobs in threads: nobody's bots, hints, reviews or replays hold up anybody else."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import threading
import time
import weakref
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest

from plenilune import Match, bots
from plenilune.bots import Bot
from plenilune.bots.thought import Stop
from plenilune.server.http import limits
from plenilune.server.protocol.refusals import Denied
from plenilune.server.settings import Settings
from plenilune.server.thinking import budgets, thinkers
from plenilune.server.thinking.budgets import BURST, CROWD, REFILL, Budgets, Unlimited
from plenilune.server.thinking.fairness import QUANTUM, Capacity, Owner
from plenilune.server.thinking.scheduler import Scheduler
from plenilune.server.thinking.thinkers import Thinkers
from tests.server.attempts import Attempts

pytestmark = pytest.mark.usefixtures("compiled")
T = TypeVar("T")
PATIENCE = 30.0  # seconds for whatever must happen
ADA, BEN, CLEO = (Owner(f"203.0.113.{n}", name) for n, name in enumerate(("Ada", "Ben", "Cleo")))


def in_time(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, PATIENCE))


def compute() -> None:
    """About a millisecond of CPU time, without Python's lock."""
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2_000)


def forever(stop: Stop) -> None:
    while not stop():
        compute()


@asynccontextmanager
async def scheduler(
    permits: int = 1, each: int = 100, buckets: budgets.Buckets | None = None
) -> AsyncIterator[Scheduler]:
    capacity = Capacity(permits, started=32, at_once=permits, each=each)
    made = Scheduler("test", capacity, Budgets(buckets or Unlimited()))
    try:
        yield made
    finally:
        made.close()


@asynccontextmanager
async def background(*work: Coroutine[Any, Any, Any]) -> AsyncIterator[list[asyncio.Task[Any]]]:
    tasks = [asyncio.create_task(one) for one in work]
    await asyncio.sleep(0)  # so that they have been asked for
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def grants_of(scheduler: Scheduler) -> list[Owner]:
    """Who was given a permit, in order, from now on."""
    granted: list[Owner] = []
    grant = scheduler._queue.grant

    def recorded(now: float, may_start: Callable[[Owner], bool]) -> Any:
        job = grant(now, may_start)
        if job:
            granted.append(job.owner)
        return job

    scheduler._queue.grant = recorded  # type: ignore[method-assign]
    return granted


# Order


def test_a_newcomer_is_served_although_others_never_end() -> None:
    async def work() -> None:
        async with scheduler() as busy, background(*(busy.run(ADA, forever) for _ in range(30))):
            granted = grants_of(busy)
            assert await busy.run(BEN, lambda stop: "played") == "played"
            assert granted[0] == BEN

    in_time(work())


def test_jobs_that_never_end_get_on_side_by_side() -> None:
    used: defaultdict[Owner, float] = defaultdict(float)
    enough = threading.Event()

    def counted(owner: Owner) -> Callable[[Stop], None]:
        def work(stop: Stop) -> None:
            while not stop():
                before = time.thread_time()
                compute()
                used[owner] += time.thread_time() - before
                if len(used) == 3 and min(used.values()) > 10 * QUANTUM:
                    enough.set()

        return work

    async def work() -> None:
        mix = [ADA] * 6 + [BEN] * 2 + [CLEO]
        async with scheduler() as busy, background(*(busy.run(owner, counted(owner)) for owner in mix)):
            await asyncio.to_thread(enough.wait, PATIENCE)

    in_time(work())
    assert enough.is_set()
    assert max(used.values()) < 1.5 * min(used.values())


def test_a_job_goes_on_where_it_gave_way() -> None:
    """Two long jobs of two owners on one permit: both end, and each in one thread."""

    async def work() -> None:
        def long(stop: Stop) -> tuple[int, int]:
            began, rounds = threading.get_ident(), 0
            while rounds < 1000 and not stop():
                compute()
                rounds += 1
            assert threading.get_ident() == began
            return began, rounds

        async with scheduler() as busy:
            granted = grants_of(busy)
            (one, all_of_one), (other, all_of_other) = await asyncio.gather(busy.run(ADA, long), busy.run(BEN, long))
            assert all_of_one == all_of_other == 1000
            assert one != other
            assert len(granted) > 4  # they took turns

    in_time(work())


def test_what_a_job_raises_is_raised_and_the_next_one_runs() -> None:
    async def work() -> None:
        async with scheduler() as busy:
            with pytest.raises(ZeroDivisionError):
                await busy.run(ADA, lambda stop: 1 // 0)
            assert await busy.run(ADA, lambda stop: 1) == 1

    in_time(work())


# Ending


def test_a_job_nobody_waits_for_any_more_stops_and_frees_its_permit() -> None:
    async def work() -> None:
        async with scheduler() as busy:
            async with background(*(busy.run(owner, forever) for owner in (ADA, ADA, BEN))):
                await asyncio.sleep(2 * QUANTUM)  # one runs, one has given way, one was never begun
            assert await busy.run(CLEO, lambda stop: "done") == "done"
            while busy._queue.free == 0 or busy._queue.waiting():
                await asyncio.sleep(0.001)

    in_time(work())


def test_closing_ends_every_thread_and_leaves_nobody_waiting() -> None:
    async def work() -> None:
        async with scheduler() as busy, background(*(busy.run(owner, forever) for owner in (ADA, ADA, BEN))) as jobs:
            await asyncio.sleep(2 * QUANTUM)
            busy.close()
            await asyncio.wait(jobs)
            assert all(job.cancelled() for job in jobs)
            with pytest.raises(asyncio.CancelledError):
                await busy.run(ADA, lambda stop: None)
            await asyncio.to_thread(busy._pool.shutdown, wait=True)

    in_time(work())


def test_one_owner_cannot_make_the_queue_grow_without_bound() -> None:
    async def work() -> None:
        async with scheduler(each=5) as busy, background(*(busy.run(ADA, forever) for _ in range(5))):
            with pytest.raises(Denied, match="5 of your requests are still being worked on"):
                await busy.run(ADA, forever)
            assert await busy.run(BEN, lambda stop: True)

    in_time(work())


# Bots


class Tables:
    """Searches as tables ask for them."""

    def __init__(self, thinkers: Thinkers) -> None:
        self.thinkers = thinkers

    async def choose(self, owner: Owner, name: str, game: str, seats: int = 4) -> str:
        match = Match(game, seats, "moon")
        thinker, seat = thinkers.bot(name, match.game), match.to_play
        return await self.thinkers.choose(owner, thinker, match.game, match.seen_by(seat), seat, lambda: False)


@asynccontextmanager
async def thinking(permits: int = 2, buckets: budgets.Buckets | None = None) -> AsyncIterator[Tables]:
    made = Thinkers(permits, buckets)
    tables = Tables(made)
    try:
        yield tables
    finally:
        made.close()


def test_twenty_tables_of_searching_bots_do_not_delay_another_persons_bot(attempts: Attempts) -> None:
    async def work() -> None:
        async with thinking() as tables:
            searches = [tables.choose(ADA, "mcts:20000", "via-nebula") for _ in range(20)]
            async with background(*searches) as jobs:
                for _ in range(5):
                    before = sum(job.done() for job in jobs)
                    await tables.choose(BEN, "greedy", "moon-leap", 2)
                    assert sum(job.done() for job in jobs) - before <= 2  # those that were about to end anyway

    in_time(work())
    attempts.add(20)


def test_interrupted_bots_play_what_they_would_have_played_alone() -> None:
    async def work() -> None:
        async with thinking(permits=1) as tables:
            alone = await tables.choose(ADA, "mcts:4000", "via-nebula")
            granted = grants_of(tables.thinkers._bots)
            owners = [ADA, BEN, CLEO]
            assert await asyncio.gather(*(tables.choose(o, "mcts:4000", "via-nebula") for o in owners)) == [alone] * 3
            assert len(granted) > 3  # they did interrupt one another

    in_time(work())


def test_hints_and_reviews_do_not_hold_up_bots_nor_replays() -> None:
    async def work() -> None:
        async with thinking(permits=1) as tables:
            classes = tables.thinkers._hints, tables.thinkers._reviewers
            async with background(*(one.run(ADA, forever) for one in classes for _ in range(4))):
                await tables.choose(ADA, "greedy", "moon-leap", 2)
                assert await tables.thinkers.run(ADA, lambda: "history") == "history"

    in_time(work())


def test_a_bot_whose_table_has_moved_on_stops() -> None:
    async def work() -> None:
        async with thinking(permits=1) as tables:
            match, stale = Match("via-nebula", 4, "moon"), threading.Event()
            thinker = Bot("", bots.Budget(seconds=PATIENCE), bots.mcts.think)
            seen, seat = match.seen_by(match.to_play), match.to_play
            choice = tables.thinkers.choose(ADA, thinker, match.game, seen, seat, stale.is_set)
            async with background(choice) as (job,):
                await asyncio.sleep(QUANTUM)
                stale.set()
                await job

    in_time(work())


def test_only_so_many_bots_keep_their_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "MOST_REMEMBERING", 2)

    async def work() -> None:
        async with thinking() as tables:
            strong = bots.load("strong", Match("moon-leap").game)
            one, two, three = (tables.thinkers.sit(strong) for _ in range(3))
            assert one is not strong
            assert two is not strong
            assert three is strong
            del one
            assert tables.thinkers.sit(strong) is not strong

    in_time(work())


def searches() -> list[Any]:
    """By their type: to ask for the class of a weak proxy whose object is gone is an error."""
    return [found for found in gc.get_objects() if type(found) is bots.mcts.Search]


def test_a_search_is_gone_as_soon_as_its_bot_is() -> None:
    """Garbage is looked for in quiet moments only, and a search is large."""
    gone: list[weakref.ref[Any]] = []
    others = {id(search) for search in searches()}

    async def work() -> None:
        async with thinking() as tables:
            match = Match("moon-leap", 2, "moon")
            sitting = tables.thinkers.sit(bots.load("mcts:100", match.game))
            await tables.thinkers.choose(ADA, sitting, match.game, match.seen_by(0), 0, lambda: False)
            gone.extend(weakref.ref(search) for search in searches() if id(search) not in others)
            assert any(ref() for ref in gone)
            gc.disable()
            del sitting

    try:
        in_time(work())
        assert not any(ref() for ref in gone)
    finally:
        gc.enable()


# Replays


def test_one_person_reads_one_history_at_a_time_and_others_go_on() -> None:
    async def work() -> None:
        async with thinking() as tables:
            go_on, begun = threading.Event(), threading.Semaphore(0)

            def slow() -> None:
                begun.release()
                go_on.wait(PATIENCE)

            async with background(*(tables.thinkers.run(ADA, slow) for _ in range(5))) as jobs:
                await asyncio.to_thread(begun.acquire)
                assert await tables.thinkers.run(BEN, lambda: "Ben's") == "Ben's"
                assert not begun.acquire(blocking=False)
                go_on.set()
                await asyncio.gather(*jobs)

    in_time(work())


# Budgets


class Purse:
    """Buckets that hold what a test says, and are told what was spent."""

    def __init__(self) -> None:
        self.level: dict[str, float] = {}
        self.spent: defaultdict[str, float] = defaultdict(float)

    def left(self, kind: str, who: str, factor: float = 1) -> float:
        return self.level.get(who, 100.0)

    def spend(self, kind: str, who: str, amount: float, factor: float = 1) -> None:
        self.spent[who] += amount


def test_person_and_network_pay_for_the_cpu_time_of_what_they_ask_for() -> None:
    async def work() -> None:
        purse = Purse()
        async with scheduler(buckets=purse) as busy:

            def long(stop: Stop) -> float:
                began = time.thread_time()
                while time.thread_time() - began < 2 * QUANTUM and not stop():
                    compute()
                time.sleep(QUANTUM)  # costs nothing
                return time.thread_time() - began

            used = await busy.run(ADA, long)
            assert purse.spent[f"person {ADA.person}"] == pytest.approx(used, rel=0.2)
            assert purse.spent[f"address {ADA.network}"] == purse.spent[f"person {ADA.person}"]

    in_time(work())


def test_a_bot_whose_owner_has_used_up_their_time_waits_and_then_plays_as_well_as_ever() -> None:
    async def work() -> None:
        purse = Purse()
        async with thinking(buckets=purse) as tables:
            expected = await tables.choose(ADA, "mcts:500", "moon-leap")
            purse.level[f"person {ADA.person}"] = -0.01
            async with background(tables.choose(ADA, "mcts:500", "moon-leap")) as (job,):
                await tables.choose(BEN, "mcts:500", "moon-leap")  # others do not wait
                await asyncio.sleep(3 * QUANTUM)
                assert not job.done()
                purse.level.clear()
                assert await job == expected

    in_time(work())


def test_a_hint_is_refused_to_those_who_have_used_up_their_time_and_says_how_long_to_wait() -> None:
    async def work() -> None:
        purse = Purse()
        async with thinking(buckets=purse) as tables:
            match = Match("moon-leap", 2, "moon")
            purse.level[f"address {ADA.network}"] = -30.0
            with pytest.raises(Denied, match="have used up their computing time: wait 8 seconds") as refusal:
                async for _ in tables.thinkers.hints(ADA, match.game, match.seen_by(0), 0, 0.1, "id", 0):
                    pass
            assert refusal.value.reason == "too_often"
            async for hint in tables.thinkers.hints(BEN, match.game, match.seen_by(0), 0, 0.1, "id", 0):
                assert hint.action in match.legal()
            assert hint.done

    in_time(work())


def test_a_bucket_holds_a_burst_and_fills_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    held = Budgets(limits.Limits(Settings()))
    assert held.left(ADA) == BURST
    held.spend(ADA, BURST + 10)
    assert held.left(ADA) == pytest.approx(-10)
    assert held.wait(ADA) == pytest.approx(10 / REFILL)
    assert held.left(BEN) == BURST
    now += 15 / REFILL
    assert held.left(ADA) == pytest.approx(5)
    assert held.wait(ADA) == 0
    now += 1000 * BURST
    assert held.left(ADA) == BURST


def test_people_behind_one_address_share_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    held = Budgets(limits.Limits(Settings()))
    for number in range(2 * CROWD):
        held.spend(Owner("203.0.113.9", f"person {number}"), BURST - 1)
    newcomer = Owner("203.0.113.9", "newcomer")
    assert held.wait(newcomer) == pytest.approx(((2 * CROWD) * (BURST - 1) - CROWD * BURST) / (CROWD * REFILL))
    assert held.wait(Owner("203.0.113.10", "person 0")) == 0


def test_without_limits_nobody_runs_out() -> None:
    unlimited = Budgets(Unlimited())
    unlimited.spend(ADA, 1e9)
    unlimited.check(ADA)
    assert unlimited.wait(ADA) == 0
