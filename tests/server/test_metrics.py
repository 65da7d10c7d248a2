"""Figures for Prometheus: for operators alone, and added up over all workers of a server."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from plenilune.core.errors import BadSetting
from plenilune.server.http import metrics
from plenilune.server.settings import Settings
from tests.server.attempts import Attempts
from tests.server.operating import Operator, make_key, registered
from tests.server.running import Guest, Process, Running, running, sqlite
from tests.server.waiting import PATIENCE, block_until

Figures = dict[str, float]


def figures(text: str) -> Figures:
    return {name: float(value) for name, value in re.findall(r"^(plenilune_\S+) (\S+)$", text, re.MULTILINE)}


@pytest.fixture
def operator(server: Running) -> Iterator[Operator]:
    made = Operator(server.address, make_key(server, "Prometheus"))
    yield made
    made.close()


def test_metrics_tell_what_happens(ada: Guest, operator: Operator) -> None:
    match = ada.table("moon-leap", "me", "random")["table"]["id"]
    with ada.live(match) as live:
        live.my_turn()
        live.play("fly home")
        live.act()
        ada.get("/api/nothing", status=404)
        found = figures(operator.get("/metrics"))
    assert found["plenilune_actions_total"] >= 2
    assert found["plenilune_new_tables_total"] == found["plenilune_tables"] == found["plenilune_sockets"] == 1
    assert found["plenilune_commit_seconds_count"] >= 1
    assert found['plenilune_requests_total{status="404"}'] == found['plenilune_refusals_total{reason="not_found"}'] == 1
    assert found['plenilune_refusals_total{reason="unknown_action"}'] == 1
    assert found["plenilune_request_seconds_count"] >= 3
    assert found["plenilune_memory_bytes"] > 10_000_000
    assert found["plenilune_problems"] == 0
    queues = {name for name in found if name.startswith("plenilune_queue")}
    assert queues == {f'plenilune_queue{{queue="{q}"}}' for q in ("commits", "bots", "hints", "reviews", "readers")}


def test_metrics_are_for_operators(attempts: Attempts, server: Running, ada: Guest, operator: Operator) -> None:
    key = ada.post("/api/me", {"name": "Ada", "key": True})["key"]
    for headers in ({}, {"Authorization": f"Bearer {key}"}):
        refused = httpx.get(f"{server.address}/metrics", headers=headers, verify=False)
        assert (refused.status_code, refused.json()["reason"]) == (403, "forbidden")
        assert "plenilune_" not in refused.text
    assert ada.get("/metrics", status=403)["reason"] == "forbidden"
    assert operator.http.get("/metrics").headers["content-type"].startswith("text/plain; version=0.0.4")
    attempts.add(3)


def test_metrics_are_public_if_the_settings_say_so(tmp_path: Path) -> None:
    with running(sqlite(tmp_path, metrics="public")) as server:
        assert figures(server.guest(None).get("/metrics"))["plenilune_workers"] == 1
    with pytest.raises(BadSetting, match="metrics are private or public, not 'on'"):
        Settings(metrics="on")


def test_a_file_that_a_worker_has_only_just_made_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "counter_1.db").touch()
    assert list(metrics.Files(tmp_path).collect()) == []


def workers(process: Process) -> list[int]:
    pid = process.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in command_line(child)]


def command_line(pid: str) -> bytes:
    """Empty for a process that ended after it was listed."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def test_every_worker_tells_the_figures_of_all(database: str, tmp_path: Path) -> None:
    """Counters are added up and never go back, and a worker that has died is no longer counted."""
    where = ("--data", str(tmp_path), "--database", database)
    process = Process(*where, "--workers", "2", PLENILUNE_LIMITS="off")
    try:
        operator = Operator(process.address, registered("Prometheus", *where))

        def asked() -> Figures:
            """By a new connection, which any worker may accept."""
            with httpx.Client(verify=False, headers=operator.http.headers) as client:
                return figures(client.get(f"{process.address}/metrics").text)

        block_until(lambda: asked()["plenilune_workers"] == 2, 2 * PATIENCE)
        for number in range(20):
            guest = Guest(process.address, f"Guest {number}")
            guest.table("moon-leap", "me", "open")
            guest.close()
        made = {asked()["plenilune_new_tables_total"] for _ in range(10)}
        assert made == {20}
        before = asked()['plenilune_requests_total{status="201"}']
        pids = workers(process)
        os.kill(pids[0], signal.SIGKILL)
        # another one was started
        block_until(lambda: len(workers(process)) == 2 and pids[0] not in workers(process), 2 * PATIENCE)
        block_until(lambda: asked()["plenilune_workers"] == 2, 2 * PATIENCE)
        assert asked()['plenilune_requests_total{status="201"}'] == before == 20
        operator.close()
    finally:
        process.stop()
