"""The tasks that write: changes that wait at the same time share one transaction (group commit).

So they also share the wait for the disk. After a failure a writer carries on: everybody who waits is told, and the next
transaction is a new attempt. Everybody is answered within a bounded time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.failures import (
    Overtaken,
    is_about_data,
    is_about_values,
    plain,
    unavailable,
    unconfirmed,
    unstorable,
)
from plenilune.server.supervisor import Supervisor

log = logging.getLogger("plenilune")
PATIENCE = 5.0  # seconds within which a transaction must begin
CONFIRMED = 15.0  # seconds within which it must end
MOST_TOGETHER = 256  # changes in one transaction
GATHER = 0.006  # seconds for which a busy server collects more changes
RECONNECT = 0.1  # seconds between two attempts to connect


@dataclass(slots=True)
class Waiting:
    """Work that waits for a writer, and the future for its result."""

    work: Any
    done: asyncio.Future[Any]
    until: float  # on the monotonic clock: when its transaction must have begun
    taken: bool = False  # by a writer


# Does all of the work in one transaction, which must begin in time; returns a result or an exception for each.
WriteBatch = Callable[[list[Any], AsyncConnection | None, float], Awaitable[list[Any]]]


class Writers:
    def __init__(self, write_batch: WriteBatch, engine: AsyncEngine | None, count: Callable[[float], None]) -> None:
        """`engine`: gives each writer a connection of its own; None: there is only one connection."""
        self._write_batch, self._engine, self._count = write_batch, engine, count
        self._waiting: asyncio.Queue[Waiting] = asyncio.Queue()
        self._tasks = Supervisor()
        self._trouble: str | None = None  # why the last transaction failed, if it did

    def start(self, number: int) -> None:
        for n in range(1, number + 1):
            self._tasks.forever(f"writer {n}", self._write)

    async def close(self) -> None:
        await self._tasks.close()

    @property
    def waiting(self) -> int:
        return self._waiting.qsize()

    def problems(self) -> list[str]:
        """Why nothing can be written, one sentence each."""
        trouble = [f"the database cannot be written: {self._trouble}"] if self._trouble else []
        return trouble + self._tasks.problems()

    async def write(self, work: Any) -> Any:
        """Let a writer do this work, in one transaction with all other waiting work."""
        loop = asyncio.get_running_loop()
        waiting = Waiting(work, loop.create_future(), time.monotonic() + PATIENCE)
        self._waiting.put_nowait(waiting)
        timer = loop.call_later(CONFIRMED, _give_up, waiting)
        try:
            return await waiting.done
        finally:
            timer.cancel()
            waiting.done.cancel()  # cancelled work is not written, unless a writer has taken it

    async def _write(self) -> None:
        """One writer's loop, until it is cancelled."""
        async with contextlib.AsyncExitStack() as held:
            connection: AsyncConnection | None = None
            while True:
                batch = await self._gather()
                try:
                    connection = connection or await self._connect(held, batch[0].until)
                    await self._write_all(batch, connection)
                    self._trouble = None
                except Exception as error:
                    self._failed(batch, error)
                    await discard(connection)
                    connection = None
                    with contextlib.suppress(Exception):
                        await held.aclose()
                finally:
                    _answer_all(batch, Denied("unavailable", "the server is closing"))
                if len(batch) > 1:  # a transaction costs more than its statements: a short pause saves many
                    await asyncio.sleep(GATHER)

    async def _gather(self) -> list[Waiting]:
        """The waiting work, oldest first; at least one piece."""
        batch: list[Waiting] = []
        while not batch or (len(batch) < MOST_TOGETHER and not self._waiting.empty()):
            waiting = await self._waiting.get()
            if not waiting.done.done():  # the caller may have given up
                waiting.taken = True
                batch.append(waiting)
        return batch

    async def _connect(self, held: contextlib.AsyncExitStack, until: float) -> AsyncConnection | None:
        """A writer's own connection to PostgreSQL. Taking one from the pool for every transaction, with its ping and
        reset, would be half of the work."""
        while self._engine:
            try:
                return await held.enter_async_context(self._engine.connect())
            except Exception as error:
                self._trouble = plain(error)
                if time.monotonic() > until:
                    raise
            await asyncio.sleep(RECONNECT)
        return None

    def _failed(self, batch: list[Waiting], error: Exception) -> None:
        self._trouble = plain(error)
        log.warning("the database cannot be written: %s", self._trouble)
        _answer_all(batch, unavailable())

    async def _write_all(self, batch: list[Waiting], connection: AsyncConnection | None) -> None:
        began = time.perf_counter()
        try:
            results = await self._try(batch, connection)
        except DBAPIError as error:
            if not is_about_values(error):
                raise
            if len(batch) == 1:
                _answer(batch[0], unstorable() if is_about_data(error) else Overtaken(""))
                return
            for one in batch:  # only one of them is at fault
                await self._write_all([one], connection)
            return
        self._count(time.perf_counter() - began)
        for waiting, result in zip(batch, results, strict=True):
            _answer(waiting, result)

    async def _try(self, batch: list[Waiting], connection: AsyncConnection | None) -> list[Any]:
        works, until = [waiting.work for waiting in batch], batch[0].until
        try:
            return await self._write_batch(works, connection, until)
        except DBAPIError as error:
            # A lost connection is noticed only when it is used. If the transaction was committed nevertheless, the
            # retry fails because the matches' versions have changed.
            if not error.connection_invalidated:
                raise
            return await self._write_batch(works, connection, until)


async def discard(connection: AsyncConnection | None) -> None:
    """Close a connection to PostgreSQL that is in an unknown state; the driver's first, since that state may keep
    SQLAlchemy from closing it."""
    with contextlib.suppress(Exception):
        if connection and not connection.invalidated:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            driver.terminate()
            await connection.invalidate()


def _give_up(waiting: Waiting) -> None:
    _answer(waiting, unconfirmed() if waiting.taken else unavailable())


def _answer(waiting: Waiting, result: Any) -> None:
    if waiting.done.done():  # the caller has given up
        return
    if isinstance(result, Exception):
        waiting.done.set_exception(result)
    else:
        waiting.done.set_result(result)


def _answer_all(batch: list[Waiting], result: Exception) -> None:
    for waiting in batch:
        _answer(waiting, result)
