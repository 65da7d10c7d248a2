"""The server as a service: one command, its documents and figures, and a loop that bots do not block."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from plenilune.server import protocol
from plenilune.server.http.openapi import document
from plenilune.server.http.routes import HANDLERS
from plenilune.server.http.server import VERSION
from plenilune.server.settings import KINDS, Settings, load_settings
from tests.server.attempts import Attempts
from tests.server.operating import Operator, make_key
from tests.server.running import Guest, Process, Running, running, sqlite
from tests.server.wire import Wire


def test_every_endpoint_has_a_handler_and_every_handler_an_endpoint() -> None:
    assert set(HANDLERS) == {(endpoint.method, endpoint.path) for endpoint in protocol.ENDPOINTS}


def test_the_api_documents_itself(ada: Guest) -> None:
    found = ada.get("/api/openapi.json")
    assert found == msgspec.to_builtins(document(VERSION))
    assert set(found["paths"]) == {endpoint.path for endpoint in protocol.ENDPOINTS}
    play = found["paths"]["/api/tables/{match}/play"]["post"]
    assert play["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith("/Play")


def test_health_tells_strangers_whether_all_is_well_and_operators_what_happens(
    attempts: Attempts, server: Running, ada: Guest
) -> None:
    operator = Operator(server.address, make_key(server, "olga"))
    match = ada.table("moon-leap", "me", "random")["table"]["id"]
    key = ada.post("/api/keys", {"label": "bot"})["key"]
    with ada.live(match) as live:
        live.my_turn()
        live.act()
        for headers in ({}, {"Authorization": f"Bearer {key}"}, {"Authorization": f"Bearer operator-{'0' * 32}"}):
            found = ada.http.get("/api/health", headers=headers).json()
            told = {name: value for name, value in found.items() if value is not None}
            assert told == {"status": "ok", "problems": []}
            attempts.add()
        health = operator.get("/api/health")
    assert (health["status"], health["tables"], health["sockets"], health["database"]) == ("ok", 1, 1, "sqlite")
    operator.close()


def test_where_figures_are_public_everybody_sees_them(tmp_path: Path) -> None:
    with running(sqlite(tmp_path, metrics="public")) as server:
        assert server.guest(None).get("/api/health")["tables"] == 0


def test_what_is_not_there_is_said_in_json(ada: Guest) -> None:
    assert ada.get("/api/nothing", status=404)["reason"] == "not_found"
    assert ada.get("/api/tables/aaaaaaaaaaaaaaaa", status=404)["reason"] == "not_found"
    assert "not PUT, but" in ada.ask("PUT", "/api/tables", status=405)["message"]
    assert ada.get("/picture.png", status=404)["reason"] == "not_found"


# The command


def test_the_command_serves_until_it_is_stopped(tmp_path: Path) -> None:
    process = Process("--data", str(tmp_path))
    try:
        assert httpx.get(process.address).status_code == 200
        assert (tmp_path / "plenilune.sqlite").exists()
    finally:
        process.stop()
    assert process.process.returncode == -signal.SIGTERM


def test_nonsense_of_strangers_fills_no_log(
    attempts: Attempts, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server = Process("--data", str(tmp_path))
    ada = Guest(server.address)
    try:
        match = ada.table("moon-leap", "me", "me")["table"]["id"]
        with ada.live(match) as live:
            live.socket.send(b"\xff", text=True)
            with pytest.raises(ConnectionClosed):
                live.wait("pong")
        with pytest.raises(InvalidStatus), ada.live("a" * 16):
            pass
        with Wire(("127.0.0.1", int(server.address.rpartition(":")[2]))) as wire:
            wire.send(b"nonsense\r\n\r\n")
            assert wire.answer()[0] == 400
    finally:
        ada.close()
        server.stop()
    assert capfd.readouterr().err == ""
    attempts.add(3)


def test_variables_say_what_options_say(tmp_path: Path) -> None:
    variables = {"PLENILUNE_HOST": "0.0.0.0", "PLENILUNE_DATA": str(tmp_path), "PLENILUNE_BROWSER": "off"}
    found = load_settings({}, variables | {"PLENILUNE_WORKERS": "1", "PLENILUNE_PORT": "81", "PLENILUNE_DATABASE": ""})
    assert found == Settings(host="0.0.0.0", port=81, data=tmp_path, browser=False)
    assert load_settings({"host": "::1"}, variables).host == "::1"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--workers", "4"], "4 workers need PostgreSQL"),
        (["--port", "moon"], "--port is a number, not 'moon'"),
        (["--port", "99999"], "a port is a number from 0 to 65535, not 99999"),
        (["--database", "mysql://x"], "a database is sqlite:///FILE or postgresql://"),
        (["--host", "256.1.1.1"], "cannot listen at 256.1.1.1:"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_sentence(tmp_path: Path, arguments: list[str], reason: str) -> None:
    command = [sys.executable, "-m", "plenilune", "serve", "--no-browser", "--data", str(tmp_path), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


# Bots beside the loop


def largest_gap(server: Running, seconds: float) -> float:
    """The longest time for which the server's loop did nothing else."""

    async def watch() -> float:
        gap, until = 0.0, time.perf_counter() + seconds
        while (before := time.perf_counter()) < until:
            await asyncio.sleep(0.001)
            gap = max(gap, time.perf_counter() - before)
        return gap

    return server.in_loop(watch())


def test_two_thinking_bots_do_not_block_the_loop(tmp_path: Path, compiled: None) -> None:
    """A promise about how long a person waits, not a measure of speed: taken against a run without bots, in which a
    busy machine shows as well, and several times."""
    with running(sqlite(tmp_path, thinkers=2)) as server:
        ada, bots = server.guest(), ["mcts:20000"] * 3
        for _ in range(5):
            quiet = largest_gap(server, 0.5)
            matches = [ada.table("via-nebula", *bots, "me")["table"]["id"] for _ in range(2)]
            time.sleep(0.05)
            assert len(server.server.bots.thinking) == 2
            busy = largest_gap(server, 0.5)
            stop(server, matches)
            if busy < 0.020 + quiet:
                return
    raise AssertionError(f"the loop stood still for {1000 * busy:.0f} ms, and for {1000 * quiet:.0f} ms without bots")


def stop(server: Running, matches: list[str]) -> None:
    for match in matches:
        task = server.server.bots.thinking.get(match)
        if task:
            server.loop.call_soon_threadsafe(task.cancel)
    while any(match in server.server.bots.thinking for match in matches):
        time.sleep(0.01)


# The documents


def test_the_bot_of_the_documents_plays_a_match_in_twenty_lines(server: Running) -> None:
    text = (Path(__file__).parent.parent.parent / "docs" / "server.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 20
    environment = {**os.environ, "PLENILUNE_SERVER": server.address}
    command = [sys.executable, "-W", "ignore::ResourceWarning", "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert "'scores': [" in done.stdout, done.stderr


def test_the_documents_name_every_setting() -> None:
    text = (Path(__file__).parent.parent.parent / "docs" / "server.md").read_text("utf-8")
    for name in KINDS:
        assert f"`PLENILUNE_{name.upper()}" in text
