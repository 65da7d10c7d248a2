"""Background work: every task has a name, is restarted when it fails, and is reported while it is failing."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any

from plenilune.errors import Refusal

log = logging.getLogger("plenilune")
Work = Callable[[], Coroutine[Any, Any, Any]]
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds before a task that has failed is tried again
REMEMBERED = 60.0  # seconds for which a failure is reported, once it works again


class Supervisor:
    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._failures: dict[str, tuple[float, str]] = {}  # by task: when it last failed, and why

    def problems(self) -> list[str]:
        """Which tasks are failing, one sentence each."""
        since = time.monotonic() - REMEMBERED
        return [f"{name} is failing: {why}" for name, (at, why) in sorted(self._failures.items()) if at > since]

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Something that ends by itself."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def every(self, name: str, seconds: float, work: Work) -> None:
        """Do it again and again, with a pause in between; a failure does not stop it."""

        async def repeat() -> None:
            while True:
                await self._guarded(name, work)
                await asyncio.sleep(seconds)

        self.spawn(repeat())

    def forever(self, name: str, work: Work) -> None:
        """Something that never returns; it is started anew when it fails, ever more patiently."""

        async def restart() -> None:
            pause = FIRST_PAUSE
            while True:
                began = time.monotonic()
                await self._guarded(name, work)
                pause = FIRST_PAUSE if time.monotonic() - began > LONGEST_PAUSE else min(2 * pause, LONGEST_PAUSE)
                await asyncio.sleep(pause)

        self.spawn(restart())

    async def _guarded(self, name: str, work: Work) -> None:
        try:
            await work()
        except Refusal as refusal:
            self._failed(name, str(refusal))
            log.warning("%s: %s", name, refusal)
        except Exception as error:
            self._failed(name, f"{type(error).__name__}: {error}")
            log.exception("%s failed; it is tried again", name)

    def _failed(self, name: str, why: str) -> None:
        self._failures[name] = (time.monotonic(), why)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
