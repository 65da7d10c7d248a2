"""When the database fails, everybody gets an answer in time, health tells why, and nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from plenilune.server import supervisor
from plenilune.server.protocol import ChatLine
from plenilune.server.protocol.refusals import Denied
from plenilune.server.settings import Settings
from plenilune.server.storage import writers
from plenilune.server.storage.people import Presented
from plenilune.server.storage.rows import Change, Person, digest
from plenilune.server.storage.schema import actions
from plenilune.server.storage.store import Store
from plenilune.server.tables import upkeep
from tests.server.attempts import Attempts
from tests.server.postgres import Postgres
from tests.server.running import Guest, Process, Running, new_id, running, sqlite
from tests.server.waiting import block_until

QUICK = 0.3  # seconds that a transaction waits here


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "PATIENCE", QUICK)
    monkeypatch.setattr(upkeep, "HEARTBEAT", 0.1)
    monkeypatch.setattr(supervisor, "STEADY", 0.2)


class Player:
    """Plays alone, whatever the server answers, and remembers what was acknowledged."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.acknowledged: dict[str, int] = {}  # by request: the ply it led to
        self.refusals: list[Any] = []
        self.asked: dict[str, Any] | None = None  # and not yet acknowledged
        self.match = self.guest.table("nova-luna", "me")["table"]["id"]

    def step(self) -> bool:
        """One action, or another try at the last one; whether it was acknowledged."""
        state = self.guest.state(self.match)
        if not (self.asked or state["legal"]):
            made = self._post("/api/tables", {"game": "nova-luna", "seats": [{"kind": "me"}]})
            self.match = made["table"]["id"] if made else self.match
            return False
        self.asked = self.asked or {"id": new_id(), "ply": state["ply"], "actions": state["legal"][:1]}
        answer = self._post(f"/api/tables/{self.match}/play", {"kind": "play", **self.asked})
        if answer is None:
            return False
        self.acknowledged[f"{self.guest.id}:{self.asked['id']}"] = answer["ply"]
        self.asked = None
        return True

    def _post(self, path: str, body: Any) -> Any:
        """The answer, or None if the server cannot do it now."""
        response = self.guest.http.post(path, json=body)
        answer = response.json()
        if response.status_code in (200, 201):
            return answer
        assert (response.status_code, answer["reason"]) == (503, "unavailable"), answer
        self.refusals.append(answer)
        return None

    def recovers(self) -> None:
        block_until(self.step)


def health(guest: Guest) -> Any:
    response = guest.http.get("/api/health")
    found = response.json()
    assert (response.status_code == 200) == (found["status"] == "ok") == (found["problems"] == [])
    return found


def stored(url: str) -> dict[str, int]:
    """Every request in the database, and the ply it led to."""

    async def read() -> dict[str, int]:
        async with Store(url).open() as store:
            query = sa.select(actions.c.request, actions.c.last).where(actions.c.request.is_not(None))
            return {row["request"]: row["last"] for row in await store.all(query)}

    return asyncio.run(read())


def check_nothing_is_lost(settings: Settings, *players: Player) -> None:
    acknowledged = {request: ply for player in players for request, ply in player.acknowledged.items()}
    assert acknowledged
    assert stored(settings.url) == acknowledged


# Another process holds SQLite's lock


def test_while_the_database_is_locked_requests_are_answered_and_health_says_so(
    settings: Settings, tmp_path: Path, quick: None
) -> None:
    with running(settings) as server:
        player = Player(server.guest())
        assert player.step()
        with closing(sqlite3.connect(tmp_path / "plenilune.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            began = time.monotonic()
            assert not player.step()
            assert QUICK / 2 < time.monotonic() - began < QUICK + 2
            assert player.refusals[-1]["message"] == "the database does not answer; nothing has changed"
            block_until(lambda: "database is locked" in " ".join(health(player.guest)["problems"]))
        player.recovers()
        block_until(lambda: health(player.guest)["status"] == "ok")
    check_nothing_is_lost(settings, player)


def test_changes_behind_a_locked_database_do_not_wait_in_line(settings: Settings, tmp_path: Path, quick: None) -> None:
    """Everybody's patience begins when they ask: one after the other would take many times as long."""
    with running(settings) as server:
        guest, path = server.guest(), tmp_path / "plenilune.sqlite"
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            answers: list[Any] = []
            body = {"game": "nova-luna", "seats": [{"kind": "me"}]}
            asking = [
                threading.Thread(target=lambda: answers.append(guest.http.post("/api/tables", json=body)))
                for _ in range(12)
            ]
            began = time.monotonic()
            for thread in asking:
                thread.start()
            for thread in asking:
                thread.join()
            assert time.monotonic() - began < 2 * QUICK + 2
            assert {answer.json()["reason"] for answer in answers} == {"unavailable"}


# The disk is full


def test_when_sqlite_is_full_it_says_so_and_goes_on_when_there_is_room(settings: Settings, quick: None) -> None:
    with running(settings) as server:
        player = Player(server.guest())
        assert player.step()
        limit = server.in_loop(pages(server, 1))
        block_until(lambda: not player.step())
        block_until(lambda: "full" in " ".join(health(player.guest)["problems"]))
        assert server.in_loop(pages(server, 1_000_000)) >= limit
        player.recovers()
        block_until(lambda: health(player.guest)["status"] == "ok")
    check_nothing_is_lost(settings, player)


async def pages(server: Running, most: int) -> int:
    """How large SQLite may become; it cannot be less than it is."""
    writer: Any = server.server.store._sqlite
    return int(writer.connection.exec_driver_sql(f"PRAGMA max_page_count={most}").scalar_one())


@pytest.mark.skipif(sys.platform != "linux", reason="another process's limits are set by Linux only")
def test_a_server_that_may_write_no_more_to_disk_refuses_tells_and_recovers_without_a_restart(tmp_path: Path) -> None:
    process = Process("--data", str(tmp_path), PLENILUNE_LIMITS="off")
    try:
        guest = Guest(process.address)
        player = Player(guest)
        for _ in range(5):
            assert player.step()
        with smallest_files(process.process.pid, tmp_path / "plenilune.sqlite-wal"):
            block_until(lambda: not player.step())
            block_until(lambda: health(guest)["status"] == "failing")
            assert not player.step()
        player.recovers()
        for _ in range(5):
            assert player.step()
        block_until(lambda: health(guest)["status"] == "ok")
        guest.close()
    finally:
        process.kill()  # what is not on the disk now was not acknowledged
    check_nothing_is_lost(sqlite(tmp_path), player)


@contextmanager
def smallest_files(pid: int, file: Path) -> Iterator[None]:
    """The process can let no file grow beyond the size of that one."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (file.stat().st_size, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))


# PostgreSQL


def sql(url: str, *statements: str) -> None:
    async def execute() -> None:
        connection = await asyncpg.connect(url)
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    asyncio.run(execute())


CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = "


@pytest.fixture
def limited(postgres: Postgres, database: str) -> Iterator[tuple[str, Callable[[int], None]]]:
    """A database of somebody whose connections are limited, and how to set that limit: 0 cuts all there are."""
    name = database.rpartition("/")[2]
    role = f"{name}_owner"
    sql(database, f"CREATE ROLE {role} LOGIN", f"ALTER DATABASE {name} OWNER TO {role}")

    def limit(most: int) -> None:
        sql(postgres.url(), f"ALTER ROLE {role} CONNECTION LIMIT {most}")
        if most == 0:
            sql(postgres.url(), f"{CUT} '{name}'")

    yield database.replace("moon@", f"{role}@"), limit
    limit(-1)


def test_writers_survive_when_postgresql_has_too_many_connections(
    attempts: Attempts, tmp_path: Path, limited: tuple[str, Callable[[int], None]], quick: None
) -> None:
    url, limit = limited
    settings = sqlite(tmp_path, database=url)
    with running(settings) as server:
        player = Player(server.guest())
        assert player.step()
        limit(0)
        block_until(lambda: not player.step())
        for _ in range(3):  # each writer has failed by then
            assert not player.step()
        block_until(lambda: "too many connections" in " ".join(health(player.guest)["problems"]))
        limit(-1)
        player.recovers()
        for _ in range(5):
            assert player.step()
        block_until(lambda: health(player.guest)["status"] == "ok")
    check_nothing_is_lost(settings, player)
    attempts.add()


def test_what_asyncpg_raises_while_it_connects_is_met_like_any_failure(
    tmp_path: Path, database: str, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLAlchemy 2.0 passes it on as it is; a short while of it is not even noticed."""
    settings = sqlite(tmp_path, database=database)
    with running(settings) as server:
        player, engine = Player(server.guest()), server.server.store.engine
        connect, left = AsyncEngine.connect, 6

        def refuse(self: AsyncEngine) -> Any:
            nonlocal left
            left -= self is engine
            if self is engine and left >= 0:
                raise asyncpg.exceptions.TooManyConnectionsError("sorry, too many clients already")
            return connect(self)

        sql(database, f"{CUT} current_database()")
        monkeypatch.setattr(AsyncEngine, "connect", refuse)
        with pytest.raises(Denied, match="the database does not answer"):
            server.in_loop(server.server.store.match("none"))
        player.recovers()
        block_until(lambda: left < 0)
        block_until(lambda: health(player.guest)["status"] == "ok")
    check_nothing_is_lost(settings, player)


def test_nothing_is_lost_while_connections_are_cut_again_and_again(tmp_path: Path, database: str) -> None:
    settings = sqlite(tmp_path, database=database)
    with running(settings) as server:
        players = [Player(server.guest()) for _ in range(3)]
        enough = threading.Event()

        def play(player: Player) -> None:
            while not enough.is_set():
                player.step()

        threads = [threading.Thread(target=play, args=[player]) for player in players]
        for thread in threads:
            thread.start()
        for _ in range(25):
            sql(database, f"{CUT} current_database()")
            time.sleep(0.05)
        enough.set()
        for thread in threads:
            thread.join()
        for player in players:
            player.recovers()
        assert sum(len(player.acknowledged) for player in players) > 25
    check_nothing_is_lost(settings, *players)


def test_a_row_that_another_process_locks_is_waited_for_only_so_long(
    tmp_path: Path, database: str, quick: None
) -> None:
    settings = sqlite(tmp_path, database=database)
    with running(settings) as server:
        player = Player(server.guest())
        assert player.step()
        with locked_table(database):
            began = time.monotonic()
            assert not player.step()
            assert time.monotonic() - began < QUICK + 3
        player.recovers()
    check_nothing_is_lost(settings, player)


@contextmanager
def locked_table(database: str) -> Iterator[None]:
    """Somebody else has all matches locked."""
    loop = asyncio.new_event_loop()
    connection = loop.run_until_complete(asyncpg.connect(database))
    transaction = connection.transaction()
    loop.run_until_complete(transaction.start())
    loop.run_until_complete(connection.execute("LOCK TABLE matches IN ACCESS EXCLUSIVE MODE"))
    try:
        yield
    finally:
        loop.run_until_complete(transaction.rollback())
        loop.run_until_complete(connection.close())
        loop.close()


def test_a_value_that_postgresql_cannot_store_is_refused_and_fails_nobody_else(tmp_path: Path, database: str) -> None:
    async def run(match: str) -> None:
        async with Store(sqlite(tmp_path, database=database).url).open() as store:
            row = await store.match(match)
            assert row
            line = ChatLine(1, row.host, "Ada", 0, "a\0b", None, 7)
            said = store.commit(match, row.version, lambda: Change(row, row, chat=(line,)))
            answers: tuple[Any, Any] = await asyncio.gather(said, store.beat(8), return_exceptions=True)
            refused, beaten = answers
            assert isinstance(refused, Denied)
            assert (refused.reason, beaten) == ("bad_request", None)
            assert (await store.last_beat(), store.problems()) == (8, [])
            with pytest.raises(Denied, match="characters that cannot be stored"):
                await store.people.rename(Person(row.host, "a\0b"), Presented(digest(cookie), bearer=False))

    with running(sqlite(tmp_path, database=database)) as server:
        ada = server.guest()
        match, cookie = ada.table("nova-luna", "me")["table"]["id"], ada.http.cookies["plenilune"]
    asyncio.run(run(match))


# Writers


def test_a_writer_that_dies_is_restarted_and_those_who_wait_are_answered(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(settings) as server:
        player = Player(server.guest())
        store = server.server.store
        gather, deaths = writers.Writers._gather, 2

        async def die(self: writers.Writers) -> Any:
            nonlocal deaths
            deaths -= 1
            if deaths >= 0:
                raise RuntimeError("out of luck")
            return await gather(self)

        monkeypatch.setattr(writers.Writers, "_gather", die)
        assert player.step()  # by the writer that waits already, which dies afterwards
        block_until(lambda: store.problems() == ["writer 1 is failing: RuntimeError: out of luck"])
        player.recovers()
    check_nothing_is_lost(settings, player)


def test_without_any_writer_everybody_is_told_and_nothing_is_written_later(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with Store(settings.url).open() as store:
            await store.last_beat()
            await store._writers.close()
            with pytest.raises(Denied, match="nothing has changed"):
                await store.beat(7)
            store._writers.start(1)
            await store.beat(8)
            assert await store.last_beat() == 8

    monkeypatch.setattr(writers, "CONFIRMED", 0.2)
    asyncio.run(run())


def test_a_transaction_that_never_ends_is_not_waited_for(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        never = asyncio.Event()

        async def stuck(*arguments: Any) -> Any:
            await never.wait()

        async with Store(settings.url).open() as store:
            monkeypatch.setattr(store._writers, "_write_batch", stuck)
            with pytest.raises(Denied, match="has not confirmed this in time"):
                await store.beat(7)

    monkeypatch.setattr(writers, "CONFIRMED", 0.2)
    asyncio.run(run())
