"""Runs jobs in threads, as many at a time as there are permits, in the order that `fairness.py` decides.

Compiled code does not hold Python's lock, so jobs compute beside the event loop and beside one another. A job is given
a function to call every few milliseconds. It says whether to stop; and a job that has to give way waits there.
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
from plenilune.server.thinking.priority import step_back

T = TypeVar("T")
SOONEST, LATEST = 0.05, 1.0  # seconds until an exhausted budget is looked at again


@dataclass(eq=False)
class Job(Ticket):
    work: Callable[[Stop], Any] | None = field(kw_only=True)
    answer: asyncio.Future[Any] = field(kw_only=True)
    begun: bool = False  # it has a thread
    turn: threading.Event = field(default_factory=threading.Event)  # set when it may go on after it gave way
    abandoned: bool = False  # nobody waits for the answer any more
    charged: float = 0.0  # up to which CPU time of its thread it has been charged


class Scheduler:
    """One class of work, with threads and permits of its own: no other class can hold it up."""

    def __init__(self, name: str, capacity: Capacity, budgets: Budgets, in_background: bool = True) -> None:
        self.name = name
        self._queue = FairQueue[Job](capacity)
        self._budgets = budgets
        self._pool = ThreadPoolExecutor(capacity.started, name, step_back if in_background else None)
        self._lock = threading.Lock()  # guards everything below, and the queue
        self._jobs: set[Job] = set()
        self._closed = False
        self._alarm_set = False

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        with self._lock:
            return len(self._queue)

    async def run(self, owner: Owner, work: Callable[[Stop], T]) -> T:
        """What the work returns. It begins when its turn comes and its owner's budget allows it."""
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
        """Nothing begins any more, and what goes on stops soon."""
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
                job.turn.set()  # a thread that waits for a permit ends without one

    # With the lock held

    def _dispatch(self) -> None:
        """Let those begin or go on whose turn it is."""
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
        """Permits are free: look again when the first exhausted budget of those who wait has something."""
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
        job.work = None  # a bot may remember its search, which knows its job: nothing large may lie in a cycle
        self._charge(job)
        with self._lock:
            self._queue.remove(job)
            self._dispatch()
        in_loop(job.answer.get_loop(), _settle, job.answer, answer, error)

    def _stop(self, job: Job) -> bool:
        """Whether the job is to stop; returns only when it has a permit, unless it is."""
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
    """Have the loop call this soon."""
    with contextlib.suppress(RuntimeError):  # the loop has been closed: nobody waits any more
        loop.call_soon_threadsafe(call, *arguments)


def _settle(future: asyncio.Future[Any], answer: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error:
        future.set_exception(error)
    else:
        future.set_result(answer)
