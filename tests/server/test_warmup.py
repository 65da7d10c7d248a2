"""Rules that have never been compiled on this machine keep nobody waiting but those who want to play by them."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from plenilune.game import Game, load, names
from plenilune.server.thinking import warmup
from plenilune.server.thinking.warmup import BOTS, RULES, Warmup
from tests.server.running import running, sqlite


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
