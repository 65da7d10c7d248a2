"""SQLite's settings, and its only writer.

A statement takes SQLite a few microseconds, but releases Python's global lock; in a thread, every row would wait to get
it back from a busy server. So statements run on the event loop, and only the commit, which waits for the disk, runs in
a thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

CONNECTING = 5.0  # seconds to wait while another process writes
RETRY = 0.005  # seconds between two attempts to get the write lock
BUSY = ("SQLITE_BUSY", "SQLITE_BUSY_RECOVERY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_BUSY_TIMEOUT")
# FULL: what is acknowledged is on the disk.
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "wal_autocheckpoint=4000")
T = TypeVar("T")


class Writer:
    """The process's only writing connection, used by one transaction at a time."""

    def __init__(self, url: sa.URL) -> None:
        plain, arguments = url.set(drivername="sqlite"), {"timeout": CONNECTING, "check_same_thread": False}
        self._engine = sa.create_engine(
            plain, isolation_level="AUTOCOMMIT", connect_args=arguments, hide_parameters=True
        )
        sa.event.listen(self._engine, "connect", set_up)
        self._connection: sa.Connection | None = None
        self._alone = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, "sqlite")

    @property
    def connection(self) -> sa.Connection:
        assert self._connection
        return self._connection

    @contextlib.asynccontextmanager
    async def writing(self, until: float) -> AsyncIterator[Writer]:
        """A transaction; an error if it cannot begin by `until` on the monotonic clock."""
        async with self._turn(until):
            if self._connection is None:
                await self._in_thread(self._connect)
            await self._begin(until)
            try:
                yield self
                await self._in_thread(self.connection.exec_driver_sql, "COMMIT")
            except BaseException:
                self._roll_back()
                raise

    @contextlib.asynccontextmanager
    async def _turn(self, until: float) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(max(0.0, until - time.monotonic())):
                await self._alone.acquire()
        except TimeoutError:
            raise TimeoutError("an earlier transaction takes too long") from None
        try:
            yield
        finally:
            self._alone.release()

    def _connect(self) -> None:
        self._connection = self._engine.connect()
        # From now on do not block the event loop while another process writes: `_begin` retries.
        self._connection.exec_driver_sql("PRAGMA busy_timeout=0")

    async def _begin(self, until: float) -> None:
        """BEGIN IMMEDIATE takes the write lock at once: upgrading a reader would fail instead of waiting."""
        while True:
            try:
                self.connection.exec_driver_sql("BEGIN IMMEDIATE")
                return
            except OperationalError as error:
                if getattr(error.orig, "sqlite_errorname", "") not in BUSY or time.monotonic() > until:
                    raise
            await asyncio.sleep(RETRY)

    def _roll_back(self) -> None:
        """Roll back. After some errors SQLite has done so itself; a connection that cannot is replaced."""
        try:
            if self.connection.connection.in_transaction:
                self.connection.exec_driver_sql("ROLLBACK")
        except Exception:
            self.connection.invalidate()
            self.connection.close()
            self._connection = None

    async def _in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        """Run in a thread. Nobody else gets the connection before it is done, even if the caller is cancelled."""
        done = asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            await asyncio.wait([done])
            raise

    async def execute(self, statement: sa.Executable, parameters: Any = None) -> Any:
        return self.connection.execute(statement, parameters)

    async def run_sync(self, work: Callable[[sa.Connection], T]) -> T:
        return work(self.connection)

    def close(self) -> None:
        self._thread.shutdown()
        if self._connection:
            self._connection.close()
        self._engine.dispose()


def make_private(file: Path) -> None:
    """Where there is no database yet, an empty file that only its owner may read: it will hold the seeds of the dice.
    SQLite gives the files beside it the same permissions."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def set_up(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # transactions are begun explicitly
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
