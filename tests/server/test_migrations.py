"""The database of an older release opens, and its matches go on by the rules they began with."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
import sqlalchemy as sa

from plenilune import Match
from plenilune.commands.main import main
from plenilune.core.errors import BadSetting
from plenilune.server.clock import now
from plenilune.server.settings import Settings
from plenilune.server.storage import migrations
from plenilune.server.storage import verify as verifying
from plenilune.server.storage.migrations import LATEST, MIGRATIONS
from plenilune.server.storage.rows import digest
from plenilune.server.storage.schema import credentials, facts, matches, metadata, seats
from plenilune.server.storage.store import Store
from tests.server.postgres import Postgres
from tests.server.running import Guest, Live, Running, running, sqlite

DUMP = Path(__file__).parent / "releases" / "0.1.0.sql"
# What its players knew: their secrets, and every match as Ada saw it last (the ply, and the hash of the board). Via
# Nebula's record has another layout since: its actions are replayed, and the hash is what they lead to.
ADA, BEN, TYCHO = (
    "b0eed16c9d4ad9d1287607292903dc2c",
    "13f39cf0e0d89c8cbc4657b61af49889",
    "195407b3c58364fa72ee90be44bacd0b",
)
INVITE = "9eb44e5bf0f39467155c3ca5bb017516"
PLAYING = {
    "moon-leap": ("dmjexp56vfechxau", 25, "3585625d0c0429b9"),
    "nova-luna": ("y49aifxpbui5t3v8", 24, "4cbb1277d65ae81f"),
    "via-nebula": ("xaf93whu4vwz2gpw", 35, "041c544bce0e7cdd"),
}
FINISHED, WAITING = ("fcps23m63hvzzq63", 252, "25134e8bc82c9df0"), "tx3fzy4p6uhqt9s2"
TABLES = ("facts", "people", "credentials", "matches", "seats", "actions", "chat", "reviews")
TIMES = {"people": ["created"], "matches": ["created", "changed"], "actions": ["at"], "chat": ["at"]}


def write_sqlite(file: Path) -> None:
    """The older database, as if the evening were this one: what is too old is deleted."""
    file.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(DUMP.read_text("utf-8"))
        (latest,) = connection.execute("SELECT max(changed) FROM matches").fetchone()
        for table, names in TIMES.items():
            for name in names:
                connection.execute(f"UPDATE {table} SET {name} = {name} + ?", [now() - latest])
        connection.commit()


async def write_postgresql(url: str, folder: Path) -> None:
    write_sqlite(folder / "older.sqlite")
    target = await asyncpg.connect(url)
    with closing(sqlite3.connect(folder / "older.sqlite")) as source:
        made = "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC"
        for table in TABLES:
            for (statement,) in source.execute(made, [table]):
                await target.execute(statement.replace("BLOB", "BYTEA"))
            names = {name: kind for _, name, kind, *_ in source.execute(f"PRAGMA table_info({table})")}
            records = [_typed(row, names.values()) for row in source.execute(f"SELECT * FROM {table}")]
            await target.copy_records_to_table(table, records=records, columns=list(names))
    await target.close()


def _typed(row: Any, kinds: Any) -> list[Any]:
    return [bool(value) if kind == "BOOLEAN" else value for value, kind in zip(row, kinds, strict=True)]


@pytest.fixture(params=["sqlite", "postgresql"])
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """A server's settings, with the older release's database."""
    if request.param == "sqlite":
        write_sqlite(tmp_path / "plenilune.sqlite")
        return sqlite(tmp_path, lease=1.0)
    database = request.getfixturevalue("database")
    asyncio.run(write_postgresql(database, tmp_path))
    return sqlite(tmp_path, lease=1.0, database=database)


def guest(server: Running, cookie: str) -> Guest:
    made = server.guest(None)
    made.http.cookies.set("plenilune", cookie)
    return made


def read(settings: Settings, statement: Any) -> list[Any]:
    async def run() -> list[Any]:
        async with Store(settings.url).open() as store:
            return [tuple(row.values()) for row in await store.all(statement)]

    return asyncio.run(run())


def test_matches_of_every_game_go_on_by_the_rules_they_began_with(
    older: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(older) as server:
        ada, ben = guest(server, ADA), guest(server, BEN)
        for game, (match, ply, hash) in PLAYING.items():
            state = ada.state(match)
            assert (state["ply"], state["hash"]) == (ply, hash)
            play_out(match, ada, ben)
            saved = Match.load(ada.get(f"/api/tables/{match}/match"), check_dice=True)
            assert (saved.over, saved.game.name, saved.game.version) == (True, game, 1)
            assert ada.get(f"/api/tables/{match}/history?first=20")["frames"]
    assert verifying.main(older.url.replace("+aiosqlite", "").replace("+asyncpg", "")) == 0
    assert capsys.readouterr().out == "4 good, 0 would play out otherwise\n"


def play_out(match: str, ada: Guest, ben: Guest) -> None:
    player = random.Random(match)
    with ada.live(match) as hers, ben.live(match) as his:
        for live in (hers, his):
            live.wait("update")
        while hers.update["to_play"] != -2:
            mine = [live for live in (hers, his) if live.update["legal"]]
            if mine:
                mine[0].act(player.choice(mine[0].update["legal"]))
            else:
                hers.next()
            both_see(hers, his)


def both_see(hers: Live, his: Live) -> None:
    while hers.update["ply"] != his.update["ply"]:
        min(hers, his, key=lambda live: live.update["ply"]).next()


def test_a_finished_match_is_shown_and_replayed(older: Settings) -> None:
    with running(older) as server:
        ada, (match, ply, hash) = guest(server, ADA), FINISHED
        state = ada.state(match)
        assert (state["ply"], state["hash"]) == (ply, hash)
        table = ada.get(f"/api/tables/{match}")
        assert table["status"] == "over"
        saved = Match.load(ada.get(f"/api/tables/{match}/match"), check_dice=True)
        assert (saved.over, saved.game.version) == (True, 1)


def test_guests_keep_their_cookies_keys_seats_and_lines(older: Settings) -> None:
    with running(older) as server:
        ada = guest(server, ADA)
        assert ada.get("/api/me")["me"]["name"] == "Ada"
        program = server.guest(None).http
        headers = {"Authorization": f"Bearer {TYCHO}"}
        assert program.get("/api/me", headers=headers).json()["me"]["name"] == "Tycho"
        mine = {row["id"] for row in ada.get("/api/lobby")["mine"]}
        assert mine == {WAITING, FINISHED[0], *(match for match, _, _ in PLAYING.values())}
        with ada.live(PLAYING["moon-leap"][0]) as live:
            lines = live.wait("welcome")["chat"]
        assert [(line["text"], line["phrase"]) for line in lines] == [("Good evening", None), ("", "good_luck")]


SECOND, THIRD = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"  # keys that Ada asked for


def with_keys(settings: Settings, *keys: str) -> None:
    """As 0.1 wrote them."""
    rows = [(digest(key), digest(ADA)) for key in keys]
    statement = "INSERT INTO credentials SELECT {}, person FROM credentials WHERE digest = {}"

    async def write() -> None:
        target = await asyncpg.connect(settings.database)
        await target.executemany(statement.format("$1", "$2"), rows)
        await target.close()

    if settings.shared:
        asyncio.run(write())
        return
    with closing(sqlite3.connect(settings.data / "plenilune.sqlite")) as connection:
        connection.executemany(statement.format("?", "?"), rows)
        connection.commit()


def test_keys_of_the_older_release_can_be_revoked_one_by_one(older: Settings) -> None:
    with_keys(older, SECOND, THIRD)
    with running(older) as server:
        ada, program, other = guest(server, ADA), server.guest(None), server.guest(None)
        program.http.headers["authorization"] = f"Bearer {SECOND}"
        other.http.headers["authorization"] = f"Bearer {THIRD}"
        listed = ada.get("/api/keys")["keys"]
        assert [key["label"] for key in listed] == ["0.1", "0.1"]  # her cookie is not among them
        mine = digest(SECOND)[:16]
        assert [key["id"] for key in ada.ask("DELETE", f"/api/keys/{mine}")["keys"]] == [digest(THIRD)[:16]]
        assert program.get("/api/me")["me"] is None
        assert [who.get("/api/me")["me"]["name"] for who in (ada, other)] == ["Ada", "Ada"]
        ada.ask("DELETE", f"/api/keys/{digest(ADA)[:16]}", status=404)


def test_the_only_credential_of_the_older_release_is_not_a_key(older: Settings) -> None:
    with running(older) as server:
        assert guest(server, BEN).get("/api/keys")["keys"] == []


def test_a_waiting_table_is_joined_by_its_old_invitation_and_from_the_lobby(older: Settings) -> None:
    with running(older) as server:
        carol = server.guest("Carol")
        assert [row["id"] for row in carol.get("/api/lobby")["open"]] == [WAITING]
        guest(server, BEN).post(f"/api/tables/{WAITING}/join", {"secret": INVITE})
        assert carol.post(f"/api/tables/{WAITING}/join", {})["status"] == "playing"


def test_what_is_added_to_old_rows_is_what_new_rows_would_have(older: Settings) -> None:
    at = now()
    opens = read(older, sa.select(seats.c.seat, seats.c.opens).where(seats.c.match == WAITING).order_by(seats.c.seat))
    assert opens == [(0, False), (1, False), (2, True)]
    assert read(older, sa.select(matches.c.nonces).distinct()) == [("[]",)]
    assert read(older, sa.select(facts.c.value).where(facts.c.name == "schema")) == [(str(LATEST),)]
    assert min(seen for (seen,) in read(older, sa.select(metadata.tables["people"].c.seen))) >= at - 60_000


GIVEN_UP = '{"scores":[0,0],"places":[2,1],"resigned":true}'


def write(settings: Settings, *statements: Any) -> None:
    async def run() -> None:
        async with Store(settings.url).open() as store:
            for statement in statements:
                await store.execute(statement)

    asyncio.run(run())


def test_keys_are_told_from_cookies_and_matches_that_were_given_up_from_those_that_were_played(
    older: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database of between the releases, which had keys with names, but did not say so of the others."""
    moon, nova, via = (match for match, _, _ in PLAYING.values())
    given_up = matches.update().values(status="over", result=GIVEN_UP)
    ada = sa.select(credentials.c.person).where(credentials.c.digest == digest(ADA)).scalar_subquery()
    key = {"digest": digest(SECOND), "person": ada, "id": "a", "label": "bot", "created": 1}
    with monkeypatch.context() as before:
        before.setattr(migrations, "MIGRATIONS", MIGRATIONS[:1])
        before.setattr(migrations, "LATEST", 2)
        write(older, sa.insert(sa.table("credentials", *map(sa.column, key))).values(**key))
        write(older, given_up.where(matches.c.id.in_([FINISHED[0], nova])))  # with 63 actions of people, and 8
    found = dict(read(older, sa.select(credentials.c.digest, credentials.c.kind)))
    assert {kind for which, kind in found.items() if which != digest(SECOND)} == {""}
    assert found[digest(SECOND)] == "key"
    assert dict(read(older, sa.select(matches.c.id, matches.c.brief))) == {
        moon: False, nova: True, via: False, FINISHED[0]: False, WAITING: False
    }  # fmt: skip


def shape(settings: Settings) -> dict[str, Any]:
    """Every table's columns, keys and indexes."""

    def look(connection: sa.Connection) -> dict[str, Any]:
        inspector = sa.inspect(connection)
        return {table: _shape(inspector, table) for table in sorted(inspector.get_table_names())}

    async def run() -> dict[str, Any]:
        async with Store(settings.url).open() as store, store.reading() as connection:
            found: dict[str, Any] = await connection.run_sync(look)
            return found

    return asyncio.run(run())


def _shape(inspector: sa.Inspector, table: str) -> Any:
    columns = {c["name"]: (str(c["type"]), c["nullable"]) for c in inspector.get_columns(table)}
    indexes = {(i["name"], tuple(i["column_names"]), bool(i["unique"])) for i in inspector.get_indexes(table)}
    unique = {tuple(u["column_names"]) for u in inspector.get_unique_constraints(table)}
    keys = {(tuple(k["constrained_columns"]), k["referred_table"]) for k in inspector.get_foreign_keys(table)}
    return columns, indexes, unique, keys, inspector.get_pk_constraint(table)["constrained_columns"]


def test_a_migrated_database_has_the_shape_of_a_new_one(older: Settings, tmp_path: Path, postgres: Postgres) -> None:
    database = postgres.database(f"fresh_{tmp_path.name.replace('-', '_').lower()}") if older.shared else ""
    assert shape(older) == shape(sqlite(tmp_path / "fresh", database=database))


def test_a_migration_that_fails_changes_nothing(older: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (*MIGRATIONS[:-1], (*MIGRATIONS[-1], "ALTER TABLE nothing ADD COLUMN x TEXT"))
    with monkeypatch.context() as broken:
        broken.setattr(migrations, "MIGRATIONS", steps)
        with pytest.raises(BadSetting, match="nothing"):
            read(older, sa.select(facts))
    assert read(older, sa.select(facts.c.value).where(facts.c.name == "schema")) == [(str(LATEST),)]
    assert len(read(older, sa.select(matches.c.id, matches.c.network))) == 5


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_older_releases_database_is_restored_like_a_backup(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file, database = tmp_path / "older.sqlite", request.getfixturevalue("database") if kind == "postgresql" else ""
    write_sqlite(file)
    before = file.read_bytes()
    target = sqlite(tmp_path / "new", database=database)
    arguments = ["--database", database] if database else ["--data", str(target.data)]
    assert main(["restore", str(file), *arguments]) == 0
    assert file.read_bytes() == before
    with running(target) as server:
        ada = guest(server, ADA)
        assert {game: ada.state(match)["hash"] for game, (match, _, _) in PLAYING.items()} == {
            game: hash for game, (_, _, hash) in PLAYING.items()
        }


def test_a_backup_of_an_older_postgresql_is_left_to_that_release(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(write_postgresql(database, tmp_path))
    assert main(["backup", str(tmp_path / "a.backup"), "--database", database]) == 2
    assert "is still in an older release's schema" in capsys.readouterr().err
