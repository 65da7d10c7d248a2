"""A pool of processes that do the same work on many items."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from plenilune.bots.thought import Stop, never
from plenilune.core.errors import BadSetting

T = TypeVar("T")
R = TypeVar("R")


def spread(
    work: Callable[[T, Stop], R | None], todo: Sequence[T], jobs: int, warm_up: Callable[[], None]
) -> Iterator[R]:
    """The results as they become ready, from `jobs` processes; with one job, from this process. Each process calls
    `warm_up` first. Work that was stopped has no result."""
    jobs = min(jobs, len(todo))
    if jobs < 2:
        yield from (result for one in todo if (result := work(one, never)) is not None)
        return
    processes = multiprocessing.get_context("spawn")
    enough = processes.Event()
    pool = ProcessPoolExecutor(jobs, processes, _begin, (warm_up, enough))
    try:
        with _interrupts_ignored():  # the processes inherit it, so Ctrl-C reaches only this one
            working = [pool.submit(_work, work, one) for one in todo]
        for future in as_completed(working):
            if (result := future.result()) is not None:
                yield result
    except BrokenProcessPool as error:
        raise BadSetting("a process ended before its work was done; run the same command again to continue") from error
    finally:
        enough.set()
        pool.shutdown(cancel_futures=True)


_stop: Stop = never  # in a worker process: whether it should stop


def _begin(warm_up: Callable[[], None], enough: Any) -> None:
    global _stop
    _stop = enough.is_set
    warm_up()


def _work(work: Callable[[Any, Stop], Any], one: Any) -> Any:
    return work(one, _stop)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def processes_for(jobs: int | None) -> int:
    """The number of processes: by default, one for each core."""
    if jobs is not None and jobs < 1:
        raise BadSetting(f"the number of processes is 1 or more, not {jobs}")
    return jobs or cores()


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
