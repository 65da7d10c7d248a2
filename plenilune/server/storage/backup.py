"""Backups: everything in one SQLite file, from either kind of database, to be restored into either.

A backup is a snapshot of what was committed when it began, whatever a server writes in the meantime. It is written to a
temporary name and renamed once it is complete and on the disk. A backup by an older release is migrated before it is
restored. A restore succeeds completely or changes nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from plenilune.core.errors import BadSetting
from plenilune.server.settings import SQLITE
from plenilune.server.storage import lock
from plenilune.server.storage.database import MIGRATING, SERVING, Database
from plenilune.server.storage.failures import driver_errors, plain
from plenilune.server.storage.migrations import LATEST
from plenilune.server.storage.schema import actions, facts, matches, metadata, people
from plenilune.server.storage.sqlite import make_private

BACKUP = 0x504C4E42  # SQLite's application id of backups: only a backup may be overwritten by another
BATCH = 2000  # rows
PAGES = 1000  # SQLite's pages between two reports of progress
WATCH = 0.2  # seconds between two checks of a growing file's size
PATIENCE = 10.0  # seconds to wait for another process's lock on SQLite
FIRST_TABLES = {"facts", "people", "credentials", "matches", "seats", "actions", "chat", "reviews"}  # of schema 1
Progress = Callable[[int, int], None]  # how much is done, out of how much


class Summary(NamedTuple):
    matches: int
    actions: int
    bytes: int
    place: str  # where the copy is, without a password


async def back_up(url: str, file: Path, progress: Progress) -> Summary:
    database = sa.make_url(url)
    with _errors(f"{file} cannot be written"):
        _check_target(file)
        with _complete(file) as new:
            if _is_postgresql(database):
                await _save_postgresql(database, new, progress)
            else:
                await _save_sqlite(_existing(database), new, progress)
            _mark(new)
            return _summary(new, str(file))


async def restore(file: Path, url: str, replace: bool, progress: Progress) -> Summary:
    """Restore a backup; refused while a server uses the database, and if it is not empty and not to be replaced."""
    database = sa.make_url(url)
    async with _current(file) as source:
        with _errors(f"the database {_shown(database)} cannot be restored"):
            if _is_postgresql(database):
                await _restore_postgresql(source, database, replace, progress)
            else:
                _restore_sqlite(source, Path(database.database or ""), replace, progress)
        return _summary(source, _shown(database))


# Saving


def _check_target(file: Path) -> None:
    """Refuse to overwrite anything but an earlier backup."""
    if not file.parent.is_dir():
        raise BadSetting(f"{file} cannot be written: there is no folder {file.parent}")
    if not file.exists():
        return
    with contextlib.suppress(sqlite3.Error), _opened(file, "ro") as connection:
        if connection.execute("PRAGMA application_id").fetchone() == (BACKUP,):
            return
    raise BadSetting(f"{file} is already there and is not a backup: name another file")


@contextlib.contextmanager
def _complete(file: Path) -> Iterator[Path]:
    """A temporary file that replaces `file` at the end. Only its owner may read it, since it holds the dice's seeds."""
    new = file.with_name(f".{file.name}.{os.getpid()}.new")
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        yield new
        _sync(new)
        new.replace(file)
        _sync(file.parent)
    finally:
        new.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Flush to the disk. Windows cannot do that with folders, and need not."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


async def _save_sqlite(file: Path, new: Path, progress: Progress) -> None:
    with _opened(file, "rw", f"the database {file} cannot be backed up") as source:
        _check_version(file, _version(source, file))
        (pages,), (size,) = (source.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
        saving = asyncio.create_task(asyncio.to_thread(source.execute, "VACUUM INTO ?", [str(new)]))
        try:
            while not (await asyncio.wait([saving], timeout=WATCH))[0]:
                progress(min(new.stat().st_size, pages * size), pages * size)
            await saving
        except asyncio.CancelledError:
            source.interrupt()
            raise


async def _save_postgresql(database: sa.URL, new: Path, progress: Progress) -> None:
    async with _snapshot(database) as source:
        version = await source.scalar(sa.select(facts.c.value).where(facts.c.name == "schema"))
        _check_version(_shown(database), int(version or 0), oldest=LATEST)
        with _writing(new) as target:
            await _save_rows(source, target, progress)


@contextlib.asynccontextmanager
async def _snapshot(database: sa.URL) -> AsyncIterator[AsyncConnection]:
    engine = create_async_engine(database, poolclass=sa.NullPool)
    try:
        async with engine.connect() as connection:
            options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            connection = await connection.execution_options(**options)
            if not await connection.run_sync(lambda c: sa.inspect(c).has_table("facts")):
                raise BadSetting(f"the database {_shown(database)} is empty: there is nothing to back up")
            yield connection
    finally:
        await engine.dispose()


async def _save_rows(source: AsyncConnection, target: sa.Connection, progress: Progress) -> None:
    counts = [await source.scalar(sa.select(sa.func.count()).select_from(table)) for table in metadata.sorted_tables]
    done, total = 0, sum(count or 0 for count in counts)
    for table in metadata.sorted_tables:
        async with source.stream(sa.select(table)) as rows:
            async for part in rows.mappings().partitions(BATCH):
                target.execute(table.insert(), [dict(row) for row in part])
                done += len(part)
                progress(done, total)


@contextlib.contextmanager
def _writing(new: Path) -> Iterator[sa.Connection]:
    """A new SQLite database with our tables. It is still temporary, so it need not survive a crash."""
    engine = sa.create_engine(f"sqlite:///{new}", poolclass=sa.NullPool)
    try:
        with engine.begin() as connection:
            metadata.create_all(connection)
            yield connection
    finally:
        engine.dispose()


def _mark(new: Path) -> None:
    """Mark a database as a backup, once it is known to be sound."""
    with _opened(new, "rw") as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute(f"PRAGMA application_id={BACKUP}")
        _check_sound(connection, new)


# Restoring


@contextlib.asynccontextmanager
async def _current(file: Path) -> AsyncIterator[Path]:
    """A sound backup with the current schema: the file itself, or a migrated copy."""
    with _opened(file, "ro", f"{file} is not a backup of Plenilune") as connection:
        version = _version(connection, file)
        _check_version(file, version)
        _check_tables(connection, file, version)
        _check_sound(connection, file)
        if version == LATEST:
            yield file
            return
        with tempfile.TemporaryDirectory(prefix="plenilune-") as folder:
            copy = Path(folder) / "migrated.sqlite"
            connection.execute("VACUUM INTO ?", [str(copy)])
            async with Database(f"{SQLITE}:///{copy}").open():
                pass
            yield copy


def _check_tables(connection: sqlite3.Connection, file: Path, version: int) -> None:
    found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    wanted = set(metadata.tables) if version == LATEST else FIRST_TABLES
    if missing := sorted(wanted - found):
        raise BadSetting(f"{file} is not a backup of Plenilune: it has no table {missing[0]!r}")


def _check_sound(connection: sqlite3.Connection, file: Path) -> None:
    (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if said != "ok":
        raise BadSetting(f"{file} is damaged: {said.splitlines()[0]}")
    if broken := connection.execute("PRAGMA foreign_key_check").fetchone():
        raise BadSetting(f"{file} is damaged: a row of {broken[0]!r} belongs to nothing in {broken[2]!r}")


def _restore_sqlite(source: Path, file: Path, replace: bool, progress: Progress) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    make_private(file)
    with lock.locked(file), _opened(source, "ro") as backup, _opened(file, "rw") as target:
        if not replace and _holds_something(target):
            raise _not_empty(file)
        # SQLite's backup writes in one transaction of the target.
        backup.backup(target, pages=PAGES, progress=lambda _, left, total: progress(total - left, total))
        target.execute("PRAGMA application_id=0")


def _holds_something(target: sqlite3.Connection) -> bool:
    tables = {name for (name,) in target.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    ours = tables & {people.name, matches.name}
    if tables and not ours:
        return True
    return any(target.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone() for name in ours)


async def _restore_postgresql(source: Path, database: sa.URL, replace: bool, progress: Progress) -> None:
    engine = create_async_engine(database, poolclass=sa.NullPool)
    try:
        async with engine.begin() as target:
            if not await target.scalar(sa.select(sa.func.pg_try_advisory_xact_lock(SERVING))):
                raise BadSetting(f"the database {_shown(database)} is in use by a server: stop it first")
            await target.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
            if not replace and await target.run_sync(_has_rows):
                raise _not_empty(_shown(database))
            await target.run_sync(metadata.drop_all)
            await target.run_sync(metadata.create_all)
            await _restore_rows(source, target, progress)
    finally:
        await engine.dispose()


def _has_rows(connection: sa.Connection) -> bool:
    there = sa.inspect(connection).get_table_names()
    ours = [table for table in (people, matches) if table.name in there]
    return any(connection.execute(sa.select(table).limit(1)).first() for table in ours)


async def _restore_rows(source: Path, target: AsyncConnection, progress: Progress) -> None:
    driver: Any = (await target.get_raw_connection()).driver_connection
    engine = sa.create_engine(f"sqlite:///{source}", poolclass=sa.NullPool)
    try:
        with engine.connect() as backup:
            done, total = 0, sum(_count(backup, table) for table in metadata.sorted_tables)
            for table in metadata.sorted_tables:
                names = [column.name for column in table.columns]
                for part in backup.execution_options(yield_per=BATCH).execute(sa.select(table)).partitions():
                    await driver.copy_records_to_table(table.name, records=map(_storable, part), columns=names)
                    done += len(part)
                    progress(done, total)
    finally:
        engine.dispose()


def _storable(row: Sequence[Any]) -> tuple[Any, ...]:
    """Without NUL bytes: SQLite stores them in texts, such as a program's request ids; PostgreSQL does not."""
    return tuple(value.replace("\0", "\ufffd") if isinstance(value, str) else value for value in row)


# Files and databases


def _is_postgresql(database: sa.URL) -> bool:
    return database.get_backend_name() == "postgresql"


def _existing(database: sa.URL) -> Path:
    file = Path(database.database or "")
    if not file.is_file():
        raise BadSetting(f"there is no database {file}")
    return file


def _shown(database: sa.URL) -> str:
    """The file, or the URL without the password."""
    return database.render_as_string(hide_password=True) if _is_postgresql(database) else str(database.database)


@contextlib.contextmanager
def _opened(file: Path, mode: str, trouble: str = "") -> Iterator[sqlite3.Connection]:
    """`trouble`: what to say before SQLite's own words."""
    uri = f"{file.resolve().as_uri()}?mode={mode}"
    try:
        with contextlib.closing(
            sqlite3.connect(uri, PATIENCE, isolation_level=None, check_same_thread=False, uri=True)
        ) as connection:
            yield connection
    except sqlite3.Error as error:
        if not trouble:
            raise
        raise BadSetting(f"{trouble}: {error}") from error


@contextlib.contextmanager
def _errors(trouble: str) -> Iterator[None]:
    """Turn errors of the drivers and the disk into one sentence."""
    errors: tuple[type[Exception], ...] = (sqlite3.Error, *driver_errors(postgresql=True))
    try:
        yield
    except errors as error:
        raise BadSetting(f"{trouble}: {getattr(error, 'strerror', None) or plain(error)}") from error


def _version(connection: sqlite3.Connection, file: Path) -> int:
    row = connection.execute("SELECT value FROM facts WHERE name = 'schema'").fetchone()
    if not row or not str(row[0]).isdecimal():
        raise BadSetting(f"{file} is not a backup of Plenilune: it does not say which schema it has")
    return int(row[0])


def _check_version(what: object, version: int, oldest: int = 1) -> None:
    if version > LATEST:
        raise BadSetting(f"{what} was made by a newer release (schema {version}, this one knows {LATEST})")
    if version < oldest:
        raise BadSetting(
            f"{what} is still in an older release's schema: back it up with that release, or start this one once"
        )


def _not_empty(what: object) -> BadSetting:
    return BadSetting(f"the database {what} is not empty: --replace deletes what it holds")


def _summary(file: Path, place: str) -> Summary:
    engine = sa.create_engine(f"sqlite:///{file}", poolclass=sa.NullPool)
    with engine.connect() as connection:
        return Summary(_count(connection, matches), _count(connection, actions), file.stat().st_size, place)


def _count(connection: sa.Connection, table: sa.Table) -> int:
    return int(connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0)
