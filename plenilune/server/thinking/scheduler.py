"""Runs jobs in threads, as many at a time as there are permits, in the order that `fairness.py` decides.

Compiled code releases Python's global lock, so jobs run in parallel with the event loop and with one another. A job is
given a function to call every few milliseconds. It returns whether to stop, and blocks while the job has to give way.

These threads have the same priority as the event loop. Every few milliseconds they need the global lock, and the event
loop waits until they release it: on a busy machine a lower priority made that wait several times longer.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from plenilune.bots.thought import Stop
from plenilune.server.thinking.budgets import Budgets
from plenilune.server.thinking.fairness import QUANTUM, Capacity, FairQueue, Owner, Ticket

T = TypeVar("T")
SOONEST, LATEST = 0.05, 1.0  # seconds until an exhausted budget is checked again


@dataclass(eq=False)
class Job(Ticket):
    work: Callable[[Stop], Any] | None = field(kw_only=True)
    answer: asyncio.Future[Any] = field(kw_only=True)
    begun: bool = False  # has a thread
    turn: threading.Event = field(default_factory=threading.Event)  # set when the job may continue after giving way
    abandoned: bool = False  # nobody waits for its result any more
    charged: float = 0.0  # the CPU time of its thread that has been charged


class Scheduler:
    """One class of work, with threads and permits of its own, so that no other class delays it."""

    def __init__(self, name: str, capacity: Capacity, budgets: Budgets) -> None:
        self.name = name
        self._queue = FairQueue[Job](capacity)
        self._budgets = budgets
        self._pool = ThreadPoolExecutor(capacity.started, name)
        self._lock = threading.Lock()  # protects everything below, and the queue
        self._jobs: set[Job] = set()
        self._closed = False
        self._alarm_set = False

    @property
    def waiting(self) -> int:
        """The number of waiting jobs."""
        with self._lock:
            return len(self._queue)

    async def run(self, owner: Owner, work: Callable[[Stop], T]) -> T:
        """Run some work, and return its result. It starts when it is next and its owner's budget allows it."""
        job = Job(owner, work=work, answer=asyncio.get_running_loop().create_future())
        with self._lock:
            if self._closed:
                raise asyncio.CancelledError
            self._queue.submit(job)
            self._jobs.add(job)
            self._dispatch()
        try:
            answer: T = await job.answer
            return answer
        finally:
            self._abandon(job)

    def close(self) -> None:
        """Start no more jobs, and let running ones stop soon."""
        with self._lock:
            self._closed = True
            jobs = list(self._jobs)
        for job in jobs:
            job.answer.cancel()
            self._abandon(job)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _abandon(self, job: Job) -> None:
        with self._lock:
            job.abandoned = True
            self._jobs.discard(job)
            if not self._queue.is_running(job):
                self._queue.remove(job)
                job.turn.set()  # threads that wait for a permit wake up and end

    # Called with the lock held

    def _dispatch(self) -> None:
        """Start or resume the jobs that get a permit."""
        now = time.monotonic()
        while not self._closed and (job := self._queue.grant(now, self._may_start)):
            if job.begun:
                job.turn.set()
            else:
                job.begun = True
                self._pool.submit(self._work, job)
        if self._queue.free > 0:
            self._set_alarm()

    def _may_start(self, owner: Owner) -> bool:
        return self._budgets.wait(owner) == 0

    def _set_alarm(self) -> None:
        """If permits are free, dispatch again as soon as a waiting owner's budget has recovered."""
        waits = [wait for owner in self._queue.waiting() if (wait := self._budgets.wait(owner)) > 0]
        if waits and self._jobs and not self._alarm_set:
            self._alarm_set = True
            loop = next(iter(self._jobs)).answer.get_loop()
            in_loop(loop, loop.call_later, min(LATEST, max(SOONEST, min(waits))), self._ring)

    # In the event loop

    def _ring(self) -> None:
        with self._lock:
            self._alarm_set = False
            self._dispatch()

    # In the job's thread

    def _work(self, job: Job) -> None:
        assert job.work
        job.charged = time.thread_time()
        answer, error = None, None
        try:
            answer = job.work(partial(self._stop, job))
        except BaseException as raised:
            error = raised
        job.work = None  # breaks a cycle: a bot may keep its search, which refers to its job
        self._charge(job)
        with self._lock:
            self._queue.remove(job)
            self._dispatch()
        in_loop(job.answer.get_loop(), _settle, job.answer, answer, error)

    def _stop(self, job: Job) -> bool:
        """Whether the job is to stop; blocks while it has no permit."""
        if job.abandoned or time.monotonic() - job.since < QUANTUM:
            return job.abandoned
        self._charge(job)
        with self._lock:
            if job.abandoned or not self._queue.gives_way(job, time.monotonic(), self._may_start):
                return job.abandoned
            job.turn.clear()
            self._dispatch()
        job.turn.wait()
        return job.abandoned

    def _charge(self, job: Job) -> None:
        until = time.thread_time()
        used, job.charged = until - job.charged, until
        with self._lock:
            self._queue.charge(job, used)
        self._budgets.spend(job.owner, used)


def in_loop(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *arguments: Any) -> None:
    """Schedule a call in the loop, from a thread."""
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
        loop.call_soon_threadsafe(call, *arguments)


def _settle(future: asyncio.Future[Any], answer: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error:
        future.set_exception(error)
    else:
        future.set_result(answer)
