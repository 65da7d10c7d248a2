"""Background tasks: each has a name, is restarted when it fails, and is reported while it keeps failing."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any

from plenilune.core.errors import Refusal

log = logging.getLogger("plenilune")
Work = Callable[[], Coroutine[Any, Any, Any]]
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds before a failed task is restarted
STEADY = 5.0  # seconds that a restarted task must run to count as working again


class Supervisor:
    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._failures: dict[str, str] = {}  # by task: why it failed, until it works again

    def problems(self) -> list[str]:
        """Which tasks are failing, one sentence each."""
        return [f"{name} is failing: {why}" for name, why in sorted(self._failures.items())]

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run a task that ends by itself; what it fails with is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("a background task failed", exc_info=error)

    def every(self, name: str, seconds: float, work: Work) -> None:
        """Run a job periodically; a failure does not stop it."""

        async def repeat() -> None:
            while True:
                if await self._succeeds(name, work):
                    self._failures.pop(name, None)
                await asyncio.sleep(seconds)

        self.spawn(repeat())

    def forever(self, name: str, work: Work) -> None:
        """Run a task that never returns; it is restarted when it fails, after longer and longer pauses."""

        async def restart() -> None:
            pause, loop = FIRST_PAUSE, asyncio.get_running_loop()
            while True:
                began, recovered = time.monotonic(), loop.call_later(STEADY, self._failures.pop, name, None)
                if await self._succeeds(name, work):
                    self._failed(name, "it has ended")
                recovered.cancel()
                pause = FIRST_PAUSE if time.monotonic() - began > LONGEST_PAUSE else min(2 * pause, LONGEST_PAUSE)
                await asyncio.sleep(pause)

        self.spawn(restart())

    async def _succeeds(self, name: str, work: Work) -> bool:
        try:
            await work()
            return True
        except Refusal as refusal:
            self._failed(name, str(refusal))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task and task.cancelling():
                raise
            self._failed(name, "it was cancelled")  # what it awaited was cancelled, not the task itself
        except Exception as error:
            self._failed(name, f"{type(error).__name__}: {error}", error)
        return False

    def _failed(self, name: str, why: str, error: Exception | None = None) -> None:
        self._failures[name] = why
        log.warning("%s failed and is tried again: %s", name, why, exc_info=error)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
