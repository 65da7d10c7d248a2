"""Several server processes on one PostgreSQL serve the same tables at once; any of them may die."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import httpx
import pytest

from plenilune import Match
from tests.server.running import Guest, Live, Process

QUICK = {"PLENILUNE_LIMITS": "off", "PLENILUNE_BOT_PAUSE": "0", "PLENILUNE_LEASE": "1"}
NEVER, SOON = "600", "0.2"  # seconds between two looks for what was not told
UNHEARD = """
CREATE FUNCTION public.pg_notify(varchar, varchar) RETURNS void LANGUAGE sql AS '';
CREATE FUNCTION public.pg_notify(text, text) RETURNS void LANGUAGE sql AS '';
"""


@contextmanager
def two_servers(database: str, tmp_path: Any, poll: str) -> Iterator[list[Process]]:
    processes: list[Process] = []
    try:
        for _ in range(2):
            processes.append(Process("--data", str(tmp_path), "--database", database, PLENILUNE_POLL=poll, **QUICK))
        yield processes
    finally:
        for process in processes:
            if process.process.poll() is None:
                process.stop()


def moved(guest: Guest, process: Process) -> Guest:
    """The same person at another server."""
    there = Guest(process.address, None)
    there.http.cookies.update(guest.http.cookies)
    guest.close()
    return there


def table_across(ada: Guest, ben: Guest, *more: str) -> str:
    match: str = ada.table("nova-luna", "me", "open", *more)["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {})
    return match


def play_on(lives: dict[int, Live], until: int) -> None:
    """Seats play in turn, each at its own server, until that ply or the end; and both see the same at every ply."""
    while True:
        reached = max(live.update["ply"] if live.update else 0 for live in lives.values())
        for live in lives.values():
            while live.update is None or live.update["ply"] < reached:
                live.next()
        first, *rest = lives.values()
        if len({live.update["ply"] for live in lives.values()}) > 1:
            continue
        assert all((live.update["hash"], live.view) == (first.update["hash"], first.view) for live in rest)
        to_play = first.update["to_play"]
        if to_play == -2 or reached >= until:
            break
        if to_play in lives:
            lives[to_play].act()
        else:  # a bot's turn, wherever it is thought for
            first.next()
    for live in lives.values():
        for update in (m for m in live.said if m["kind"] == "update"):
            assert [entry["ply"] for entry in update["log"]] == list(range(update["log_from"], update["ply"]))


def test_a_match_is_played_across_two_servers_and_goes_on_when_one_is_killed(database: str, tmp_path: Any) -> None:
    """What each hears of the other it hears by notification: nobody looks by himself."""
    with two_servers(database, tmp_path, NEVER) as (one, other), ExitStack() as stack:
        ada, ben = Guest(one.address, "Ada"), Guest(other.address, "Ben")
        match = table_across(ada, ben, "random", "greedy")
        with ada.live(match) as hers:
            his = stack.enter_context(ben.live(match))
            play_on({0: hers, 1: his}, 90)
            before, log = hers.update, hers.said[:]
            one.kill()
        with pytest.raises(httpx.HTTPError):
            ada.get("/api/health")
        ada = moved(ada, other)
        again = stack.enter_context(ada.live(match, f"?ply={before['ply']}"))
        while again.update is None:
            again.next()
        assert again.update["ply"] >= before["ply"]
        assert told(log) == told_by(ada, match)[: len(told(log))]
        play_on({0: again, 1: his}, 10_000)
        assert again.update["to_play"] == -2
        Match.load(ben.get(f"/api/tables/{match}/match"), check_dice=True)
        for guest in (ada, ben):
            guest.close()


def told(said: list[Any]) -> list[Any]:
    return [entry for message in said if message["kind"] == "update" for entry in message["log"]]


def told_by(guest: Guest, match: str) -> list[Any]:
    log: list[Any] = guest.state(match)["log"]
    return log


def test_a_bot_whose_server_was_killed_is_thought_for_by_another(database: str, tmp_path: Any) -> None:
    with two_servers(database, tmp_path, SOON) as (one, other):
        ada = Guest(one.address, "Ada")
        match = ada.table("moon-leap", "me", "mcts:20000", "mcts:20000")["table"]["id"]
        with ada.live(match) as live:
            live.my_turn()
            live.act()
            ply = live.update["ply"]
        one.kill()  # which was thinking, and nobody has ever asked the other one for this table
        ada = moved(ada, other)
        with ada.live(match) as live:
            while live.update is None or not live.update["legal"] or live.update["ply"] <= ply:
                live.next(60)
        assert "bot" in {entry["by"] for entry in ada.state(match)["log"][ply:]}
        ada.close()


async def silence(database: str) -> None:
    """No notification of this database is ever heard again."""
    connection = await asyncpg.connect(database)
    await connection.execute(UNHEARD)
    name = database.rpartition("/")[2]
    await connection.execute(f'ALTER DATABASE "{name}" SET search_path = public, pg_catalog')
    await connection.close()


async def heard(database: str) -> bool:
    """Whether a notification of this database comes."""
    connection = await asyncpg.connect(database)
    came: list[str] = []
    await connection.add_listener("probe", lambda *said: came.append(said[-1]))
    await connection.execute("SELECT pg_notify($1::varchar, $2::varchar)", "probe", "1")
    await connection.fetch("SELECT 1")
    await connection.close()
    return bool(came)


def test_what_no_notification_tells_is_found_by_looking(database: str, tmp_path: Any) -> None:
    assert asyncio.run(heard(database))
    asyncio.run(silence(database))
    assert not asyncio.run(heard(database))
    with two_servers(database, tmp_path, SOON) as (one, other):
        ada, ben = Guest(one.address, "Ada"), Guest(other.address, "Ben")
        match = table_across(ada, ben)
        with ada.live(match) as hers, ben.live(match) as his:
            play_on({0: hers, 1: his}, 30)
            assert min(hers.update["ply"], his.update["ply"]) >= 30
        for guest in (ada, ben):
            guest.close()
