"""SQLite's one writer shares the event loop with everybody: it must never make it stand still."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from plenilune.server.storage import writers
from plenilune.server.storage.database import Connection
from plenilune.server.storage.schema import facts
from plenilune.server.storage.store import Store

MOMENT = 0.25  # seconds for which another process writes


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Store]:
    async with Store(f"sqlite+aiosqlite:///{folder / 'test.db'}").open() as store:
        yield store


def fact(name: str) -> sa.Insert:
    return facts.insert().values(name=name, value="so")


async def names(store: Store) -> set[str]:
    return {row["name"] for row in await store.all(sa.select(facts.c.name))} - {"schema"}


def test_while_another_process_writes_the_loop_goes_on_and_the_change_waits(tmp_path: Path) -> None:
    async def run() -> set[str]:
        async with opened(tmp_path) as store:
            other = sqlite3.connect(tmp_path / "test.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            change = asyncio.create_task(store.execute(fact("patience")))
            await asyncio.sleep(MOMENT)
            assert not change.done()
            other.execute("COMMIT")  # never reached, did the change hold the loop
            await change
            other.close()
            return await names(store)

    assert asyncio.run(run()) == {"patience"}


def test_who_waits_too_long_is_told_and_nothing_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "PATIENCE", 0.05)

    async def run() -> set[str]:
        async with opened(tmp_path) as store:
            other = sqlite3.connect(tmp_path / "test.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Exception, match="the database does not answer; nothing has changed"):
                await store.execute(fact("haste"))
            other.close()
            await store.execute(fact("later"))  # and the next one finds everything as it was
            return await names(store)

    assert asyncio.run(run()) == {"later"}


async def half(connection: Connection) -> None:
    await connection.execute(fact("half"))
    raise ZeroDivisionError


def test_what_goes_wrong_half_way_leaves_nothing_behind(tmp_path: Path) -> None:
    async def run() -> set[str]:
        async with opened(tmp_path) as store:
            with pytest.raises(ZeroDivisionError):
                await store.run(half)
            await store.execute(fact("whole"))
            return await names(store)

    assert asyncio.run(run()) == {"whole"}


def test_whoever_goes_away_while_it_is_committed_does_not_disturb_the_next(tmp_path: Path) -> None:
    async def run() -> set[str]:
        async with opened(tmp_path) as store:
            for number in range(40):
                going = asyncio.create_task(store.execute(fact(f"going {number}")))
                staying = asyncio.create_task(store.execute(fact(f"staying {number}")))
                for _ in range(number % 8):
                    await asyncio.sleep(0)
                going.cancel()
                await staying
                await asyncio.gather(going, return_exceptions=True)
            return await names(store)

    kept = asyncio.run(run())
    assert {f"staying {number}" for number in range(40)} <= kept
