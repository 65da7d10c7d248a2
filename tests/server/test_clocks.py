"""Clocks: when time is used up a bot plays for the seat, and nobody gains time by leaving."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from plenilune.core.errors import BadSetting
from plenilune.server import clock as times
from plenilune.server import serve
from plenilune.server.protocol import BankClock, DaysClock, NoClock
from plenilune.server.settings import Settings
from plenilune.server.storage.moments import MOMENTS, SPANS
from plenilune.server.storage.schema import bans, matches, metadata, seats
from plenilune.server.tables import clocks
from tests.server.attempts import Attempts
from tests.server.running import Guest, Process, Running, running, sqlite

REAL = time.time_ns
FIVE = {"kind": "bank", "bank": 5, "increment": 0}


def at_two(ada: Guest, ben: Guest, clock: Any) -> str:
    match: str = ada.table("moon-leap", "me", "open", clock=clock, stand_in="random")["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {})
    return match


def test_a_bank_runs_while_its_seat_is_to_play_and_grows_after_the_turn() -> None:
    clock = BankClock(60, 5)
    assert clocks.full(clock, 2) == [60_000, 60_000]
    assert clocks.deadline(clock, 60_000, 1_000) == 61_000
    assert clocks.after_turn(clock, 60_000, 1_000, 11_000, by_person=True) == 55_000
    assert clocks.after_turn(clock, 60_000, 1_000, 999_000, by_person=True) == 5_000
    assert clocks.after_turn(clock, 60_000, 1_000, 999_000, by_person=False) == 0


def test_days_start_over_and_without_a_clock_nothing_is_ever_out() -> None:
    assert clocks.deadline(DaysClock(3), None, 1_000) == 1_000 + 3 * 24 * 3600 * 1000
    assert clocks.deadline(NoClock(), None, 1_000) is None
    assert clocks.full(DaysClock(3), 2) == clocks.full(NoClock(), 2) == [None, None]


def test_the_clock_is_shown_and_goes_over_to_the_next_seat(ada: Guest, ben: Guest) -> None:
    match = at_two(ada, ben, {"kind": "bank", "bank": 60, "increment": 7})
    before = ada.state(match)["clocks"]
    assert (before["left"], before["running"]) == ([60_000, 60_000], 0)
    assert before["deadline"] == before["since"] + 60_000
    ada.play(match, ada.state(match)["legal"][0])
    after = ada.state(match)["clocks"]
    assert after["running"] == 1
    assert 60_000 < after["left"][0] <= 67_000
    assert after["deadline"] == after["since"] + 60_000


def test_a_bot_plays_on_when_time_is_out(ada: Guest, ben: Guest) -> None:
    match = at_two(ada, ben, FIVE)
    make_late(ada, match)
    with ben.live(match) as live:
        live.wait(lambda m: m["kind"] == "table" and m["table"]["seats"][0]["absent"])
        assert live.table["seats"][0]["bot"] == "random"
        live.my_turn()
    late = [entry for entry in ada.state(match)["log"] if entry["by"] == "stand-in"]
    assert [entry["actor"] for entry in late] == [0] * len(late) != []
    assert ada.post(f"/api/tables/{match}/return", {}, status=409)["reason"] == "out_of_time"


def test_a_player_who_left_takes_the_seat_back_by_playing(server: Running, ada: Guest, ben: Guest) -> None:
    server.server.bots.attend = lambda table: None  # type: ignore[method-assign]  # a bot that thinks for long
    match = at_two(ada, ben, {"kind": "bank", "bank": 60, "increment": 0})
    ada.post(f"/api/tables/{match}/leave", {})
    ada.play(match, ada.state(match)["legal"][0])
    assert not ada.get(f"/api/tables/{match}")["seats"][0]["absent"]
    assert ada.state(match)["clocks"]["left"][0] <= 60_000


def test_setting_the_system_clock_back_gives_nobody_time(
    attempts: Attempts, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither while the server runs nor across a restart."""
    with running(settings) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        match = at_two(ada, ben, {"kind": "bank", "bank": 3600, "increment": 0})
        before = ada.get("/api/me")["now"]
        real = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: real() - 3600 * 10**9)
        assert ada.get("/api/me")["now"] >= before
        server.in_loop(server.server.upkeep.beat())
        deadline = ada.state(match)["clocks"]["deadline"]
    monkeypatch.setattr(times, "_offset", time.time_ns() - times._steady())  # as a new process would begin
    with running(settings) as server:
        assert server.guest(None).get("/api/me")["now"] >= before
        assert deadline - times.now() <= 3600 * 1000
    attempts.add(2)


def with_clock(monkeypatch: pytest.MonkeyPatch, ahead: int) -> None:
    """The machine's clock is so many milliseconds ahead, and a process begins."""
    monkeypatch.setattr(time, "time_ns", lambda: REAL() + ahead * 1_000_000)
    monkeypatch.setattr(times, "_offset", time.time_ns() - times._steady())


@pytest.fixture(params=["sqlite", "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """The settings of a server on either database."""
    return sqlite(tmp_path, database=request.getfixturevalue("database") if request.param == "postgresql" else "")


def test_a_server_that_once_had_a_wrong_clock_does_not_keep_it_forever(
    attempts: Attempts, kept: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says that its time is wrong, deletes nothing meanwhile, does not start again unnoticed, and is put right."""
    with_clock(monkeypatch, 400 * clocks.DAY)
    with running(kept) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        match = at_two(ada, ben, {"kind": "bank", "bank": 3600, "increment": 0})
        server.in_loop(server.server.upkeep.beat())
        monkeypatch.setattr(time, "time_ns", REAL)  # the network has set the clock
        (problem,) = ada.get("/api/health", status=503)["problems"]
        assert "400 days ahead of this machine's" in problem
        assert deletes_nothing(server)
        with pytest.raises(BadSetting, match="in use by"):
            asyncio.run(serve.check(kept, accept_clock=True))
    with_clock(monkeypatch, 0)
    for _ in range(3):
        with pytest.raises(BadSetting, match=r"days ahead of this machine's clock, which says 20.*--accept-clock"):
            asyncio.run(serve.check(kept))
        attempts.add()
    asyncio.run(serve.check(kept, accept_clock=True))
    with running(kept) as server:
        ben = back(server, ben)
        before = times.system()
        assert abs(ben.get("/api/me")["now"] - before) < 60_000
        shown = ben.state(match)["clocks"]
        assert shown["deadline"] - shown["since"] == 3600 * 1000
        assert shown["since"] <= times.now()
        assert ben.get("/api/health")["problems"] == []
        assert not [row for row in moments(server) if row > times.now()]


def test_the_command_line_refuses_in_one_sentence_and_goes_on_when_told_to(settings: Settings) -> None:
    with running(settings) as server:
        server.in_loop(server.server.store.last_beat())
        server.in_loop(server.server.store.beat(times.now() + 2 * 3600 * 1000))
    arguments = ("--data", str(settings.data))
    command = [sys.executable, "-m", "plenilune", "serve", "--no-browser", "--port", "0", *arguments]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert refused.stderr.startswith("plenilune: the database is 119 minutes ahead of this machine's clock")
    Process(*arguments, "--accept-clock").stop()
    Process(*arguments).stop()


def back(server: Running, guest: Guest) -> Guest:
    again = server.guest(None)
    again.http.cookies.update(dict(guest.http.cookies))
    return again


def deletes_nothing(server: Running) -> bool:
    """Not even a table that waits since 1970."""
    match, store = server.guest("Carol").table("moon-leap", "me", "open")["table"]["id"], server.server.store
    server.in_loop(store.execute(matches.update().where(matches.c.id == match).values(changed=0)))
    server.in_loop(server.server.upkeep.retire())
    return server.in_loop(store.match(match)) is not None


def moments(server: Running) -> list[int]:
    """All times that are recorded."""
    store = server.server.store
    found = [server.in_loop(store.all(sa.select(moment))) for moment in (*MOMENTS, matches.c.since, bans.c.at)]
    return [value for rows in found for row in rows for value in row.values() if value is not None]


def test_every_time_in_the_schema_is_brought_back() -> None:
    """Except ends, which keep their distance from what began."""
    ends = {matches.c.deadline, bans.c.until}
    begins = {begin for begin, _ in SPANS}
    big = {c for table in metadata.sorted_tables for c in table.columns if isinstance(c.type, sa.BigInteger)}
    assert big == {*MOMENTS, *begins, *ends}


def test_a_server_whose_time_is_not_the_machines_says_so(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = server.guest()
    for ahead, said in ((-10, "10 minutes ahead"), (10, "10 minutes behind"), (3, None), (-3, None)):
        monkeypatch.setattr(time, "time_ns", lambda ahead=ahead: REAL() + ahead * 60 * 10**9)
        health = ada.get("/api/health", status=503 if said else 200)
        assert [said in problem for problem in health["problems"]] == [True] * bool(said)


def test_after_a_long_pause_nothing_is_deleted_until_the_clock_can_be_trusted(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine may start years ahead, until the network has set its clock."""
    with running(settings) as server:
        server.in_loop(server.server.upkeep.beat())
    with_clock(monkeypatch, 400 * clocks.DAY)
    with running(settings) as server:
        assert server.guest(None).get("/api/health")["status"] == "ok"
        assert deletes_nothing(server)
        server.server.upkeep.doubt(0)
        assert not deletes_nothing(server)


@pytest.mark.parametrize("trouble", ["one corrupt row", "a hundred matches of another release"])
def test_matches_that_cannot_go_on_stop_nobody_elses_clock(
    attempts: Attempts, settings: Settings, trouble: str
) -> None:
    with running(settings) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        broken, good = at_two(ada, ben, FIVE), at_two(ada, ben, FIVE)
        spoil(server, broken, trouble)
        server.server.tables.loaded.clear()
        with ben.live(good) as live:
            live.wait(lambda m: m["kind"] == "table" and m["table"]["seats"][0]["absent"], 15)
        assert ada.get("/api/health")["status"] == "ok"
    attempts.add()


def spoil(server: Running, match: str, trouble: str) -> None:
    store, where = server.server.store, matches.c.id == match
    if trouble == "one corrupt row":
        server.in_loop(store.execute(matches.update().where(where).values(left="{", deadline=1)))
        return
    found = server.in_loop(store.one(sa.select(matches).where(where)))
    row = dict(found or {})
    rows = [row | {"id": f"other{n:011}", "rules": 0, "layout": "older", "deadline": n + 1} for n in range(100)]
    server.in_loop(store.execute(matches.insert(), rows))
    chairs = [dict(chair) for chair in server.in_loop(store.all(sa.select(seats).where(seats.c.match == match)))]
    server.in_loop(store.execute(seats.insert(), [c | {"match": row["id"]} for row in rows for c in chairs]))


def test_a_deadline_outlives_the_server(settings: Settings) -> None:
    with running(settings) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        match, cookies = at_two(ada, ben, FIVE), dict(ben.http.cookies)
        deadline = ada.state(match)["clocks"]["deadline"]
    time.sleep(max(0.0, deadline / 1000 - time.time() + 0.2))
    with running(settings) as server:
        ben = server.guest(None)
        ben.http.cookies.update(cookies)
        with ben.live(match) as live:
            assert live.my_turn()
            assert live.table["seats"][0]["absent"] or ben.get(f"/api/tables/{match}")["seats"][0]["absent"]


@pytest.mark.parametrize("clock", [{"kind": "bank", "bank": 1}, {"kind": "days", "days": 0}, {"kind": "sand"}])
def test_a_clock_that_is_none_is_refused(ada: Guest, clock: Any) -> None:
    body = {"game": "moon-leap", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": clock}
    assert ada.post("/api/tables", body, status=400)["reason"] == "bad_request"


def make_late(guest: Guest, match: str) -> None:
    """Wait until the seat to play has run out of time."""
    deadline = guest.state(match)["clocks"]["deadline"]
    time.sleep(max(0.0, deadline / 1000 - time.time()))
