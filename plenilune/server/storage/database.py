"""The connection to SQLite or PostgreSQL: transactions, migrations, and the writers that share transactions.

Changes of many matches that wait at the same time are written in one transaction, so the disk is not asked for each.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from plenilune.errors import BadSetting, Refusal
from plenilune.server.clock import now
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage import sqlite
from plenilune.server.storage.rows import Row
from plenilune.server.storage.schema import MIGRATIONS, facts, metadata

log = logging.getLogger("plenilune")
MOST_TOGETHER = 256  # changes in one transaction
GATHER = 0.006  # seconds that a busy server waits for more changes to write together
WRITERS = 2  # transactions at the same time, where the database can do that
READERS = 4  # connections kept, where it cannot
CHANNEL = "plenilune"  # of PostgreSQL's notifications
NOTIFY = sa.text("SELECT pg_notify(:channel, :payload)")
LISTENER = "plenilune listener"  # the name of every process's connection that hears notifications
LISTENERS = sa.text(
    "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = :name"
).bindparams(name=LISTENER)


class Overtaken(Refusal):
    """Another process has changed the match in the meantime."""


class Connection(Protocol):
    """Within a transaction: as much of a connection as whoever writes needs."""

    def execute(self, statement: Any, parameters: Any = None) -> Awaitable[Any]: ...
    def run_sync(self, work: Callable[[sa.Connection], Any]) -> Awaitable[Any]: ...


class Waiting(NamedTuple):
    """Work that waits for a writer: `work` adds to the transaction and returns what `done` is set to."""

    work: Any
    done: asyncio.Future[Any]


class Database:
    def __init__(self, url: str) -> None:
        self.url = sa.make_url(url)
        self.shared = self.url.get_backend_name() == "postgresql"  # other processes may write too
        self.pids: set[int] = set()  # PostgreSQL's, of our connections: we know what they notify of
        self.engine = self._engine()
        self._sqlite = None if self.shared else sqlite.Writer(self.url)
        self._waiting: asyncio.Queue[Waiting] = asyncio.Queue()
        self.trouble: str | None = None  # why the last transaction failed, if it did
        self.tally: Callable[[str, float], None] = lambda figure, amount: None  # for the metrics

    def _engine(self) -> AsyncEngine:
        if self.shared:
            engine = create_async_engine(self.url, pool_size=WRITERS + 4, max_overflow=8, pool_pre_ping=True)
            sa.event.listen(engine.sync_engine, "connect", lambda c, record: self.pids.add(_pid(c)))
            sa.event.listen(engine.sync_engine, "close", lambda c, record: self.pids.discard(_pid(c)))
            return engine
        file = self.url.database or ""
        if not file or file == ":memory:":
            raise BadSetting("SQLite needs a file: sqlite:///FILE")
        engine = create_async_engine(self.url, pool_size=READERS, max_overflow=8, isolation_level="AUTOCOMMIT")
        sa.event.listen(engine.sync_engine, "connect", sqlite.set_up)
        return engine

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Any]:
        """Migrated, and with its writers at work."""
        tasks: list[asyncio.Task[None]] = []
        try:
            await self._prepare()
            tasks += [asyncio.create_task(self._write()) for _ in range(WRITERS if self.shared else 1)]
            yield self
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._close()

    async def _prepare(self) -> None:
        try:
            if not self.shared:
                Path(self.url.database or "").parent.mkdir(parents=True, exist_ok=True)
            await self._migrate()
        except (OSError, SQLAlchemyError) as error:
            raise BadSetting(f"the database {self.shown} cannot be used: {plain(error)}") from error

    async def _close(self) -> None:
        if self._sqlite:
            self._sqlite.close()
        await self.engine.dispose()

    @property
    def shown(self) -> str:
        """Its address, without the password."""
        return self.url.render_as_string(hide_password=True)

    # Migrations

    async def _migrate(self) -> None:
        async with self.writing() as connection:
            if self.shared:  # one process at a time
                await connection.execute(sa.text("SELECT pg_advisory_xact_lock(7272)"))
            version = await self._version(connection)
            await connection.run_sync(metadata.create_all)  # whole tables that are missing
            latest = len(MIGRATIONS) + 1
            if version is None:
                await connection.execute(facts.insert().values(name="schema", value=str(latest)))
                return
            if version > latest:
                raise BadSetting(
                    f"the database {self.shown} was made by a newer release (schema {version}, this one knows {latest})"
                )
            if version < latest:
                await self._upgrade(connection, version)

    async def _version(self, connection: Connection) -> int | None:
        """The schema's; None for an empty database."""
        if not await connection.run_sync(lambda c: sa.inspect(c).has_table("facts")):
            return None
        found = await connection.execute(sa.select(facts.c.value).where(facts.c.name == "schema"))
        return int(found.scalar_one())

    async def _upgrade(self, connection: Connection, version: int) -> None:
        await connection.execute(facts.delete().where(facts.c.name == "upgraded"))
        await connection.execute(facts.insert().values(name="upgraded", value=str(now())))
        for statement in (statement for step in MIGRATIONS[version - 1 :] for statement in step):
            await connection.execute(sa.text(statement))
        latest = {"value": str(len(MIGRATIONS) + 1)}
        await connection.execute(facts.update().where(facts.c.name == "schema").values(latest))

    # Reading and writing

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        with available():
            async with self.engine.connect() as connection:
                yield connection

    @contextlib.asynccontextmanager
    async def writing(self, held: AsyncConnection | None = None) -> AsyncIterator[Connection]:
        """A transaction, on a connection that one holds or on any: all of it is written, or nothing."""
        if self._sqlite:
            async with self._sqlite.writing() as writer:
                yield writer
        elif held:
            async with held.begin():
                yield held
        else:
            async with self.engine.begin() as connection:
                yield connection

    async def all(self, statement: Any) -> list[Row]:
        async with self.reading() as connection:
            found: Any = (await connection.execute(statement)).mappings()
            return list(found)

    async def one(self, statement: Any) -> Row | None:
        rows = await self.all(statement)
        return rows[0] if rows else None

    async def run(self, work: Callable[[Connection], Awaitable[Any]]) -> Any:
        """Something that is written in a transaction of its own."""
        with available():
            async with self.writing() as connection:
                return await work(connection)

    async def execute(self, statement: Any, rows: Sequence[Row] = ()) -> int:
        """One statement that writes, for each of the rows if there are some; returns how many rows it found."""
        result = await self.run(lambda connection: connection.execute(statement, rows or None))
        return int(result.rowcount)

    async def fact(self, name: str, make: Callable[[], str]) -> str:
        """A fact about the database, made by whoever asks first."""
        statement = sa.select(facts.c.value).where(facts.c.name == name)
        if found := await self.one(statement):
            return str(found["value"])
        with contextlib.suppress(IntegrityError):
            await self.execute(facts.insert().values(name=name, value=make()))
        found = await self.one(statement)
        assert found
        return str(found["value"])

    # Other processes, on PostgreSQL

    async def listen(self, heard: Mapping[str, Callable[..., None]]) -> None:
        """Hear notifications, by channel, for as long as the connection lasts."""
        async with self.engine.connect() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            await driver.execute(f"SET application_name = '{LISTENER}'")
            for channel, hear in heard.items():
                await driver.add_listener(channel, hear)
            while not driver.is_closed():
                await asyncio.sleep(1)
                await driver.execute("SELECT 1")

    async def listeners(self) -> int:
        """How many processes hear notifications."""
        row = await self.one(LISTENERS)
        return int(row["n"]) if row else 0

    async def notify(self, channel: str, payload: str) -> None:
        await self.run(lambda connection: connection.execute(NOTIFY, {"channel": channel, "payload": payload}))

    # Writing together

    @property
    def waiting(self) -> int:
        """How many changes wait to be written."""
        return self._waiting.qsize()

    async def write_together(self, work: Any) -> Any:
        """Have a writer do it, in one transaction with whatever else is waiting; see `_write_batch`."""
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait(Waiting(work, done))
        return await done

    async def _write(self) -> None:
        """A writer. Whatever fails, it goes on: those who wait are told, and the next transaction is a new try."""
        async with contextlib.AsyncExitStack() as held:
            connection: AsyncConnection | None = None
            while True:
                batch = await self._gather()
                try:
                    connection = await self._connection(held, connection)
                    await self._write_all(batch, connection)
                    self.trouble = None
                except asyncio.CancelledError:
                    _fail(batch, Denied("unavailable", "the server is closing"))
                    raise
                except Exception as error:
                    self._failed(batch, error)
                    with contextlib.suppress(Exception):
                        await held.aclose()  # a new connection for the next one
                    connection = None
                if len(batch) > 1:  # a transaction costs more than what it writes: a little patience saves many
                    await asyncio.sleep(GATHER)

    async def _gather(self) -> list[Waiting]:
        batch = [await self._waiting.get()]
        while len(batch) < MOST_TOGETHER and not self._waiting.empty():
            batch.append(self._waiting.get_nowait())
        return batch

    async def _connection(
        self, held: contextlib.AsyncExitStack, connection: AsyncConnection | None
    ) -> AsyncConnection | None:
        """A writer's own connection to PostgreSQL. To take one from the pool for every transaction, ping it and clean
        it up afterwards would be half of the work."""
        if self._sqlite or connection:
            return connection
        return await held.enter_async_context(self.engine.connect())

    def _failed(self, batch: list[Waiting], error: Exception) -> None:
        self.trouble = plain(error)
        log.warning("the database does not take what is written: %s", self.trouble)
        _fail(batch, unavailable())

    async def _write_all(self, batch: list[Waiting], held: AsyncConnection | None) -> None:
        began = time.perf_counter()
        try:
            results = await self._try(batch, held)
        except (IntegrityError, DataError) as error:
            if len(batch) == 1:
                _settle(batch[0].done, error if isinstance(error, DataError) else Overtaken(""))
                return
            for one in batch:  # one is to blame for all
                await self._write_all([one], held)
            return
        self.tally("commit_seconds", time.perf_counter() - began)
        for waiting, result in zip(batch, results, strict=True):
            _settle(waiting.done, result)

    async def _try(self, batch: list[Waiting], held: AsyncConnection | None) -> list[Any]:
        try:
            return await self._write_batch(batch, held)
        except DBAPIError as error:
            # A connection that was lost in the meantime shows it only when it is used. Should the transaction have
            # been committed all the same, its matches have another version now.
            if not error.connection_invalidated:
                raise
            return await self._write_batch(batch, held)

    async def _write_batch(self, batch: list[Waiting], held: AsyncConnection | None) -> list[Any]:
        """Write all of it in one transaction; a result or an exception for each."""
        raise NotImplementedError


def _settle(done: asyncio.Future[Any], result: Any) -> None:
    if done.done():  # whoever asked has gone
        return
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)


def _fail(batch: list[Waiting], error: Exception) -> None:
    for waiting in batch:
        _settle(waiting.done, error)


def unavailable() -> Denied:
    return Denied("unavailable", "the database does not answer; nothing has changed")


@contextlib.contextmanager
def available() -> Iterator[None]:
    try:
        yield
    except IntegrityError:
        raise
    except (OSError, SQLAlchemyError) as error:
        raise unavailable() from error


def _pid(connection: Any) -> int:
    return int(connection.driver_connection.get_server_pid())


def plain(error: Exception) -> str:
    said = str(getattr(error, "orig", None) or error).splitlines()
    return said[0] if said else type(error).__name__
