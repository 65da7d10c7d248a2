"""The tasks that write: changes of many matches that wait at the same time share one transaction.

So the disk is not asked for each. Whatever fails, a writer goes on: those who wait are told, and the next transaction
is a new try. Everybody is answered within a bounded time.
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
PATIENCE = 5.0  # seconds until a transaction must have begun
CONFIRMED = 15.0  # seconds until it must have ended
MOST_TOGETHER = 256  # changes in one transaction
GATHER = 0.006  # seconds that a busy server waits for more changes to write together
RECONNECT = 0.1  # seconds between two tries to connect


@dataclass(slots=True)
class Waiting:
    """Work that waits for a writer, and what it will be answered."""

    work: Any
    done: asyncio.Future[Any]
    until: float  # by the monotonic clock: when its transaction must have begun
    taken: bool = False  # by a writer


# Writes all of the work in one transaction that begins until then: a result or an exception for each.
WriteBatch = Callable[[list[Any], AsyncConnection | None, float], Awaitable[list[Any]]]


class Writers:
    def __init__(self, write_batch: WriteBatch, engine: AsyncEngine | None, count: Callable[[float], None]) -> None:
        """`engine`: where each writer has a connection of its own; None: where all share one."""
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
        """Have it written in one transaction with whatever else is waiting."""
        waiting = Waiting(work, asyncio.get_running_loop().create_future(), time.monotonic() + PATIENCE)
        self._waiting.put_nowait(waiting)
        try:
            await asyncio.wait([waiting.done], timeout=CONFIRMED)
            if waiting.done.done():
                return waiting.done.result()
            raise unconfirmed() if waiting.taken else unavailable()
        finally:
            waiting.done.cancel()  # what no writer has taken is not written any more

    async def _write(self) -> None:
        """A writer; it ends only when it is cancelled."""
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
                if len(batch) > 1:  # a transaction costs more than what it writes: a little patience saves many
                    await asyncio.sleep(GATHER)

    async def _gather(self) -> list[Waiting]:
        """Who waits, the longest first; at least one."""
        batch: list[Waiting] = []
        while not batch or (len(batch) < MOST_TOGETHER and not self._waiting.empty()):
            waiting = await self._waiting.get()
            if not waiting.done.done():  # whoever asked may have given up
                waiting.taken = True
                batch.append(waiting)
        return batch

    async def _connect(self, held: contextlib.AsyncExitStack, until: float) -> AsyncConnection | None:
        """A writer's own connection to PostgreSQL. To take one from the pool for every transaction, ping it and clean
        it up afterwards would be half of the work."""
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
            for one in batch:  # one is to blame for all
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
            # A connection that was lost in the meantime shows it only when it is used. Should the transaction have
            # been committed all the same, its matches have another version now.
            if not error.connection_invalidated:
                raise
            return await self._write_batch(works, connection, until)


async def discard(connection: AsyncConnection | None) -> None:
    """Cut a connection to PostgreSQL that nobody knows what it is good for. The driver first: the state it is in may
    keep SQLAlchemy from closing it."""
    with contextlib.suppress(Exception):
        if connection and not connection.invalidated:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            driver.terminate()
            await connection.invalidate()


def _answer(waiting: Waiting, result: Any) -> None:
    if waiting.done.done():  # whoever asked has given up
        return
    if isinstance(result, Exception):
        waiting.done.set_exception(result)
    else:
        waiting.done.set_result(result)


def _answer_all(batch: list[Waiting], result: Exception) -> None:
    for waiting in batch:
        _answer(waiting, result)
