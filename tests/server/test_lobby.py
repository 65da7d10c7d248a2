"""The lobby: nobody fills it alone, and its watchers are sent only what has changed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from plenilune.server.protocol import Lobby, Mine, NewTable, NoClock, Open, TableRow
from plenilune.server.storage.lobby import MOST_OF_NETWORK
from plenilune.server.storage.rows import Person
from plenilune.server.tables import lobby
from plenilune.server.tables.audience import Watcher
from tests.server.attempts import Attempts
from tests.server.running import Guest, Running, running, sqlite
from tests.server.wire import within


def a_public_table(guest: Guest) -> str:
    return str(guest.table("moon-leap", "me", "open", public=True)["table"]["id"])


def listed(guest: Guest) -> list[str]:
    return [row["id"] for row in guest.get("/api/lobby")["open"]]


def test_one_person_has_one_table_on_the_first_page(attempts: Attempts, ada: Guest, ben: Guest) -> None:
    """Sixty public tables in half a second used to push everybody else off the list."""
    his = a_public_table(ben)
    hers = [a_public_table(ada) for _ in range(60)]
    assert listed(ada) == [hers[-1], his]
    attempts.add(len(hers))


def test_one_network_has_a_few_tables_on_the_first_page(server: Running) -> None:
    for number in range(MOST_OF_NETWORK + 5):
        a_public_table(server.guest(f"Guest {number}"))
    assert len(listed(server.guest(None))) == MOST_OF_NETWORK


def test_a_table_that_waits_for_a_day_is_no_longer_listed(ada: Guest, monkeypatch: Any) -> None:
    monkeypatch.setattr(lobby, "FRESH", 0)
    a_public_table(ada)
    assert len(listed(ada)) == 1
    monkeypatch.setattr(lobby, "WAITS", -1)
    assert listed(ada) == []


def test_the_page_is_made_once_for_all_who_ask_until_a_public_table_changes(
    server: Running, ada: Guest, ben: Guest, monkeypatch: Any
) -> None:
    made, queries = list[int](), server.server.store.lobby
    find = queries.open

    async def counted(since: int, limit: int) -> Any:
        made.append(since)
        return await find(since, limit)

    monkeypatch.setattr(queries, "open", counted)
    monkeypatch.setattr(lobby, "FRESH", 60)
    first = a_public_table(ada)
    assert [listed(guest) for guest in (ada, ben, ada, ben)] == [[first]] * 4
    assert len(made) == 1
    ben.table("moon-leap", "me", "open")  # a private table changes nothing
    second = a_public_table(ben)
    assert listed(ada) == [second, first]
    assert len(made) == 2


def test_changes_are_sent_instead_of_the_whole(server: Running, ada: Guest, ben: Guest) -> None:
    tables = [a_public_table(ada), a_public_table(ben)]
    with ada.socket("/api/lobby/live") as socket:
        whole = json.loads(socket.recv(20))
        assert [row["id"] for row in whole["open"]] == tables[::-1]
        server.guest("Carol").post(f"/api/tables/{tables[1]}/join", {})
        changes = json.loads(socket.recv(20))
        assert changes["kind"] == "lobby_changes"
        assert changes["open"] == [tables[0]]
        assert [row["id"] for row in changes["rows"]] == [tables[1]]  # playing now, and watched
        assert changes["mine"] is None


@pytest.mark.parametrize("public", [True, False])
def test_a_person_who_leaves_an_open_seat_is_told_that_it_is_free(ada: Guest, ben: Guest, public: bool) -> None:
    match = ada.table("moon-leap", "me", "open", "open", public=public)["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {})
    with ben.socket("/api/lobby/live") as socket:
        assert [row["id"] for row in json.loads(socket.recv(20))["mine"]] == [match]
        ben.post(f"/api/tables/{match}/leave", {})
        while (changes := json.loads(socket.recv(20)))["mine"] is None:
            pass
        assert changes["mine"] == []


def test_a_busy_server_still_looks_for_what_other_processes_changed(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """News of its own used to put off that look for as long as there were some every second."""
    monkeypatch.setattr(lobby, "BREATH", 0.05)
    with running(sqlite(tmp_path, database=database, poll=0.2)) as server:
        ada, lobbies = server.guest("Ada"), server.server.lobbies
        looked = list[str]()
        find = lobbies._mine

        async def counted(person: Person) -> Any:
            looked.append(person.id)
            return await find(person)

        monkeypatch.setattr(lobbies, "_mine", counted)
        with ada.socket("/api/lobby/live") as socket:
            socket.recv(20)
            assert len(looked) == 1

            def seen_again() -> bool:
                server.loop.call_soon_threadsafe(lobbies._dirty.set)
                return len(looked) > 1

            assert within(10, seen_again)


def test_what_is_the_same_is_not_sent() -> None:
    row = TableRow(
        id="a", game="g", options={}, status="waiting", seats=[], mine=[], clock=NoClock(), to_play=-1, ply=0,
        created=0, changed=0, deadline=None, daily=None, result=None,
    )  # fmt: skip
    before = Lobby([row], [], [], 1)
    assert lobby.changed(before, Lobby([row], [], [], 2)) is None
    moved = lobby.changed(before, Lobby([], [row], [], 2))
    assert moved
    assert (moved.rows, moved.open, moved.live, moved.mine) == ([], [], ["a"], None)


async def a_lobby(server: Running) -> tuple[lobby.Lobbies, Lobby]:
    lobbies = lobby.Lobbies(server.server.store, server.server.tables, server.settings.poll)
    return lobbies, await lobbies.lobby(None)


def test_what_is_the_same_for_all_is_made_once(attempts: Attempts, server: Running, ada: Guest) -> None:
    """With two thousand watchers, one change used to hold up everybody for 400 ms."""

    async def told() -> list[list[bytes]]:
        lobbies, _ = await a_lobby(server)
        heard = [list[bytes]() for _ in range(3)]
        for number, mine in enumerate(heard):
            person = Person(f"p{number}", "Guest")
            lobbies.enter(Watcher(person, mine.append), await lobbies.lobby(person))
        for _ in range(2):
            await server.server.creation.create(Person("host", "Host"), a_wish())
            await lobbies._broadcast()
        return heard

    one, *others = server.in_loop(told())
    assert len(one) == 3
    for other in others:
        assert other[1:] == one[1:]
        assert other[2] is one[2]
    attempts.add(2)


def a_wish() -> NewTable:
    return NewTable("moon-leap", [Mine(), Open()], public=True)


def test_a_watcher_that_goes_while_the_others_are_told_is_forgotten(server: Running, monkeypatch: Any) -> None:
    async def left() -> int:
        lobbies, first = await a_lobby(server)
        host = Person("host", "Host")
        watcher = Watcher(host, lambda message: None)
        lobbies.enter(watcher, first)
        await server.server.creation.create(host, a_wish())
        look_up = lobbies._for

        async def gone(person: Person | None, common: lobby.Common) -> Lobby:
            lobbies.exit(watcher)
            return await look_up(person, common)

        monkeypatch.setattr(lobbies, "_for", gone)
        lobbies._stale.add(host.id)
        await lobbies._broadcast()
        return len(lobbies._sent)

    assert server.in_loop(left()) == 0


def test_those_who_ask_at_the_same_time_share_a_reading(server: Running, monkeypatch: Any) -> None:
    """However busy the tables are: otherwise every request would read all live tables, one after the other."""
    read, store = list[int](), server.server.store.lobby
    live = store.live

    async def counted(since: int, limit: int) -> Any:
        read.append(since)
        server.server.lobbies._changes += 1  # somebody plays meanwhile
        return await live(since, limit)

    monkeypatch.setattr(store, "live", counted)

    async def ask() -> None:
        await asyncio.gather(*(server.server.lobbies.lobby(None) for _ in range(20)))

    server.in_loop(ask())
    assert len(read) == 1
