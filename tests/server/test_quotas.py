"""Quotas hold however many ask at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from plenilune import load
from plenilune.server.clock import now
from plenilune.server.http.identity import MOST_KEYS
from plenilune.server.http.routes.tables import MOST_REPORTS, MOST_REPORTS_NEAR
from plenilune.server.protocol import BotSeat, Join, Mine, NewTable, Open, ReportedLine
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.people import Presented
from plenilune.server.storage.rows import Person, digest, new_id
from plenilune.server.storage.schema import matches
from plenilune.server.tables import clocks, creation, daily, decide
from plenilune.server.tables.creation import MOST_WAITING_PUBLIC
from plenilune.server.tables.table import Table
from tests.server.attempts import Attempts
from tests.server.running import COMPILING, Running, running, sqlite

AT_ONCE = 15  # more than one too many


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Running]:
    database = request.getfixturevalue("database") if request.param == "postgresql" else ""
    with running(sqlite(tmp_path, limits=True, database=database)) as server:
        yield server


def granted(server: Running, asked: list[Coroutine[Any, Any, Any]]) -> int:
    """How many of those who ask at the same time get it; the others are told that they have too many."""

    async def ask() -> list[Any]:
        return await asyncio.gather(*asked, return_exceptions=True)

    answers = server.in_loop(ask())
    refusals = [answer for answer in answers if isinstance(answer, BaseException)]
    assert {refusal.reason for refusal in refusals if isinstance(refusal, Denied)} == {"too_many"}
    return len(answers) - len(refusals)


def test_keys_that_are_asked_for_at_the_same_time(either: Running) -> None:
    guest, people = either.guest("Ada"), either.server.people
    ada, by = Person(str(guest.id), "Ada"), Presented(digest(guest.http.cookies["plenilune"]), bearer=False)
    assert granted(either, [people.add_key(ada, by, f"bot {n}") for n in range(AT_ONCE)]) == MOST_KEYS


def test_public_tables_from_one_network_that_are_made_at_the_same_time(either: Running) -> None:
    asked, maker = NewTable("moon-leap", [Mine(), Open()], public=True), either.server.creation
    hosts = [Person(new_id(), "Host") for _ in range(AT_ONCE)]
    assert granted(either, [maker.create(host, asked, "one") for host in hosts]) == MOST_WAITING_PUBLIC
    either.in_loop(maker.create(hosts[0], asked, "another"))


def test_public_tables_from_one_network_that_begin_at_once(
    attempts: Attempts, either: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They wait for nobody. The lobby chooses among all that are not over: thousands of them would keep it busy."""
    monkeypatch.setattr(creation, "MOST_PUBLIC", 5)
    asked, maker = NewTable("moon-leap", [Mine(), Mine()], public=True), either.server.creation
    hosts = [Person(new_id(), "Host") for _ in range(AT_ONCE)]
    assert granted(either, [maker.create(host, asked, "one") for host in hosts]) == 5
    either.in_loop(maker.create(hosts[0], asked, "another"))
    attempts.add(AT_ONCE)


def test_tables_of_one_network_within_a_day_whatever_became_of_them(attempts: Attempts, either: Running) -> None:
    """A person who resigns has no unfinished table, and could fill the database under one name or many."""
    maker, asked, game = either.server.creation, NewTable("moon-leap", [Mine(), BotSeat("random")]), load("nova-luna")
    either.in_loop(maker.deal(Person(new_id(), "Ada"), game, "elsewhere"), COMPILING)
    maker._a_day = 4
    hosts = [Person(new_id(), "Host") for _ in range(AT_ONCE)]
    assert granted(either, [maker.create(host, asked, "one") for host in hosts]) == 4
    for table in list(either.server.tables.loaded.values()):
        for host in hosts:
            if decide.seats_of(table.state, host):
                either.in_loop(table.resign(host, None))
    assert granted(either, [maker.create(hosts[0], asked, "one"), maker.deal(hosts[0], game, "one")]) == 0
    either.in_loop(maker.create(hosts[0], asked, "another"))
    either.in_loop(either.server.store.execute(matches.update().values(created=now() - clocks.DAY - 1)))
    either.in_loop(maker.deal(hosts[0], game, "one"))
    attempts.add(AT_ONCE)


def test_tables_of_one_host_that_are_made_at_the_same_time(either: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creation, "MOST_UNFINISHED", 5)
    asked, host, maker = NewTable("moon-leap", [Mine(), Open()]), Person(new_id(), "Host"), either.server.creation
    assert granted(either, [maker.create(host, asked, f"network {n}") for n in range(AT_ONCE)]) == 5


def test_seats_that_one_person_takes_at_the_same_time(
    attempts: Attempts, either: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person who sits down at every table in the lobby keeps everybody else from playing."""
    monkeypatch.setattr(creation, "MOST_WAITING_ELSEWHERE", 4)
    maker, eve, ada = either.server.creation, Person(new_id(), "Eve"), Person(new_id(), "Ada")
    tables = waiting_tables(either, AT_ONCE)
    assert granted(either, [maker.join(eve, table, Join()) for table in tables]) == 4
    taken = [table for table in tables if decide.seats_of(table.state, eve)]
    assert either.in_loop(maker.join(ada, tables[0], Join())) is None
    either.in_loop(taken[0].leave(eve, None))
    free = next(table for table in tables if not decide.seats_of(table.state, eve) and table is not taken[0])
    either.in_loop(maker.join(eve, free, Join()))
    attempts.add(AT_ONCE)


def test_seats_at_matches_that_go_on_count_until_one_resigns(either: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creation, "MOST_SEATED", 3)
    maker, eve = either.server.creation, Person(new_id(), "Eve")
    tables = waiting_tables(either, 5, seats=2)
    for table in tables[:3]:
        either.in_loop(maker.join(eve, table, Join()))
        assert table.row.status == "playing"
    assert granted(either, [maker.join(eve, tables[3], Join())]) == 0
    assert granted(either, [maker.create(eve, NewTable("moon-leap", [Mine(), Open()]))]) == 0
    either.in_loop(maker.create(eve, NewTable("moon-leap", [Open(), Open()])))  # without a seat for the maker
    either.in_loop(tables[0].leave(eve, None))
    assert granted(either, [maker.join(eve, tables[3], Join())]) == 0
    either.in_loop(tables[1].resign(eve, None))
    either.in_loop(maker.join(eve, tables[3], Join()))


def waiting_tables(server: Running, number: int, seats: int = 3) -> list[Table]:
    """Tables of as many hosts, each with a seat of their own."""
    asked = NewTable("moon-leap", [Mine(), *[Open()] * (seats - 1)])
    hosts = [Person(new_id(), f"Host {n}") for n in range(number)]
    return [server.in_loop(server.server.creation.create(host, asked, f"network {host.id}"))[0] for host in hosts]


def test_attempts_at_a_deal_that_are_begun_at_the_same_time(either: Running) -> None:
    maker, game, guests = either.server.creation, load("nova-luna"), [Person(new_id(), "Ada") for _ in range(AT_ONCE)]

    async def begin() -> list[Table]:
        return await asyncio.gather(*(maker.deal(guest, game, "one") for guest in guests))

    begun = either.in_loop(begin())
    assert sum(table.row.unranked is None for table in begun) == daily.RANKED_PER_NETWORK
    rows = [either.in_loop(either.server.store.match(table.id)) for table in begun]
    assert rows == [table.row for table in begun]
    assert either.in_loop(maker.deal(Person(new_id(), "Ben"), game, "another")).row.unranked is None


def test_reports_of_one_person_that_are_made_at_the_same_time(either: Running) -> None:
    reports, add = [a_report("ada", n) for n in range(MOST_REPORTS + 5)], either.server.store.moderation.add_report
    assert granted(either, [add(report, MOST_REPORTS, MOST_REPORTS_NEAR) for report in reports]) == MOST_REPORTS


def test_reports_of_many_guests_from_one_network(attempts: Attempts, either: Running) -> None:
    """They are kept until an operator closes them, and a person without a cookie is a new guest."""
    people, moderation = either.server.store.people, either.server.store.moderation
    guests = [Person(new_id(), "Eve") for _ in range(AT_ONCE)]
    other, old = Person(new_id(), "Ada"), Person(new_id(), "Ben")
    for guest in guests:
        either.in_loop(people.add(guest, guest.id, "one", now()))
    either.in_loop(people.add(other, other.id, "another", now()))
    either.in_loop(people.add(old, old.id, "", now()))  # by 0.1, which did not note it
    asked = [a_report(guest.id, number) for number, guest in enumerate(guests)]
    assert granted(either, [moderation.add_report(report, MOST_REPORTS, 4) for report in asked]) == 4
    for number in range(5):
        either.in_loop(moderation.add_report(a_report(old.id, number), MOST_REPORTS, 4))
    either.in_loop(moderation.add_report(a_report(other.id, 1), MOST_REPORTS, 4))
    attempts.add(AT_ONCE)


def a_report(person: str, line: int) -> ReportedLine:
    return ReportedLine(new_id(), "m", line, "a", "Eve", "vile", person, "", 0, None)
