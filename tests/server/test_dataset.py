"""A server's finished matches as a dataset: what was played, and nothing about who played it."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from plenilune.commands.main import main
from plenilune.rl import dataset
from plenilune.server.settings import Settings
from tests.server.running import Running, running, sqlite

NAME, SAID = "Grace Hopperina", "my telephone number is 555"


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    if request.param == "sqlite":
        return sqlite(tmp_path / "server")
    return sqlite(tmp_path / "server", database=request.getfixturevalue("database"))


def export(settings: Settings, folder: Path, *more: str) -> int:
    url = settings.url.replace("+aiosqlite", "").replace("+asyncpg", "")
    return main(["dataset", "moon-leap", "--from", url, "--out", str(folder), *more])


def kept(server: Running, id: str) -> tuple[list[str], str]:
    """The texts of a match's actions, and its seed."""
    store = server.server.store
    entries = server.in_loop(store.entries_of(id))
    return [entry.text for entry in entries], server.in_loop(store.seed(id))


def everything(folder: Path) -> str:
    """All that can be read in it."""
    tables = [pq.read_table(file) for file in sorted(folder.rglob("*.parquet"))]
    return (folder / dataset.HEAD).read_text("utf-8") + "".join(
        f"{table.schema.metadata} {[row for row in table.to_pylist() if row.pop('observation', True)]}"
        for table in tables
    )


def files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_finished_matches_are_exported_without_their_players(
    either: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets: list[str] = [NAME, SAID]
    played: list[list[str]] = []
    with running(either) as server:
        guest = server.guest(NAME)
        secrets.append(str(guest.id))
        for _ in range(2):
            id = guest.table("moon-leap", "me", "random")["table"]["id"]
            guest.post(f"/api/tables/{id}/say", {"kind": "say", "text": SAID})
            with guest.live(id) as live:
                live.finish()
            entries, seed = kept(server, id)
            played.append(entries)
            secrets += [id, seed]
        waiting = guest.table("moon-leap", "me", "friend")["table"]["id"]
        secrets.append(waiting)
    assert export(either, tmp_path / "out", "--jobs", "1") == 0
    assert "2 matches with" in capsys.readouterr().out
    assert len(pq.read_table(tmp_path / "out" / "matches")) == 2
    bots = pq.read_table(tmp_path / "out" / "matches")["bots"].to_pylist()
    assert bots == [["person", "random"]] * 2
    by = set(pq.read_table(tmp_path / "out" / "actions")["by"].to_pylist())
    assert by == {"person", "bot", "chance"}
    assert sorted(dataset.match(tmp_path / "out", number).history for number in range(2)) == sorted(played)
    told = everything(tmp_path / "out")
    assert [secret for secret in secrets if secret in told] == []
    assert "person" in told  # what would be found is found
    assert set(pq.read_table(tmp_path / "out" / "matches")["seed"].to_pylist()) == {None}

    before = files(tmp_path / "out")
    (tmp_path / "out" / "values" / "part-00001.parquet").unlink()
    assert export(either, tmp_path / "out", "--jobs", "1") == 0
    assert files(tmp_path / "out") == before


def test_a_server_without_a_finished_match_has_nothing_to_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = sqlite(tmp_path / "server")
    with running(settings) as server:
        server.guest().table("moon-leap", "me", "friend")
    assert export(settings, tmp_path / "out") == 2
    assert capsys.readouterr().err == "plenilune: no match of moon-leap is finished there\n"
    assert not (tmp_path / "out").exists()
