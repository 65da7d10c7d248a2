"""What is kept: all the SQL there is. The same statements serve SQLite and PostgreSQL.

The database is the truth. A change of a match says which version of its row it was made from, and is refused when
another process has been faster. Changes of many matches that wait at the same time are kept in one transaction.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from plenilune.errors import BadSetting, Refusal
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage import sqlite

Row = Mapping[str, Any]
MOST_TOGETHER = 256  # changes in one transaction
GATHER = 0.006  # seconds that a busy server waits for more changes to keep together
WRITERS = 2  # transactions at the same time, where the database can do that
READERS = 4  # connections kept, where it cannot
CHANNEL = "plenilune"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)  # seconds, of the metrics

metadata = sa.MetaData()
facts = sa.Table(
    "facts",  # about the database itself
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)
credentials = sa.Table(
    "credentials",  # a cookie's or a key's digest: who reads the database cannot sit down for anybody
    metadata,
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), nullable=False),
)
matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),  # goes up with every change of the row, its seats or its actions
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("components", sa.Text, nullable=False),
    sa.Column("layout", sa.Text, nullable=False),  # digest of the state record's fields
    sa.Column("options", sa.Text, nullable=False),  # JSON, as everything that is asked for as a whole
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),  # waiting, playing, over
    sa.Column("state", sa.LargeBinary),  # at `ply`
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("to_play", sa.Integer, nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),  # the ply at which the turn began
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("clock", sa.Text, nullable=False),
    sa.Column("left", sa.Text, nullable=False),  # milliseconds in each seat's bank
    sa.Column("since", sa.BigInteger),  # when the clock of the seat to play began to run
    sa.Column("deadline", sa.BigInteger),  # when it is out
    sa.Column("bot_turn", sa.Boolean, nullable=False),
    sa.Column("claimed", sa.BigInteger, nullable=False),  # until then a process thinks for the bot
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("spectators", sa.Boolean, nullable=False),
    sa.Column("hints", sa.Boolean, nullable=False),
    sa.Column("chat", sa.Boolean, nullable=False),
    sa.Column("stand_in", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Column("result", sa.Text),
    sa.Column("score", sa.Integer),  # of a match played alone to its end
    sa.Column("daily", sa.Text),  # the day
    sa.Column("daily_of", sa.Text),  # whose: nobody has a day's deal twice
    sa.Column("follows", sa.Text, unique=True),  # the match this is the rematch of
    sa.Column("rematch", sa.Text),  # and the one that follows this
    sa.UniqueConstraint("game", "daily", "daily_of"),
    sa.Index("matches_due", "status", "deadline"),
    sa.Index("matches_bot", "status", "bot_turn", "claimed"),
    sa.Index("matches_lobby", "public", "status", "changed"),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("match", sa.Text, sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("held_by", sa.Text, nullable=False),  # person, bot, friend, open
    sa.Column("person", sa.Text),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("bot", sa.Text),
    sa.Column("absent", sa.Boolean, nullable=False),
    sa.Column("resigned", sa.Boolean, nullable=False),
    sa.Column("secret", sa.Text),  # the invitation's digest
    sa.Column("present", sa.BigInteger, nullable=False),  # connected, to some process, until then
    sa.Index("seats_person", "person"),
)
actions = sa.Table(
    "actions",
    metadata,
    sa.Column("match", sa.Text, sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("actor", sa.Integer, nullable=False),
    sa.Column("by", sa.Text, nullable=False),  # person, bot, stand-in, chance
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("known", sa.Text, nullable=False),  # how many words each viewer may read, from the spectator on
    sa.Column("request", sa.Text),  # the first action of what one person asked for at once has its id
    sa.Column("last", sa.Integer, nullable=False),  # the ply after all that was asked for at once
    sa.Column("hash", sa.Text, nullable=False),  # of what that person saw then; only beside `request`
    sa.UniqueConstraint("match", "request"),
)
chat = sa.Table(
    "chat",
    metadata,
    sa.Column("match", sa.Text, sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("person", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("phrase", sa.Text),
    sa.Column("at", sa.BigInteger, nullable=False),
)
reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("match", sa.Text, sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("remarks", sa.Text, nullable=False),
)
# What an older database needs, step by step; a new one is made as the tables above say.
MIGRATIONS: Sequence[Sequence[str]] = ()


class Overtaken(Refusal):
    """Another process has changed the match in the meantime."""


class Connection(Protocol):
    """Within a transaction: as much of a connection as whoever writes needs."""

    def execute(self, statement: Any, parameters: Any = None) -> Awaitable[Any]: ...
    def run_sync(self, work: Callable[[sa.Connection], Any]) -> Awaitable[Any]: ...


@dataclass
class Change:
    """What is to be kept about one match, all of it or nothing."""

    match: str
    version: int  # of the row it was made from
    ply: int  # afterwards, for those who are told
    row: dict[str, Any] = field(default_factory=dict)
    actions: list[dict[str, Any]] = field(default_factory=list)
    seats: list[dict[str, Any]] = field(default_factory=list)  # whole rows
    chat: list[dict[str, Any]] = field(default_factory=list)


Waiting = tuple[Change, asyncio.Future[None]]


class Store:
    def __init__(self, url: str) -> None:
        self.url = sa.make_url(url)
        self.shared = self.url.get_backend_name() == "postgresql"
        self.pids: set[int] = set()  # PostgreSQL's, of our connections: what they notify of is known here
        self.engine = self._engine()
        self._sqlite = None if self.shared else sqlite.Writer(self.url)
        self._waiting: asyncio.Queue[Waiting] = asyncio.Queue()
        # For the metrics: transactions, how long they took, and what they kept.
        self.transactions, self.seconds = 0, 0.0
        self.commits: Counter[float] = Counter()
        self.changes: Counter[str] = Counter()

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
    async def open(self) -> AsyncIterator[Store]:
        """Migrated, and with somebody who writes."""
        async with contextlib.AsyncExitStack() as held:
            held.push_async_callback(self._close)
            try:
                if not self.shared:
                    Path(self.url.database or "").parent.mkdir(parents=True, exist_ok=True)
                await self._migrate()
                writers = [await held.enter_async_context(self._held()) for _ in range(WRITERS if self.shared else 1)]
            except (OSError, SQLAlchemyError) as error:
                raise BadSetting(f"the database {self._shown()} cannot be used: {_plain(error)}") from error
            tasks = [asyncio.create_task(self._write(connection)) for connection in writers]
            try:
                yield self
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    @contextlib.asynccontextmanager
    async def _held(self) -> AsyncIterator[AsyncConnection | None]:
        """A writer's own connection to PostgreSQL. To take one out for every transaction, ask it whether it is alive
        and clean it up afterwards would be half of the work."""
        if self._sqlite:
            yield None
        else:
            async with self.engine.connect() as connection:
                yield connection

    async def _close(self) -> None:
        if self._sqlite:
            self._sqlite.close()
        await self.engine.dispose()

    def _shown(self) -> str:
        return self.url.render_as_string(hide_password=True)

    # Migrations

    async def _migrate(self) -> None:
        async with self.writing() as connection:
            if self.shared:  # one process at a time
                await connection.execute(sa.text("SELECT pg_advisory_xact_lock(7272)"))
            there = await connection.run_sync(lambda c: sa.inspect(c).has_table("facts"))
            if not there:
                await connection.run_sync(metadata.create_all)
                await connection.execute(facts.insert().values(name="schema", value=str(len(MIGRATIONS) + 1)))
                return
            found = await connection.execute(sa.select(facts.c.value).where(facts.c.name == "schema"))
            version = int(found.scalar_one())
            if version > len(MIGRATIONS) + 1:
                raise BadSetting(
                    f"the database {self._shown()} was made by a newer release (schema {version}, "
                    f"this one knows {len(MIGRATIONS) + 1})"
                )
            for step in MIGRATIONS[version - 1 :]:
                for statement in step:
                    await connection.execute(sa.text(statement))
            latest = {"value": str(len(MIGRATIONS) + 1)}
            await connection.execute(facts.update().where(facts.c.name == "schema").values(latest))

    # Reading and writing

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        with _available():
            async with self.engine.connect() as connection:
                yield connection

    @contextlib.asynccontextmanager
    async def writing(self, held: AsyncConnection | None = None) -> AsyncIterator[Connection]:
        """A transaction, on a connection that one holds or on any: all of it is kept, or nothing."""
        if self._sqlite:
            async with self._sqlite.writing() as writer:
                yield writer
        elif held:
            async with held.begin():
                yield held
        else:
            async with self.engine.begin() as connection:
                yield connection

    async def all(self, statement: sa.Select[Any]) -> list[Row]:
        async with self.reading() as connection:
            return [row._mapping for row in await connection.execute(statement)]

    async def one(self, statement: sa.Select[Any]) -> Row | None:
        rows = await self.all(statement)
        return rows[0] if rows else None

    async def change(self, change: Change) -> None:
        """Returns once it is kept; raises `Overtaken` when it was made from a version that is no more."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((change, done))
        await done

    async def _write(self, held: AsyncConnection | None) -> None:
        while True:
            batch = [await self._waiting.get()]
            while len(batch) < MOST_TOGETHER and not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            await self._keep_all(batch, held)
            if len(batch) > 1:  # a transaction costs more than what it keeps: a little patience saves many
                await asyncio.sleep(GATHER)

    async def _keep_all(self, batch: list[Waiting], held: AsyncConnection | None) -> None:
        changes = [change for change, _ in batch]
        try:
            try:
                overtaken = await self._keep(changes, held)
            except DBAPIError as error:
                # A connection that was lost meanwhile is found out only by using it, and then made anew. Should this
                # have been kept all the same, its matches have another version now.
                if not error.connection_invalidated:
                    raise
                overtaken = await self._keep(changes, held)
        except (OSError, SQLAlchemyError) as error:
            if len(batch) > 1:  # one may be to blame for all
                for one in batch:
                    await self._keep_all([one], held)
                return
            _settle(batch[0][1], _trouble(error))
        except asyncio.CancelledError:
            for _, done in batch:
                _settle(done, Denied("unavailable", "the server is closing"))
            raise
        else:
            for change, done in batch:
                _settle(done, Overtaken(change.match) if change.match in overtaken else None)

    async def _keep(self, changes: list[Change], held: AsyncConnection | None) -> set[str]:
        """Keep all those made from the present version; returns the others' matches."""
        began = time.perf_counter()
        async with self.writing(held) as connection:
            versions = await self._lock(connection, [change.match for change in changes])
            good = [change for change in changes if versions.pop(change.match, None) == change.version]
            for statement, rows in _statements(good):
                await connection.execute(statement, rows)
            if self.shared and good:
                told = [{"channel": CHANNEL, "payload": f"{c.match} {c.ply}"} for c in good]
                await connection.execute(sa.text("SELECT pg_notify(:channel, :payload)"), told)
        self._count(good, time.perf_counter() - began)
        return {change.match for change in changes} - {change.match for change in good}

    def _count(self, changes: list[Change], seconds: float) -> None:
        self.transactions += 1
        self.seconds += seconds
        self.commits.update(bound for bound in BUCKETS if seconds <= bound)
        self.changes["changes"] += len(changes)
        self.changes["actions"] += sum(len(change.actions) for change in changes)

    async def _lock(self, connection: Connection, ids: list[str]) -> dict[str, int]:
        """The rows' versions, which stay what they are until the end of the transaction."""
        return {row.id: row.version for row in await connection.execute(VERSIONS, {"ids": ids})}

    async def run(self, work: Callable[[Connection], Awaitable[Any]]) -> Any:
        """Something else that is written, in a transaction of its own."""
        with _available():
            async with self.writing() as connection:
                return await work(connection)

    async def execute(self, statement: sa.Update | sa.Insert, rows: Sequence[Row] = ()) -> int:
        """One statement that is written, for each of the rows if there are some; returns how many rows it found."""
        result = await self.run(lambda connection: connection.execute(statement, rows or None))
        return int(result.rowcount)

    # Questions that several ask

    async def fact(self, name: str, make: Callable[[], str]) -> str:
        """A fact about the database, made by whoever asks first."""
        statement = sa.select(facts.c.value).where(facts.c.name == name)
        if found := await self.one(statement):
            return str(found["value"])
        with contextlib.suppress(IntegrityError):
            async with self.writing() as connection:
                await connection.execute(facts.insert().values(name=name, value=make()))
        found = await self.one(statement)
        assert found
        return str(found["value"])

    async def match(self, id: str) -> Row | None:
        return await self.one(sa.select(matches).where(matches.c.id == id))

    async def seats_of(self, ids: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
        statement = sa.select(seats).where(seats.c.match.in_(list(ids))).order_by(seats.c.match, seats.c.seat)
        rows = await self.all(statement)
        return {match: [dict(row) for row in group] for match, group in groupby(rows, key=lambda row: row["match"])}

    async def actions_of(self, id: str, first: int = 0) -> list[Row]:
        where = (actions.c.match == id) & (actions.c.ply >= first)
        return await self.all(sa.select(actions).where(where).order_by(actions.c.ply))

    async def chat_of(self, id: str, after: int = 0) -> list[Row]:
        where = (chat.c.match == id) & (chat.c.number > after)
        return await self.all(sa.select(chat).where(where).order_by(chat.c.number))


# What is asked for with every change is made once: to make a statement takes longer than to have it carried out.
VERSIONS = (
    sa.select(matches.c.id, matches.c.version)
    .where(matches.c.id.in_(sa.bindparam("ids", expanding=True)))
    .order_by(matches.c.id)
    .with_for_update()
)
CHANGED = matches.update().where(matches.c.id == sa.bindparam("of")).values(version=matches.c.version + 1)
SEATED = seats.update().where((seats.c.match == sa.bindparam("of")) & (seats.c.seat == sa.bindparam("at_seat")))
ACTED, SAID = actions.insert(), chat.insert()


def _statements(changes: list[Change]) -> list[tuple[Any, list[dict[str, Any]]]]:
    found: list[tuple[Any, list[dict[str, Any]]]] = []
    if rows := [row for change in changes for row in change.actions]:
        found.append((ACTED, rows))
    by_columns = sorted(changes, key=lambda change: sorted(change.row))
    for _, group in groupby(by_columns, key=lambda change: sorted(change.row)):
        found.append((CHANGED, [{"of": change.match, **change.row} for change in group]))
    if rows := [row for change in changes for row in change.seats]:
        names = [name for name in rows[0] if name not in ("match", "seat", "present")]
        keys = [{"of": row["match"], "at_seat": row["seat"], **{name: row[name] for name in names}} for row in rows]
        found.append((SEATED, keys))
    if rows := [row for change in changes for row in change.chat]:
        found.append((SAID, rows))
    return found


def _settle(done: asyncio.Future[None], trouble: Exception | None) -> None:
    if done.done():  # whoever asked has gone
        return
    if trouble:
        done.set_exception(trouble)
    else:
        done.set_result(None)


def _trouble(error: Exception) -> Exception:
    return Overtaken("") if isinstance(error, IntegrityError) else _unavailable(error)


def _unavailable(error: Exception) -> Denied:
    return Denied("unavailable", "the database does not answer; nothing has changed")


@contextlib.contextmanager
def _available() -> Any:
    try:
        yield
    except IntegrityError:
        raise
    except (OSError, SQLAlchemyError) as error:
        raise _unavailable(error) from error


def _pid(connection: Any) -> int:
    return int(connection.driver_connection.get_server_pid())


def _plain(error: Exception) -> str:
    said = str(getattr(error, "orig", None) or error).splitlines()
    return said[0] if said else type(error).__name__
