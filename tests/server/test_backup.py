"""A backup made while a server runs, restored into either database, holds every match as it was."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from plenilune import load
from plenilune.commands.main import main
from plenilune.core.errors import BadSetting
from plenilune.server.settings import Settings
from plenilune.server.storage import backup as backups
from plenilune.server.storage import verify as verifying
from plenilune.server.storage.schema import metadata
from plenilune.server.storage.store import Store
from tests.play import package_games
from tests.server.running import PATIENCE, Guest, Running, new_id, running, sqlite

TABLES = [(name, "me", *["random"] * (load(name).seats[0] - 1)) for name in package_games()]


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    if request.param == "sqlite":
        return sqlite(tmp_path / "server")
    return sqlite(tmp_path / "server", database=request.getfixturevalue("database"))


def plenilune(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def plain(settings: Settings) -> str:
    return settings.url.replace("+aiosqlite", "").replace("+asyncpg", "")


def rows(settings: Settings) -> dict[str, list[Any]]:
    """Everything in the database, by table."""

    async def read() -> dict[str, list[Any]]:
        async with Store(settings.url).open() as store:
            found = {table: await store.all(sa.select(table)) for table in metadata.sorted_tables}
            return {table.name: sorted(map(repr, map(dict, found[table]))) for table in found}

    return asyncio.run(read())


def requests(settings: Settings) -> set[str]:
    async def read() -> set[str]:
        async with Store(settings.url).open() as store:
            query = sa.select(metadata.tables["actions"].c.request)
            return {row["request"] for row in await store.all(query)}

    return asyncio.run(read())


class Player:
    """Plays on and on, and remembers what was acknowledged."""

    def __init__(self, guest: Guest, table: tuple[str, ...], seed: int) -> None:
        self.guest, self.random = guest, random.Random(seed)
        self.match = guest.table(*table)["table"]["id"]
        self.acknowledged: list[str] = []

    def play(self, enough: threading.Event) -> None:
        with self.guest.live(self.match) as live:
            while not enough.is_set() and live.my_turn():
                id = new_id()
                assert live.play(self.random.choice(live.update["legal"]), id=id)["kind"] == "played"
                self.acknowledged.append(f"{self.guest.id}:{id}")
                live.wait("update")


@contextmanager
def playing(server: Running) -> Iterator[list[Player]]:
    """Matches of every game go on in the meantime."""
    players = [Player(server.guest(f"Player {n}"), table, n) for n, table in enumerate(TABLES)]
    enough = threading.Event()
    threads = [threading.Thread(target=player.play, args=[enough]) for player in players]
    for thread in threads:
        thread.start()
    try:
        until_some_have_played(players)
        yield players
    finally:
        enough.set()
        for thread in threads:
            thread.join(PATIENCE)


def until_some_have_played(players: list[Player]) -> None:
    for _ in range(2000):
        if all(len(player.acknowledged) > 4 for player in players):
            return
        threading.Event().wait(0.01)
    raise AssertionError("nobody plays")


def test_a_backup_taken_while_people_play_holds_all_they_were_told_and_replays(
    either: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is restored beside the server, which runs all the while."""
    file, again = tmp_path / "evening.backup", sqlite(tmp_path / "again")
    with running(either) as server, playing(server) as players:
        for _ in range(3):  # each takes the place of the one before
            before = {request for player in players for request in player.acknowledged}
            assert plenilune("backup", file, "--database", plain(either)) == 0
        assert capsys.readouterr().out.splitlines()[-1].startswith("3 matches with ")
        assert plenilune("restore", file, "--data", again.data) == 0
        assert before <= requests(again)
        assert verifying.main(plain(again)) == 0
        assert capsys.readouterr().out.splitlines()[-1] == "3 good, 0 would play out otherwise"


def test_a_restored_server_goes_on_where_the_backup_was_made(either: Settings, tmp_path: Path) -> None:
    file, again = tmp_path / "a.backup", sqlite(tmp_path / "again")
    with running(either) as server:
        ada = server.guest()
        match = ada.table("moon-leap", "me", "random")["table"]["id"]
        with ada.live(match) as live:
            for _ in range(3):
                live.my_turn()
                live.act()
            live.my_turn()
        before, cookies = ada.state(match), dict(ada.http.cookies)
        assert plenilune("backup", file, "--database", plain(either)) == 0
    assert plenilune("restore", file, "--data", again.data) == 0
    with running(again) as server:
        ada = server.guest(None)
        ada.http.cookies.update(cookies)
        after = ada.state(match)
        assert (after["hash"], after["legal"], after["log"]) == (before["hash"], before["legal"], before["log"])
        with ada.live(match) as live:
            assert live.finish()["status"] == "over"


def test_from_sqlite_to_postgresql_and_back_every_row_stays_the_same(
    settings: Settings, database: str, tmp_path: Path
) -> None:
    with running(settings) as server:
        ada = server.guest("Ada")
        ben = server.guest("Ben · 月")
        match = ada.table("via-nebula", "me", "open")["table"]["id"]
        ben.post(f"/api/tables/{match}/join", {})
        ben.post(f"/api/tables/{match}/say", {"kind": "say", "text": "Good evening, “Ada”"})
        ada.post("/api/keys", {"label": "bot"})
        with playing(server):
            pass
    first, second = tmp_path / "first.backup", tmp_path / "second.backup"
    there, back = sqlite(tmp_path, database=database), sqlite(tmp_path / "back")
    assert plenilune("backup", first, "--data", settings.data) == 0
    assert plenilune("restore", first, "--database", database) == 0
    assert rows(there) == rows(settings)
    assert plenilune("backup", second, "--database", database) == 0
    assert plenilune("restore", second, "--data", back.data) == 0
    assert rows(back) == rows(settings)


def test_a_text_that_only_sqlite_can_hold_does_not_stop_a_move_to_postgresql(
    file: Path, database: str, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("UPDATE actions SET request = ? WHERE ply = 0", ["a\0b"])
    assert plenilune("restore", file, "--database", database) == 0
    assert "a\ufffdb" in requests(sqlite(tmp_path, database=database))


# What is refused


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one sentence with which it is."""
    assert plenilune(*arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return str(line).removeprefix("plenilune: ")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server with one match."""
    settings = sqlite(tmp_path_factory.mktemp("source"))
    with running(settings) as server:
        server.guest().table("nova-luna", "me")
    return settings.data


@pytest.fixture
def file(source: Path, tmp_path: Path) -> Path:
    """A backup of it."""
    file = tmp_path / "a.backup"
    assert plenilune("backup", file, "--data", source) == 0
    return file


def test_a_running_servers_database_is_not_restored(
    either: Settings, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(either) as server:
        wait_until_it_listens(server)
        before = rows(either)
        sentence = refused(capsys, "restore", file, "--replace", "--database", plain(either))
        assert "is in use by" in sentence
        facts = "facts"  # the heartbeat
        assert {**rows(either), facts: []} == {**before, facts: []}
    assert plenilune("restore", file, "--replace", "--database", plain(either)) == 0


def wait_until_it_listens(server: Running) -> None:
    store = server.server.store
    for _ in range(200):
        if not store.shared or server.in_loop(store.listeners()):
            return
        threading.Event().wait(0.02)
    raise AssertionError("the server does not listen")


def test_what_is_there_is_replaced_only_if_one_says_so(
    either: Settings, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(either) as server:
        server.guest("Somebody else")
    before = rows(either)
    assert "is not empty: --replace" in refused(capsys, "restore", file, "--database", plain(either))
    assert rows(either) == before
    assert plenilune("restore", file, "--replace", "--database", plain(either)) == 0
    assert "Somebody else" not in str(rows(either))
    assert len(rows(either)["matches"]) == 1


def test_an_empty_database_needs_no_permission(
    either: Settings, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(either):
        pass
    assert plenilune("restore", file, "--database", plain(either)) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 match with ")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is not a backup of Plenilune"),
        (b"hello, world" * 1000, "is not a backup of Plenilune: file is not a database"),
        (None, "is not a backup of Plenilune"),
    ],
)
def test_what_is_not_a_backup_is_refused_in_one_sentence(
    tmp_path: Path, content: bytes | None, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other"
    if content is not None:
        file.write_bytes(content)
    assert reason in refused(capsys, "restore", file, "--data", tmp_path / "new")
    assert not (tmp_path / "new" / "plenilune.sqlite").exists()


def test_another_programs_database_and_a_newer_release_are_refused(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = tmp_path / "foreign"
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    said = refused(capsys, "restore", foreign, "--data", tmp_path)
    assert "is not a backup of Plenilune: no such table: facts" in said
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("UPDATE facts SET value = '99' WHERE name = 'schema'")
    assert "was made by a newer release (schema 99" in refused(capsys, "restore", file, "--data", tmp_path)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_damaged_backup_is_refused_and_the_database_stays(
    kind: str, file: Path, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    database = request.getfixturevalue("database") if kind == "postgresql" else ""
    target = sqlite(tmp_path / "target", database=database)
    with running(target) as server:
        server.guest("Stays")
    before, content = rows(target), bytearray(file.read_bytes())
    middle = len(content) // 4096 // 2 * 4096
    content[middle : middle + 4096] = b"\x5a" * 4096
    file.write_bytes(content)
    sentence = refused(capsys, "restore", file, "--replace", "--database", plain(target))
    assert "is damaged" in sentence or "malformed" in sentence
    assert rows(target) == before


def test_a_truncated_backup_is_refused(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(file.read_bytes()[: 4096 * 9])
    sentence = refused(capsys, "restore", file, "--data", tmp_path / "new")
    assert "damaged" in sentence or "malformed" in sentence


def test_a_restore_that_fails_half_way_changes_nothing(
    file: Path, either: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(either) as server:
        server.guest("Stays")
    before = rows(either)
    monkeypatch.setattr(backups, "PAGES", 1)

    def fail(done: int, total: int) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with pytest.raises(BadSetting, match="disk I/O error"):
        asyncio.run(backups.restore(file, either.url, True, fail))
    assert rows(either) == before


# The file


def test_a_backup_overwrites_only_backups(
    file: Path, source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = source / "plenilune.sqlite"
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada")
    for other in (own, letter):
        before = other.read_bytes()
        assert "is not a backup: name another file" in refused(capsys, "backup", other, "--data", source)
        assert other.read_bytes() == before
    assert plenilune("backup", file, "--data", source) == 0


def test_a_restored_database_is_not_a_backup_any_more(
    file: Path, source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plenilune("restore", file, "--data", tmp_path / "again") == 0
    target = tmp_path / "again" / "plenilune.sqlite"
    assert "is not a backup" in refused(capsys, "backup", target, "--data", source)


def test_a_backup_that_fails_leaves_the_earlier_one_and_nothing_else(
    file: Path, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before, names = file.read_bytes(), sorted(tmp_path.iterdir())

    def fail(new: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "_sync", fail)
    said = refused(capsys, "backup", file, "--data", source)
    assert said == f"{file} cannot be written: No space left on device"
    assert (file.read_bytes(), sorted(tmp_path.iterdir())) == (before, names)


def test_only_its_owner_may_read_a_backup_for_it_holds_the_seeds_of_the_dice(file: Path) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
def test_only_its_owner_may_read_a_new_database_and_the_files_beside_it(file: Path, tmp_path: Path) -> None:
    assert plenilune("restore", file, "--data", tmp_path / "restored") == 0
    for folder in ("restored", "made"):
        with running(sqlite(tmp_path / folder)) as server:
            server.guest("Ada")
            files = {path.suffix: path for path in (tmp_path / folder).glob("plenilune.sqlite*")}
            assert {".sqlite", ".sqlite-wal", ".sqlite-shm"} <= files.keys()
            modes = {stat.S_IMODE(path.stat().st_mode) for suffix, path in files.items() if suffix != ".lock"}
            assert modes == {0o600}


def test_what_is_not_there_cannot_be_backed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no database" in refused(capsys, "backup", tmp_path / "a", "--data", tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()
    assert "there is no folder" in refused(capsys, "backup", tmp_path / "nowhere" / "a", "--data", tmp_path)


def test_an_empty_postgresql_has_nothing_to_back_up(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "is empty" in refused(capsys, "backup", tmp_path / "a", "--database", database)


def test_the_commands_work_from_a_shell(file: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "plenilune", "restore", str(file), "--data", str(tmp_path / "again")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1 match with ")
    assert done.stdout.endswith(f"restored into {tmp_path / 'again' / 'plenilune.sqlite'}\n")
