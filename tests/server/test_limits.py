"""Limits hold for a person and for a network, across workers, whatever a client claims to be."""

from __future__ import annotations

import multiprocessing
import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from plenilune.server.http import limits as limits_module
from plenilune.server.http import shared
from plenilune.server.http.limits import CAPS, CROWD, LIMITS, Limits
from plenilune.server.http.shared import Buckets, Counts, Memory
from plenilune.server.protocol.refusals import Denied
from plenilune.server.settings import Settings
from tests.server.attempts import Attempts
from tests.server.running import Guest, Process, Running, running, sqlite
from tests.server.wire import within

linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is nobody's address")
spawned = multiprocessing.get_context("spawn")


@pytest.fixture
def file() -> Iterator[Path]:
    with shared.created(workers=4) as path:
        assert path
        yield path


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Running]:
    with running(sqlite(tmp_path, limits=True)) as server:
        yield server


# Token buckets


def test_a_bucket_gives_so_much_at_once_and_then_so_much_a_second() -> None:
    buckets, now = Buckets(Memory()), 1000.0

    def take() -> bool:
        return buckets.take("ada", cost=0.5, most=5.0, now=now) == 0

    assert [take() for _ in range(12)] == [True] * 10 + [False] * 2
    now += 1
    assert [take() for _ in range(4)] == [True] * 2 + [False] * 2
    now += 1_000_000
    assert [take() for _ in range(12)] == [True] * 10 + [False] * 2


def test_a_refusal_says_when_to_come_back_and_it_holds() -> None:
    buckets, player = Buckets(Memory()), random.Random(1)
    now = 1000.0
    for _ in range(1000):
        now += player.random() / 4
        early = buckets.take("ada", cost=0.5, most=5.0, now=now)
        if early:
            assert buckets.take("ada", 0.5, 5.0, now + early - 0.01) > 0
            now += early
            assert buckets.take("ada", 0.5, 5.0, now) == 0


def test_retry_after_is_when_the_bucket_allows_the_next_request(
    limited: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "table", (2, 0.04))
    clock = Clock(1000.0)
    monkeypatch.setattr(limits_module, "time", clock)
    ada = limited.guest("Ada")

    def ask() -> httpx.Response:
        body = {"game": "moon-leap", "seats": [{"kind": "me"}, {"kind": "open"}]}
        return ada.http.post("/api/tables", json=body)

    assert [ask().status_code for _ in range(3)] == [201, 201, 429]
    clock.seconds += 5.5
    refused = ask()
    assert refused.headers["retry-after"] == "20"  # 25 s for one, of which 5.5 have gone by
    assert "try again in 20 seconds" in refused.json()["message"]
    clock.seconds += 19
    assert ask().status_code == 429
    clock.seconds += 1
    assert ask().status_code == 201


class Clock:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def monotonic(self) -> float:
        return self.seconds


def test_a_budget_may_be_overdrawn_and_recovers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, "cpu", (10.0, 1e-6))
    limits = Limits(Settings(limits=True))
    assert limits.left("cpu", "ada") == 10
    limits.spend("cpu", "ada", 2.5)
    assert limits.left("cpu", "ada") == pytest.approx(7.5, abs=1e-3)
    limits.spend("cpu", "ada", 20)
    assert limits.left("cpu", "ada") == pytest.approx(-12.5, abs=1e-3)
    with pytest.raises(Denied, match="try again in"):
        limits.take("cpu", "ada")
    limits.spend("cpu", "crowd", 20, factor=5)
    assert limits.left("cpu", "crowd", factor=5) == pytest.approx(30, abs=1e-3)
    monkeypatch.setitem(LIMITS, "quick", (10.0, 1000.0))
    limits.spend("quick", "ada", 30)
    assert within(5, lambda: limits.left("quick", "ada") == 10)


def test_a_flood_of_names_makes_nobody_forget_who_asked_too_much() -> None:
    """The table has room for 65,536 names."""
    limits = Limits(Settings(limits=True))
    for _ in range(int(LIMITS["secret"][0])):
        limits.take("secret", "eve")
    for number in range(100_000):
        limits.take("secret", f"nobody {number}")
    with pytest.raises(Denied):
        limits.take("secret", "eve")


def test_where_a_name_lies_in_the_table_is_different_for_every_server() -> None:
    assert Memory().hash("ada") != Memory().hash("ada")


# Workers


def exhaust(path: Path) -> int:
    """How much a worker is given."""
    buckets = Buckets(Memory(path))
    return sum(buckets.take("ada", 1.0, 3000.0, now=0.0) == 0 for _ in range(3000))


def test_workers_share_a_bucket(file: Path) -> None:
    with ProcessPoolExecutor(4, spawned) as workers:
        given = list(workers.map(exhaust, [file] * 4))
    assert sum(given) == 3000


def open_and_wait(path: Path, opened: Any, times: int) -> None:
    counts = Counts(Memory(path))
    for _ in range(times):
        assert counts.add("ada", 100) is not None
    opened.set()
    spawned.Event().wait()


def test_workers_count_what_is_open_together_and_a_dead_ones_share_is_forgotten(file: Path) -> None:
    counts, opened = Counts(Memory(file)), spawned.Event()
    mine = counts.add("ada", 100)
    assert mine
    other = spawned.Process(target=open_and_wait, args=(file, opened, 3))
    other.start()
    assert opened.wait(30)
    assert counts.count("ada") == 4
    assert counts.add("ada", 4) is None
    other.kill()
    other.join()
    assert counts.add("ada", 4)
    assert counts.count("ada") == 2
    counts.remove(mine)
    assert counts.count("ada") == 1


def test_a_new_worker_begins_at_nothing(file: Path) -> None:
    opened = spawned.Event()
    other = spawned.Process(target=open_and_wait, args=(file, opened, 3))
    other.start()
    assert opened.wait(30)
    other.kill()
    other.join()
    counts = Counts(Memory(file))
    assert (counts.column, counts.count("ada")) == (0, 0)


def test_the_file_is_gone_with_the_server_and_was_nobody_elses(file: Path) -> None:
    assert file.stat().st_mode & 0o777 == 0o600
    with shared.created(1) as path:
        assert path
    assert not path.exists()


def test_guests_are_counted_by_all_workers_together(database: str, tmp_path: Path) -> None:
    server = Process("--data", str(tmp_path), "--database", database, "--workers", "2")
    try:
        assert made_guests(lambda: httpx.post(f"{server.address}/api/me", json={"name": "Ada"}, verify=False)) <= (
            CROWD * LIMITS["guest"][0] + 5
        )
    finally:
        server.stop()


def made_guests(ask: Callable[[], httpx.Response]) -> int:
    for number in range(200):
        if ask().status_code == 429:
            return number
    return 200


# Networks


def from_(server: Running, source: str, forwarded: Callable[[int], str]) -> int:
    """How many guests are made by somebody who connects from there and says that the requests come from elsewhere."""
    numbers = iter(range(1000))
    with httpx.Client(transport=httpx.HTTPTransport(local_address=source), base_url=server.address) as client:

        def ask() -> httpx.Response:
            client.cookies.clear()
            headers = {"X-Forwarded-For": forwarded(next(numbers))}
            return client.post("/api/me", json={"name": "Eve"}, headers=headers)

        return made_guests(ask)


WORST = {"list": 0.008, "open": 0.07, "whole": 0.01}  # seconds of the event loop that one of them takes, as measured


@pytest.mark.parametrize("kind", WORST)
def test_one_network_keeps_the_event_loop_busy_for_a_fifth_of_the_time_at_most(kind: str) -> None:
    assert CROWD * LIMITS[kind][1] * WORST[kind] <= 0.2


MOST_GUESTS = CROWD * LIMITS["guest"][0]


@linux
def test_a_client_that_is_not_a_trusted_proxy_cannot_claim_another_address(
    attempts: Attempts, limited: Running
) -> None:
    made = from_(limited, "127.0.0.2", lambda n: f"203.0.113.{n}")
    assert made <= MOST_GUESTS + 5
    attempts.add(made)


def test_behind_a_trusted_proxy_visitors_count_one_by_one(limited: Running) -> None:
    assert from_(limited, "127.0.0.1", lambda n: f"203.0.113.{n}") == 200


def test_what_a_visitor_tells_a_trusted_proxy_is_not_believed(limited: Running) -> None:
    """The proxy appends the address that it sees."""
    assert from_(limited, "127.0.0.1", lambda n: f"203.0.113.{n}, 198.51.100.1") <= MOST_GUESTS + 5


def test_addresses_of_one_ipv6_network_count_as_one(attempts: Attempts, limited: Running) -> None:
    assert from_(limited, "127.0.0.1", lambda n: f"2001:db8:0:1::{n:x}") <= MOST_GUESTS + 5
    assert from_(limited, "127.0.0.1", lambda n: f"2001:db8:0:{n + 2:x}::1") == 200
    attempts.add(int(MOST_GUESTS))


def test_an_ipv4_address_is_the_same_in_ipv6_clothes(limited: Running) -> None:
    found = from_(limited, "127.0.0.1", lambda n: ("203.0.113.1", "::ffff:203.0.113.1", "::ffff:cb00:7101")[n % 3])
    assert found <= MOST_GUESTS + 5


# Caps


def refused(guest: Guest, path: str) -> bool:
    with pytest.raises(InvalidStatus) as error, guest.socket(path):
        pass
    return error.value.response.status_code == 429


def test_sockets_of_one_person_are_counted_in_the_lobby_and_at_tables(
    limited: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CAPS, "person", 3)
    ada, ben = limited.guest("Ada"), limited.guest("Ben")
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    live = f"/api/tables/{match}/live"
    with ExitStack() as stack:
        for path in ("/api/lobby/live", live):
            stack.enter_context(ada.socket(path))
        stack.enter_context(ada.http.stream("GET", f"/api/tables/{match}/stream"))
        assert refused(ada, live)
        assert refused(ada, "/api/lobby/live")
        assert ada.get(f"/api/tables/{match}/stream", status=429)["reason"] == "too_many"
        with ben.socket("/api/lobby/live"):
            pass
    assert within(5, lambda: not limited.server.limits.counts.count(f"person {ada.id}"))
    with ada.socket(live):
        pass


def test_one_network_has_only_so_many_sockets(limited: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest who throws the cookie away is still at the same address."""
    monkeypatch.setitem(CAPS, "address", 3)
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(limited.guest(None).socket("/api/lobby/live"))
        assert refused(limited.guest(None), "/api/lobby/live")
        assert refused(limited.guest("Ada"), "/api/lobby/live")
