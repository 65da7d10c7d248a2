"""A credential that one process revokes is good in no other, whether a notification comes or not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.running import Guest, Running, running, sqlite
from tests.server.test_two_processes import silence
from tests.server.wire import within


@pytest.fixture
def two(database: str, tmp_path: Path) -> Iterator[tuple[Running, Running]]:
    """Both hear no notification of the other."""
    asyncio.run(silence(database))
    with ExitStack() as stack:
        settings = [sqlite(tmp_path / name, database=database, poll=0.2) for name in ("one", "other")]
        one, other = (stack.enter_context(running(each)) for each in settings)
        yield one, other


def program(server: Running, key: str) -> Guest:
    guest = server.guest(None)
    guest.http.headers["authorization"] = f"Bearer {key}"
    return guest


def test_a_key_is_revoked_everywhere_though_no_notification_comes(two: tuple[Running, Running]) -> None:
    one, other = two
    ada = one.guest("Ada")
    key = ada.post("/api/keys", {"label": "bot"})
    there = program(other, key["key"])
    assert there.get("/api/me")["me"]["id"] == ada.id  # and remembered for a minute
    with there.socket("/api/lobby/live", Authorization=f"Bearer {key['key']}") as socket:
        socket.recv(20)
        ada.ask("DELETE", f"/api/keys/{key['id']}")
        assert within(5, lambda: there.get("/api/me")["me"] is None)
        assert refusal(socket)["reason"] == "unknown_guest"
        with pytest.raises(ConnectionClosed):
            socket.recv(20)


def refusal(socket: Any) -> Any:
    while (message := json.loads(socket.recv(20)))["kind"] != "refused":
        pass
    return message


def test_people_who_delete_themselves_are_deleted_everywhere_though_no_notification_comes(
    two: tuple[Running, Running],
) -> None:
    one, other = two
    ada = one.guest("Ada")
    there = other.guest(None)
    there.http.cookies.update(ada.http.cookies)
    assert there.get("/api/me")["me"]["id"] == ada.id
    ada.ask("DELETE", "/api/me")
    assert within(5, lambda: there.get("/api/me")["me"] is None)


def test_what_is_open_is_ended_once_however_often_it_is_told(two: tuple[Running, Running]) -> None:
    one, _ = two
    ended, revocations = list[str](), one.server.revocations
    revocations._end = ended.append

    ada = one.guest("Ada")
    ada.ask("DELETE", "/api/me")
    polled = revocations._polled
    assert within(5, lambda: revocations._polled > polled)
    ((person, at),) = revocations._done
    revocations.on_notification(f"{person} {at}")
    assert ended == [ada.id]
    revocations.on_notification(f"{person} {at + 1}")
    assert ended == [ada.id, ada.id]


def test_a_server_alone_remembers_nobody_it_will_never_hear_of_again(server: Running) -> None:
    """Strangers who delete themselves all day long would otherwise fill its memory."""
    for _ in range(3):
        server.guest("Eve").ask("DELETE", "/api/me")
    assert server.server.revocations._done == set()
