"""Two servers never use one SQLite file: the second would serve what the first has changed long ago."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plenilune.core.errors import BadSetting
from plenilune.server.storage.store import Store
from tests.server.attempts import Attempts
from tests.server.running import PATIENCE, Guest, Process, running, sqlite


@pytest.fixture
def first(tmp_path: Path) -> Iterator[Process]:
    process = Process("--data", str(tmp_path))
    yield process
    if process.process.poll() is None:
        process.stop()


def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, timeout=PATIENCE)


def serve(folder: Path) -> subprocess.CompletedProcess[str]:
    return run("-m", "plenilune", "serve", "--no-browser", "--port", "0", "--data", str(folder))


def test_a_second_server_is_refused_in_one_sentence_that_names_the_first(
    attempts: Attempts, first: Process, tmp_path: Path
) -> None:
    done = serve(tmp_path)
    file, pid = tmp_path / "plenilune.sqlite", first.process.pid
    assert done.returncode == 2
    assert done.stderr == f"plenilune: the database {file} is in use by another server (process {pid})\n"
    assert done.stdout == ""
    with_name = Guest(first.address)  # and the first one goes on
    assert with_name.get("/api/health")["status"] == "ok"
    with_name.close()
    attempts.add()


def test_another_name_for_the_same_file_is_the_same_file(first: Process, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "plenilune.sqlite").symlink_to(tmp_path / "plenilune.sqlite")
    assert "is in use by another server" in serve(elsewhere).stderr


def test_running_the_application_by_uvicorn_is_refused_as_well(first: Process, tmp_path: Path) -> None:
    command = ("-m", "uvicorn", "--factory", "plenilune.server.serve:app", "--port", "0")
    done = run(*command, PLENILUNE_DATA=str(tmp_path))
    assert done.returncode != 0
    assert "is in use by another server" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_that_was_killed_leaves_no_lock_behind(first: Process, tmp_path: Path) -> None:
    first.kill()
    again = Process("--data", str(tmp_path))
    again.stop()


def test_verifying_goes_on_beside_a_server(first: Process, tmp_path: Path) -> None:
    done = run("-m", "plenilune", "verify", "--database", f"sqlite:///{tmp_path / 'plenilune.sqlite'}")
    assert (done.returncode, done.stdout) == (0, "0 good, 0 would play out otherwise\n")


def test_the_lock_is_free_when_the_server_has_closed_and_no_sooner(tmp_path: Path) -> None:
    settings = sqlite(tmp_path)

    async def serve_once() -> None:
        async with Store(settings.url).open(serving=True):
            with pytest.raises(BadSetting, match="in use by another server"):
                Store(settings.url).check_free()

    with running(settings), pytest.raises(BadSetting, match="in use by another server"):
        asyncio.run(serve_once())
    for _ in range(2):
        asyncio.run(serve_once())


def test_a_folder_that_cannot_hold_the_lock_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "plenilune.sqlite.lock").mkdir()
    done = serve(tmp_path)
    assert (done.returncode, "cannot be locked" in done.stderr) == (2, True)
    assert "Traceback" not in done.stderr
