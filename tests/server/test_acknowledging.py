"""A player is told that an action is kept before anybody is told what it was."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from plenilune.server.http.connections import Queue
from plenilune.server.protocol import Play
from plenilune.server.storage.rows import Person
from plenilune.server.storage.store import Commit
from plenilune.server.tables.audience import Watcher
from tests.server.running import Guest, Live, Running

Heard = list[tuple[object, str]]  # by whom, and what kind of message


def kind(message: bytes) -> str:
    return str(json.loads(message)["kind"])


def test_the_player_hears_of_it_before_any_socket_is_sent_the_board(
    server: Running, ada: Guest, ben: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: Heard = []
    put = Queue.put

    def noted(queue: Queue, message: bytes) -> None:
        heard.append((queue, kind(message)))
        put(queue, message)

    monkeypatch.setattr(Queue, "put", noted)
    match = ada.table("nova-luna", "me", "open")["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {})
    with ben.live(match) as second, ada.live(match) as first:  # the one who plays came last
        for live in (first, second):
            live.wait("update")
        player, other = (first, second) if first.update["legal"] else (second, first)
        heard.clear()
        player.act()
        after(other, player.update["ply"])
    (who, first_said), *boards = [(queue, said) for queue, said in heard if said in ("played", "update")]
    assert first_said == "played"
    assert [said for _, said in boards] == ["update", "update"]
    assert who in {queue for queue, _ in boards}


def after(live: Live, ply: int) -> None:
    while live.update["ply"] < ply:
        live.next()


def test_all_who_share_a_transaction_hear_of_it_before_any_of_their_boards_are_sent(
    server: Running, ada: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit is one wait for the disk; whatever is sent in between would make the others wait longer."""
    matches = [ada.table("nova-luna", "me", "me")["table"]["id"] for _ in range(3)]
    heard: Heard = []
    batches = count_batches(server, monkeypatch)
    server.in_loop(play_all(server, Person(str(ada.id), "Ada"), matches, heard))
    assert batches == [len(matches)]  # it was one transaction
    assert [said for _, said in heard] == ["played"] * 3 + ["update"] * 3
    assert {who for who, _ in heard[:3]} == {who for who, _ in heard[3:]} == set(matches)


def count_batches(server: Running, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many changes of matches each transaction has, from now on."""
    writers, sizes = server.server.store._writers, list[int]()
    write: Callable[..., Any] = writers._write_batch

    async def counted(works: list[Any], *more: Any) -> list[Any]:
        if commits := sum(isinstance(work, Commit) for work in works):
            sizes.append(commits)
        found: list[Any] = await write(works, *more)
        return found

    monkeypatch.setattr(writers, "_write_batch", counted)
    return sizes


async def play_all(server: Running, person: Person, matches: list[str], heard: Heard) -> None:
    """Play at all of them at the same moment; each is watched."""
    together = asyncio.Barrier(len(matches))

    async def play(match: str) -> None:
        table = await server.server.tables.get(match)
        table.audience.welcome(
            table.view(), Watcher(person, lambda message: heard.append((match, kind(message)))), None, None
        )
        action = table.update(table.row.to_play).legal[0]
        await together.wait()
        heard.clear()
        asked = Play("id", table.row.ply, [action])
        await table.play(person, asked, lambda played: heard.append((match, "played")))

    await asyncio.gather(*map(play, matches))
