"""SQLite's one writer shares the event loop with everybody: it must never make it stand still."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from plenilune.server.storage import sqlite, writers
from plenilune.server.storage.database import Connection
from plenilune.server.storage.failures import Taken
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


def test_a_caller_that_goes_away_during_a_commit_does_not_disturb_the_next(tmp_path: Path) -> None:
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


# Small writes


def test_a_flood_of_small_writes_shares_transactions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise everybody, those who play too, would wait for the disk as often as there are guests before them."""
    commits: list[str] = []
    in_thread = sqlite.Writer._in_thread

    async def counted(writer: sqlite.Writer, work: Any, *arguments: Any) -> Any:
        commits.extend(argument for argument in arguments if argument == "COMMIT")
        return await in_thread(writer, work, *arguments)

    async def run() -> set[str]:
        async with opened(tmp_path) as store:
            monkeypatch.setattr(sqlite.Writer, "_in_thread", counted)
            await asyncio.gather(*(store.execute(fact(f"{number}")) for number in range(100)))
            return await names(store)

    assert len(asyncio.run(run())) == 100
    assert len(commits) <= 3


def test_a_small_write_that_is_refused_undoes_no_other(tmp_path: Path) -> None:
    async def run() -> tuple[list[object], set[str]]:
        async with opened(tmp_path) as store:
            await store.execute(fact("there"))
            written = (store.execute(fact(name)) for name in ("before", "there", "after"))
            return await asyncio.gather(*written, return_exceptions=True), await names(store)

    answers, found = asyncio.run(run())
    assert found == {"there", "before", "after"}
    assert [type(answer) for answer in answers] == [int, Taken, int]


def test_a_small_write_that_fails_halfway_leaves_nothing_and_undoes_no_other(tmp_path: Path) -> None:
    async def half(connection: Connection) -> None:
        await connection.execute(fact("half"))
        raise RuntimeError("in the middle")

    async def run() -> tuple[list[object], set[str]]:
        async with opened(tmp_path) as store:
            works = (store.execute(fact("before")), store.run(half), store.execute(fact("after")))
            return await asyncio.gather(*works, return_exceptions=True), await names(store)

    answers, found = asyncio.run(run())
    assert found == {"before", "after"}
    assert isinstance(answers[1], RuntimeError)


async def plans(store: Store, ask: Callable[[Store], Awaitable[object]]) -> list[str]:
    """How SQLite carries out every statement that is asked."""
    said: list[tuple[str, Any]] = []

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, *rest: Any) -> None:
        said.append((statement, parameters))

    sa.event.listen(store.engine.sync_engine, "before_cursor_execute", note)
    await ask(store)
    sa.event.remove(store.engine.sync_engine, "before_cursor_execute", note)
    async with store.reading() as connection:
        found = [await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values) for text, values in said]
    return [row.detail for rows in found for row in rows]


# What everybody may ask for, as often as they like, and how its plan would show that it reads more and more rows.
ASKED: list[tuple[Callable[[Store], Awaitable[object]], str]] = [
    (lambda store: store.lobby.mine("ada", 50), "matches_due"),  # every finished match of everybody
    (lambda store: store.lobby.reserved_for("ada", 50), "SCAN seats"),
    (lambda store: store.lobby.ranking("moon-leap", "2026-01-01", 2**60, 100), "earlier .* (game=. AND daily=.)$"),
    (lambda store: store.lobby.ranked("moon-leap", "2026-01-01", 2**60), "earlier .* (game=. AND daily=.)$"),
]


@pytest.mark.parametrize(("ask", "slow"), ASKED)
def test_no_question_takes_longer_with_every_match_that_was_ever_played(
    tmp_path: Path, ask: Callable[[Store], Awaitable[object]], slow: str
) -> None:
    """With two thousand attempts, the ranking of a daily deal used to take six seconds."""

    async def run() -> list[str]:
        async with opened(tmp_path) as store:
            return await plans(store, ask)

    found = asyncio.run(run())
    assert found
    assert not [plan for plan in found if re.search(slow.replace("(", r"\(").replace(")", r"\)"), plan)]
