"""Rules that have never been compiled on this machine keep nobody waiting but those who want to play by them."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from plenilune.game import Game, load, names
from plenilune.server import supervisor
from plenilune.server.protocol.refusals import Denied
from plenilune.server.thinking import warmup
from plenilune.server.thinking.warmup import BOTS, RULES, Warmup
from tests.server.attempts import Attempts
from tests.server.running import running, sqlite
from tests.server.wire import within

POPEN = subprocess.Popen


@pytest.fixture
def slowly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing has been compiled; compiling goes on until a file `go` is there. Returns where."""
    script = "import pathlib, sys, time\nwhile not pathlib.Path(sys.argv[1], 'go').exists(): time.sleep(0.01)"
    begin = subprocess.Popen

    def compile_slowly(command: list[str]) -> Any:
        with (tmp_path / "asked").open("a") as asked:
            asked.write(" ".join(command[3:]) + "\n")
        return begin([sys.executable, "-c", script, str(tmp_path)])

    def marker(kind: str, game: Game) -> Path:
        present = game.version == load(game.name).version
        return tmp_path / (f"{kind}-{game.name}" if present else f"{kind}-{game.name}-{game.version}")

    monkeypatch.setattr(subprocess, "Popen", compile_slowly)
    monkeypatch.setattr(warmup, "_marker", marker)
    monkeypatch.setattr(warmup, "_warm", set())
    monkeypatch.setattr(warmup, "warm_up", lambda kind, game: marker(kind, game).touch())
    return tmp_path


def test_what_somebody_waits_for_is_compiled_first_and_the_loop_stays_free(slowly: Path) -> None:
    async def wait_and_tick() -> int:
        games = Warmup()
        games.start()
        try:
            waiting = asyncio.gather(games.until_rules("via-nebula"), games.until_bots("via-nebula"))
            ticks = 0
            while not (slowly / "asked").exists() or ticks < 20:
                await asyncio.sleep(0.005)
                ticks += 1
            assert not waiting.done()
            (slowly / "go").touch()
            await waiting
            await games.until_rules("via-nebula")  # at once
        finally:
            await asyncio.to_thread(games.close)
        return ticks

    assert asyncio.run(wait_and_tick()) >= 20
    first, *others = (slowly / "asked").read_text().splitlines()
    assert first.split()[0] == RULES
    assert others[:2] in ([f"{RULES} via-nebula", f"{BOTS} via-nebula"], [f"{BOTS} via-nebula", f"{RULES} nova-luna"])


@pytest.fixture
def at_once(slowly: Path) -> Path:
    (slowly / "go").touch()
    return slowly


@asynccontextmanager
async def warming_up() -> AsyncIterator[Warmup]:
    games = Warmup()
    games.start()
    try:
        yield games
    finally:
        await asyncio.to_thread(games.close)


def test_an_earlier_version_of_the_rules_is_compiled_when_it_is_asked_for_and_not_before(at_once: Path) -> None:
    async def ask() -> None:
        async with warming_up() as games:
            await asyncio.gather(*(until(name) for until in (games.until_rules, games.until_bots) for name in names()))
            made = (at_once / "asked").read_text().splitlines()
            assert f"{RULES} moon-leap 1" not in made
            await games.until_rules("moon-leap", 1)
            await games.until_rules("moon-leap", 1)
            assert (at_once / "asked").read_text().splitlines() == [*made, f"{RULES} moon-leap 1"]

    asyncio.run(asyncio.wait_for(ask(), 20))


def test_the_present_version_is_made_once_however_it_is_asked_for(at_once: Path) -> None:
    async def ask() -> None:
        async with warming_up() as games:
            await games.until_bots("moon-leap", load("moon-leap").version)
            await games.until_bots("moon-leap")
            assert games.has_bots("moon-leap", load("moon-leap").version)
        asked = (at_once / "asked").read_text().splitlines()
        assert len(set(asked)) == len(asked)
        assert not any(line.startswith(f"{BOTS} moon-leap ") for line in asked)

    asyncio.run(asyncio.wait_for(ask(), 20))


def test_bots_of_an_earlier_version_are_compiled_after_all_else_unless_somebody_waits(at_once: Path) -> None:
    async def ask() -> None:
        async with warming_up() as games:
            await games.until_rules("moon-leap")
            told = asyncio.Event()
            games.on_bots("moon-leap", 1, told.set)
            assert not games.has_bots("moon-leap", 1)
            await told.wait()
            assert games.has_bots("moon-leap", 1)
        assert (at_once / "asked").read_text().splitlines()[-1] == f"{BOTS} moon-leap 1"

    asyncio.run(asyncio.wait_for(ask(), 20))


def test_a_version_there_never_was_keeps_nobody_waiting(at_once: Path) -> None:
    async def ask() -> None:
        async with warming_up() as games:
            await games.until_rules("moon-leap", 99)
            await games.until_bots("moon-leap", 99)

    asyncio.run(asyncio.wait_for(ask(), 20))


@pytest.fixture
def failing(slowly: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What compiles Via Nebula's rules ends in an error, until a file `good` is there. Returns where."""
    script = "import pathlib, sys; sys.exit(not pathlib.Path(sys.argv[1], 'good').exists())"

    def compile_badly(command: list[str]) -> Any:
        bad = command[3:] == [RULES, "via-nebula"]
        return POPEN([sys.executable, "-c", script, str(slowly)]) if bad else POPEN([sys.executable, "-c", ""])

    monkeypatch.setattr(subprocess, "Popen", compile_badly)
    monkeypatch.setattr(warmup, "FIRST_PAUSE", 0.1)
    return slowly


def test_what_cannot_be_compiled_is_refused_at_once_and_tried_again_while_all_else_goes_on(failing: Path) -> None:
    async def ask() -> None:
        async with warming_up() as games:
            with pytest.raises(Denied, match="the rules of via-nebula cannot be prepared"):
                await games.until_rules("via-nebula")
            await games.until_bots("moon-leap")
            (problem,) = games.problems()
            assert problem.startswith("the rules of via-nebula cannot be prepared: ChildProcessError")
            with pytest.raises(Denied):
                await games.until_rules("via-nebula")
            (failing / "good").touch()
            while games.problems():
                await asyncio.sleep(0.01)
            await games.until_rules("via-nebula")

    asyncio.run(asyncio.wait_for(ask(), 20))


def test_nothing_that_has_failed_is_compiled_in_the_servers_own_process(
    attempts: Attempts, failing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There it would keep everybody waiting."""
    made: list[tuple[str, str]] = []
    monkeypatch.setattr(warmup, "warm_up", lambda kind, game: made.append((kind, game.name)))

    async def ask() -> None:
        async with warming_up() as games:
            for _ in range(3):
                with pytest.raises(Denied):
                    await games.until_rules("via-nebula")
            await games.until_bots("via-nebula")
        assert (RULES, "via-nebula") not in made
        assert (BOTS, "via-nebula") in made

    asyncio.run(asyncio.wait_for(ask(), 20))
    attempts.add(3)


def test_health_says_what_cannot_be_compiled_until_it_is(failing: Path) -> None:
    with running(sqlite(failing)) as server:
        ada = server.guest("Ada")
        assert ada.table("via-nebula", "me", "me", status=503)["reason"] == "unavailable"
        health = ada.get("/api/health", status=503)
        assert health["problems"][0].startswith("the rules of via-nebula cannot be prepared")
        ada.table("moon-leap", "me", "me")
        (failing / "good").touch()
        assert within(20, lambda: ada.http.get("/api/health").status_code == 200)
        ada.table("via-nebula", "me", "me")


def test_a_warm_up_that_dies_is_reported_and_begins_again(at_once: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It used to end without a word: everything was compiled in the server's own process from then on."""
    next_part, died = Warmup._next, threading.Event()

    def die_once(games: Warmup) -> Any:
        if died.is_set():
            return next_part(games)
        died.set()
        raise MemoryError("no memory")

    monkeypatch.setattr(Warmup, "_next", die_once)
    monkeypatch.setattr(supervisor, "FIRST_PAUSE", 0.2)
    monkeypatch.setattr(supervisor, "STEADY", 5.0)
    with running(sqlite(at_once)) as server:
        nobody = server.guest(None)
        assert within(20, lambda: died.is_set() and nobody.http.get("/api/health").status_code == 503)
        assert "the warm-up is failing: MemoryError: no memory" in nobody.get("/api/health", status=503)["problems"]
        server.guest("Ada").table("moon-leap", "me", "me")  # it is waited for, and begun again
        assert within(20, lambda: nobody.http.get("/api/health").status_code == 200)


def test_a_server_that_closes_ends_what_compiles_and_leaves_nobody_waiting(slowly: Path) -> None:
    async def wait_and_close() -> None:
        games = Warmup()
        games.start()
        waiting = asyncio.create_task(games.until_rules("nova-luna"))
        while not (slowly / "asked").exists():
            await asyncio.sleep(0.005)
        await asyncio.wait_for(asyncio.to_thread(games.close), 20)
        await asyncio.wait_for(waiting, 20)

    asyncio.run(wait_and_close())


def test_a_game_nobody_knows_and_a_server_not_started_keep_nobody_waiting() -> None:
    async def ask() -> None:
        games = Warmup()
        await games.until_rules("chess")
        await games.until_rules("moon-leap")
        games.start()
        await games.until_bots("chess")
        await asyncio.to_thread(games.close)

    asyncio.run(ask())


def test_a_table_says_that_its_bots_are_not_ready_and_when_they_are(slowly: Path) -> None:
    for name in names():
        (slowly / f"{RULES}-{name}").touch()
    with running(sqlite(slowly)) as server:
        ada = server.guest("Ada")
        match = ada.table("moon-leap", "me", "random")["table"]["id"]
        with ada.live(match) as live:
            assert live.wait("welcome")["table"]["bots_ready"] is False
            (slowly / "go").touch()
            live.wait(lambda message: message["kind"] == "table" and message["table"]["bots_ready"])
