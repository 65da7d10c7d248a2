"""The same statements on SQLite and on PostgreSQL."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from plenilune.core.errors import BadSetting
from plenilune.server import serve
from plenilune.server.settings import Settings
from plenilune.server.storage import migrations
from plenilune.server.storage.migrations import MIGRATIONS
from plenilune.server.storage.schema import facts
from plenilune.server.storage.store import Store
from tests.server.operating import Operator, make_key
from tests.server.postgres import Postgres
from tests.server.running import Running, running, sqlite


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    if request.param == "sqlite":
        return sqlite(tmp_path, lease=1.0)
    return sqlite(tmp_path, lease=1.0, database=request.getfixturevalue("database"))


def test_a_match_is_played_kept_and_gone_on_with_after_a_restart(either: Settings) -> None:
    with running(either) as server:
        ada = server.guest()
        match = ada.table("nova-luna", "me", "random", "random")["table"]["id"]
        with ada.live(match) as live:
            for _ in range(6):
                assert live.my_turn()
                live.act()
            live.my_turn()
            before, view = live.update, live.view
        cookies = dict(ada.http.cookies)
    with running(either) as server:
        ada = server.guest(None)
        ada.http.cookies.update(cookies)
        with ada.live(match) as live:
            assert live.wait("update")["hash"] == before["hash"]
            assert live.view == view
            assert live.update["legal"] == before["legal"]
            assert len(live.update["log"]) == before["ply"]
            assert live.finish()["status"] == "over"
        operator = Operator(server.address, make_key(server, "olga"))
        assert operator.get("/api/health")["database"] in either.url
        operator.close()


def test_a_bots_turn_is_picked_up_after_a_restart(either: Settings) -> None:
    with running(either) as server:
        ada = server.guest()
        match = ada.table("moon-leap", "me", "random")["table"]["id"]
        stop_bots(server)
        with ada.live(match) as live:
            live.my_turn()
            live.play(live.update["legal"][0])
            cookies, ply = dict(ada.http.cookies), live.update["ply"]
    with running(either) as server:
        ada = server.guest(None)
        ada.http.cookies.update(cookies)
        with ada.live(match) as live:
            while live.update is None or live.update["ply"] <= ply:
                live.next()


OTHERS = "datname = current_database() AND pid <> pg_backend_pid()"
CUT = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {OTHERS}"


def test_connections_that_were_cut_are_made_again_before_anybody_notices(tmp_path: Path, database: str) -> None:
    with running(sqlite(tmp_path, database=database)) as server:
        ada = server.guest()
        match = ada.table("moon-leap", "me", "me")["table"]["id"]
        with ada.live(match) as live:
            for _ in range(3):
                live.my_turn()
                asyncio.run(cut(server.server.store.url))
                live.act()


async def cut(url: sa.URL) -> None:
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        await connection.execute(sa.text(CUT))
    await engine.dispose()


def stop_bots(server: Running) -> None:
    server.server.bots.attend = lambda table: None  # type: ignore[method-assign]


def test_a_database_of_a_newer_release_is_refused(either: Settings) -> None:
    with running(either) as server:
        update = facts.update().where(facts.c.name == "schema").values(value="99")
        server.in_loop(server.server.store.execute(update))
    with pytest.raises(BadSetting, match="was made by a newer release"):
        asyncio.run(serve.check(either))


def test_sqlite_keeps_what_is_acknowledged_on_the_disk(settings: Settings, tmp_path: Path) -> None:
    with running(settings) as server:
        pragmas = server.in_loop(pragmas_of(server))
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    assert sqlite3.connect(tmp_path / "plenilune.sqlite").execute("SELECT count(*) FROM matches").fetchone() == (0,)


async def pragmas_of(server: Running) -> dict[str, object]:
    async with server.server.store.reading() as connection:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return {name: (await connection.execute(sa.text(f"PRAGMA {name}"))).scalar_one() for name in names}


def test_a_database_that_is_none_is_refused_in_a_sentence(tmp_path: Path, postgres: Postgres) -> None:
    with pytest.raises(BadSetting, match="a database is sqlite:///FILE or postgresql://"):
        _ = sqlite(tmp_path, database="mysql://x").url
    with pytest.raises(BadSetting, match="2 workers need PostgreSQL"):
        sqlite(tmp_path, workers=2)
    for url in ("sqlite:////proc/nowhere/x.sqlite", "postgresql://moon@127.0.0.1:1/x", "sqlite://"):
        with pytest.raises(BadSetting):
            asyncio.run(serve.check(sqlite(tmp_path, database=url)))


def test_an_older_database_is_brought_up_to_date(either: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(serve.check(either))
    later = ("CREATE TABLE later (x INTEGER)", "INSERT INTO later VALUES (7)")
    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, later))
    monkeypatch.setattr(migrations, "LATEST", migrations.LATEST + 1)
    asyncio.run(serve.check(either))
    asyncio.run(serve.check(either))  # once

    async def read() -> list[object]:
        async with Store(either.url).open() as store, store.reading() as connection:
            return [*(await connection.execute(sa.text("SELECT x FROM later"))).scalars()]

    assert asyncio.run(read()) == [7]
