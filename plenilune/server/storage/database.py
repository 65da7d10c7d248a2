"""The connection to SQLite or PostgreSQL: transactions, migrations, and notifications."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from plenilune.core.errors import BadSetting
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage import lock, sqlite, writers
from plenilune.server.storage.failures import Taken, driver_errors, is_about_values, plain, refusals
from plenilune.server.storage.migrations import migrate
from plenilune.server.storage.rows import Row
from plenilune.server.storage.schema import facts
from plenilune.server.storage.writers import Writers

WRITERS = 2  # concurrent transactions on PostgreSQL
READERS = 4  # connections for reading SQLite
ANSWERED = 10.0  # PostgreSQL's statement timeout, in seconds
CHANNEL = "plenilune"  # of PostgreSQL's notifications
MIGRATING, SERVING = 7272, 7273  # PostgreSQL's advisory locks: exclusive for migrations, shared by servers
NOTIFY = sa.text("SELECT pg_notify(:channel, :payload)")
LISTENER = "plenilune listener"  # the application name of each process's listening connection
LISTENERS = sa.text(
    "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = :name"
).bindparams(name=LISTENER)


class Connection(Protocol):
    """What work inside a transaction may do with its connection."""

    def execute(self, statement: Any, parameters: Any = None) -> Awaitable[Any]: ...
    def run_sync(self, work: Callable[[sa.Connection], Any]) -> Awaitable[Any]: ...


Work = Callable[[Connection], Awaitable[Any]]
SAVEPOINT, RELEASE, ROLL_BACK = map(sa.text, ("SAVEPOINT part", "RELEASE part", "ROLLBACK TO part"))


class Database:
    def __init__(self, url: str) -> None:
        self.url = sa.make_url(url)
        self.shared = self.url.get_backend_name() == "postgresql"  # with other processes
        self.errors = driver_errors(self.shared)
        self.pids: set[int] = set()  # PostgreSQL's ids of this process's connections, whose notifications are ignored
        self.engine = self._postgresql() if self.shared else self._readers()
        self._sqlite = None if self.shared else sqlite.Writer(self.url)
        self._writers = Writers(self._write_batch, self.engine if self.shared else None, self._took)
        self.tally: Callable[[str, float], None] = lambda figure, amount: None  # for the metrics

    def _postgresql(self) -> AsyncEngine:
        patience = writers.PATIENCE
        settings = {"lock_timeout": f"{int(1000 * patience)}ms"}
        arguments = {"timeout": patience, "command_timeout": ANSWERED, "server_settings": settings}
        engine = create_async_engine(
            self.url,
            pool_size=WRITERS + 4,
            max_overflow=8,
            pool_timeout=patience,
            pool_pre_ping=True,
            connect_args=arguments,
            hide_parameters=True,  # in errors, which may be logged: the seeds of the dice are among them
        )
        sa.event.listen(engine.sync_engine, "connect", self._connected)
        sa.event.listen(engine.sync_engine, "close", self._disconnected)
        return engine

    def _connected(self, connection: Any, record: Any) -> None:
        record.info["pid"] = connection.driver_connection.get_server_pid()
        self.pids.add(record.info["pid"])

    def _disconnected(self, connection: Any, record: Any) -> None:
        """Forget a connection's process id, which the driver may no longer know."""
        self.pids.discard(record.info.get("pid"))

    def _readers(self) -> AsyncEngine:
        if not self.url.database or self.url.database == ":memory:":
            raise BadSetting("SQLite needs a file: sqlite:///FILE")
        engine = create_async_engine(
            self.url,
            pool_size=READERS,
            max_overflow=8,
            pool_timeout=writers.PATIENCE,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
        )
        sa.event.listen(engine.sync_engine, "connect", sqlite.set_up)
        return engine

    @contextlib.asynccontextmanager
    async def open(self, serving: bool = False) -> AsyncIterator[Any]:
        """Migrate the database, and start its writers. Only one server may use a SQLite file."""
        with contextlib.ExitStack() as held:
            try:
                await self._prepare(held, serving)
                self._writers.start(WRITERS if self.shared else 1)
                yield self
            finally:
                await self._writers.close()
                await self._close()

    async def _prepare(self, held: contextlib.ExitStack, serving: bool) -> None:
        try:
            if not self.shared:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                if serving:
                    held.enter_context(lock.locked(self.file))
                sqlite.make_private(self.file)
            await self._migrate()
        except self.errors as error:
            raise BadSetting(f"the database {self.shown} cannot be used: {plain(error)}") from error

    async def _close(self) -> None:
        if self._sqlite:
            self._sqlite.close()
        await self.engine.dispose()

    def check_free(self) -> None:
        """Refuse if a server uses the database."""
        if not self.shared and self.file.exists():
            with lock.locked(self.file):
                pass

    @property
    def file(self) -> Path:
        """SQLite's."""
        return Path(self.url.database or "")

    @property
    def shown(self) -> str:
        """The database's URL, without the password."""
        return self.url.render_as_string(hide_password=True)

    def problems(self) -> list[str]:
        """Why the database cannot be written, one sentence each."""
        return self._writers.problems()

    # Migrations

    async def _migrate(self) -> None:
        async with self._migrating() as connection:
            await migrate(connection, self.shown)

    @contextlib.asynccontextmanager
    async def _migrating(self) -> AsyncIterator[Connection]:
        """A transaction without a time limit, in one process at a time."""
        if not self.shared:
            async with self.writing() as connection:
                yield connection
            return
        engine = create_async_engine(self.url, poolclass=sa.NullPool, connect_args={"timeout": writers.PATIENCE})
        async with engine.begin() as patient:
            await patient.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
            yield patient

    # Reading and writing

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        with refusals(self.errors):
            async with self.engine.connect() as connection:
                yield connection

    @contextlib.asynccontextmanager
    async def writing(
        self, held: AsyncConnection | None = None, until: float | None = None
    ) -> AsyncIterator[Connection]:
        """A transaction, on the given connection or on any: all of it is written, or nothing."""
        if self._sqlite:
            begins = time.monotonic() + writers.PATIENCE if until is None else until
            async with self._sqlite.writing(begins) as writer:
                yield writer
        elif held:
            async with held.begin():
                yield held
        else:
            async with self.engine.begin() as connection:
                yield connection

    async def all(self, statement: Any, **values: Any) -> list[Row]:
        async with self.reading() as connection:
            found: Any = (await connection.execute(statement, values)).mappings()
            return list(found)

    async def one(self, statement: Any, **values: Any) -> Row | None:
        rows = await self.all(statement, **values)
        return rows[0] if rows else None

    async def run(self, work: Work) -> Any:
        """Write something, all of it or nothing. SQLite has one writer, where all waiting writes share a transaction,
        so that a flood of small writes waits for the disk only once."""
        with refusals(self.errors):
            if self._sqlite:
                return await self.write_together(work)
            async with self.writing() as connection:
                return await work(connection)

    async def execute(self, statement: Any, rows: Sequence[Row] = ()) -> int:
        """Execute a writing statement, for each of the rows if there are any; returns how many rows it matched."""
        result = await self.run(lambda connection: connection.execute(statement, rows or None))
        return int(result.rowcount)

    async def fact(self, name: str, make: Callable[[], str]) -> str:
        """A fact about the database; the first process to ask creates it."""
        statement = sa.select(facts.c.value).where(facts.c.name == name)
        if found := await self.one(statement):
            return str(found["value"])
        with contextlib.suppress(Taken):
            await self.execute(facts.insert().values(name=name, value=make()))
        found = await self.one(statement)
        assert found
        return str(found["value"])

    # Other processes, on PostgreSQL

    async def listen(self, heard: Mapping[str, Callable[[str], None]]) -> None:
        """Receive other processes' notifications, by channel, until the connection is lost. While it is open, no backup
        can be restored over the database."""
        with refusals(self.errors):
            async with self.engine.connect() as connection:
                try:
                    await self._hear(connection, heard)
                finally:
                    await writers.discard(connection)  # it must not go back to the pool while it listens

    async def _hear(self, connection: AsyncConnection, heard: Mapping[str, Callable[[str], None]]) -> None:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        if not await driver.fetchval("SELECT pg_try_advisory_lock_shared($1)", SERVING):
            raise Denied("unavailable", "the database is being restored")
        await driver.execute(f"SET application_name = '{LISTENER}'")

        def notified(_: Any, pid: int, channel: str, payload: str) -> None:
            if pid not in self.pids:
                heard[channel](payload)

        for channel in heard:
            await driver.add_listener(channel, notified)
        while not driver.is_closed():
            await asyncio.sleep(1)
            await driver.execute("SELECT 1")
        raise ConnectionError("the connection was closed")

    async def listeners(self) -> int:
        """How many processes listen for notifications."""
        row = await self.one(LISTENERS)
        return int(row["n"]) if row else 0

    async def notify(self, channel: str, payload: str) -> None:
        await self.run(lambda connection: connection.execute(NOTIFY, {"channel": channel, "payload": payload}))

    # Writing together

    @property
    def waiting(self) -> int:
        """The number of changes that wait to be written."""
        return self._writers.waiting

    async def write_together(self, work: Any) -> Any:
        """Let a writer do this work, in one transaction with all other waiting work."""
        return await self._writers.write(work)

    async def _write_batch(self, works: list[Any], held: AsyncConnection | None, until: float) -> list[Any]:
        """Do all of the work in one transaction; returns a result or an exception for each."""
        raise NotImplementedError

    def _took(self, seconds: float) -> None:
        self.tally("commit_seconds", seconds)


async def within(connection: Connection, work: Work) -> Any:
    """The result of one part of a transaction, or the exception for which only that part was rolled back."""
    await connection.execute(SAVEPOINT)
    try:
        result = await work(connection)
    except Exception as error:
        if isinstance(error, DBAPIError) and not is_about_values(error):
            raise  # the whole transaction has failed
        await connection.execute(ROLL_BACK)
        result = error
    await connection.execute(RELEASE)
    return result
