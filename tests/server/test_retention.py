"""Retention: what has outlived its time is deleted, and nothing else."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from plenilune.core.errors import BadSetting
from plenilune.server.settings import Settings, load_settings
from plenilune.server.storage.retention import DAY, OF_A_MATCH, Retention, retire
from plenilune.server.storage.schema import audit, chat, credentials, matches, metadata, people, reports, seats
from plenilune.server.storage.store import Store
from tests.server.attempts import Attempts
from tests.server.running import Running, running, sqlite

AT = 2_000_000_000_000
KEEP = Retention()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return sqlite(tmp_path).url
    return Settings(database=request.getfixturevalue("database")).url


def on(url: str, work: Callable[[Store], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with Store(url).open() as store:
            return await work(store)

    return asyncio.run(run())


async def add_match(store: Store, id: str, days: float, person: str = "ada", **more: Any) -> None:
    """A match at which nothing has happened for so many days."""
    row: dict[str, Any] = {
        "id": id, "version": 1, "game": "moon-leap", "rules": 2, "components": "", "layout": "", "options": "{}",
        "seed": id, "status": "playing", "state": b"x", "ply": 1, "to_play": 0, "turn": 0, "host": person,
        "clock": "{}", "left": "[]", "bot_turn": False, "claimed": 0, "public": False, "spectators": True,
        "hints": True, "chat": True, "stand_in": "greedy", "created": 0, "changed": AT - int(days * DAY),
    }  # fmt: skip
    await store.execute(matches.insert().values(**row | more))
    seat = {"match": id, "seat": 0, "held_by": "person", "person": person, "name": "Ada", "absent": False}
    await store.execute(seats.insert().values(**seat, resigned=False, present=0))
    line = {"match": id, "number": 1, "person": person, "name": "Ada", "seat": 0, "text": "hello", "at": 0}
    await store.execute(chat.insert().values(**line))


async def add_person(store: Store, id: str, days: float, key: str = "") -> None:
    await store.execute(people.insert().values(id=id, name=id, created=0, seen=AT - int(days * DAY)))
    await store.execute(credentials.insert().values(digest=id, person=id, id=key))


async def left(store: Store, table: Any, column: str = "id") -> set[str]:
    return {row[column] for row in await store.all(sa.select(table.c[column]))}


async def retire_all(store: Store, keep: Retention = KEEP) -> None:
    while (await retire(store, keep, AT)).something:
        pass


def test_tables_that_never_began_go_after_a_day(url: str) -> None:
    async def work(store: Store) -> set[str]:
        never: dict[str, Any] = {"state": None}
        await add_match(store, "waits", 0.9, status="waiting", **never)
        await add_match(store, "waited", 1.1, status="waiting", **never)
        await add_match(store, "left by all", 1.1, status="over", **never)
        await retire_all(store)
        assert await left(store, chat, "match") == {"waits"}
        return await left(store, matches)

    assert on(url, work) == {"waits"}


def test_matches_go_a_month_after_the_last_action_unless_a_clock_still_runs(url: str) -> None:
    async def work(store: Store) -> set[str]:
        await add_match(store, "played at", 29)
        await add_match(store, "abandoned", 31)
        await add_match(store, "long turn", 31, deadline=AT + 1)
        await add_match(store, "stuck", 31, deadline=AT - 1)
        await add_match(store, "finished", 4000, status="over")
        await retire_all(store)
        return await left(store, matches)

    assert on(url, work) == {"played at", "long turn", "finished"}


def test_matches_that_were_given_up_early_go_after_a_day_and_daily_ones_when_their_ranking_is_closed(url: str) -> None:
    async def work(store: Store) -> set[str]:
        given_up: dict[str, Any] = {"status": "over", "brief": True}
        await add_match(store, "today", 0.9, **given_up)
        await add_match(store, "yesterday", 1.1, **given_up)
        await add_match(store, "played", 1.1, status="over")
        await add_match(store, "deal", 1.9, daily="2033-05-17", daily_of="ada", **given_up)
        await add_match(store, "old deal", 2.1, daily="2033-05-16", daily_of="ada", **given_up)
        await retire_all(store)
        return await left(store, matches)

    assert on(url, work) == {"today", "played", "deal"}


def test_nobody_gets_a_deal_twice_however_soon_matches_are_deleted(url: str) -> None:
    """A person who may begin it again knows the dice."""

    async def work(store: Store) -> set[str]:
        await add_match(store, "deal", 1.9, status="over", daily="2033-05-17", daily_of="ada")
        await add_match(store, "other", 1.9, status="over")
        await retire_all(store, KEEP._replace(finished=0.01, abandoned=0.01))
        return await left(store, matches)

    assert on(url, work) == {"deal"}


def test_tables_that_are_made_and_resigned_leave_nothing_behind(attempts: Attempts, settings: Settings) -> None:
    with running(settings) as server:
        ada = server.guest()
        for _ in range(20):
            match = ada.table("moon-leap", "me", "random")["table"]["id"]
            ada.post(f"/api/tables/{match}/resign", {})
            make_old(server, match)
            attempts.add()
        server.in_loop(server.server.upkeep.retire())
        store = server.server.store
        for table in (matches, *OF_A_MATCH):
            assert server.in_loop(store.all(sa.select(table))) == []


def test_a_guest_who_comes_back_while_others_are_deleted_keeps_cookie_and_name(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(store: Store) -> tuple[set[str], set[str]]:
        await add_person(store, "comes back", 8)
        await add_person(store, "gone", 8)
        run = store.run

        async def slowly(work: Any) -> Any:
            await store.execute(people.update().where(people.c.id == "comes back").values(seen=AT))
            return await run(work)

        monkeypatch.setattr(store, "run", slowly)
        monkeypatch.setattr(store, "execute", lambda statement, rows=(): run(lambda c: c.execute(statement)))
        await retire(store, KEEP, AT)
        return await left(store, people), await left(store, credentials, "person")

    assert on(url, work) == ({"comes back"}, {"comes back"})


def test_finished_matches_are_kept_unless_told_otherwise(url: str) -> None:
    async def work(store: Store) -> set[str]:
        await add_match(store, "old", 400, status="over")
        await add_match(store, "new", 300, status="over")
        await retire_all(store)
        assert await left(store, matches) == {"old", "new"}
        assert await left(store, chat, "match") == set()  # what was said goes after 90 days
        await retire_all(store, KEEP._replace(finished=365))
        return await left(store, matches)

    assert on(url, work) == {"new"}


def test_guests_go_a_week_after_their_last_visit_unless_something_is_theirs(url: str) -> None:
    async def work(store: Store) -> set[str]:
        for id, days in (("visits", 6), ("gone", 8), ("plays", 8), ("is awaited", 8), ("has a key", 8)):
            await add_person(store, id, days, "k" if id == "has a key" else "")
        await add_match(store, "m", 1, person="plays")
        await store.execute(seats.update().values(reserved="is awaited"))
        await retire_all(store)
        assert await left(store, credentials, "person") == {"visits", "plays", "is awaited", "has a key"}
        return await left(store, people)

    assert on(url, work) == {"visits", "plays", "is awaited", "has a key"}


def test_records_of_moderation_go_after_a_year(url: str) -> None:
    async def work(store: Store) -> tuple[set[str], set[str]]:
        for id, days, closed in (("open", 400, False), ("closed", 400, True), ("lately", 300, True)):
            row = {"match": "m", "number": 1, "author": "a", "name": "A", "text": "t", "person": id, "note": ""}
            await store.execute(reports.insert().values(id=id, at=0, **row, closed=AT - days * DAY if closed else None))
        for id, days in (("old", 366), ("new", 364)):
            row = {"operator": "o", "action": "a", "target": "t", "note": ""}
            await store.execute(audit.insert().values(id=id, at=AT - days * DAY, **row))
        await retire_all(store)
        return await left(store, reports), await left(store, audit)

    assert on(url, work) == ({"open", "lately"}, {"new"})


def test_many_are_deleted_in_small_steps(attempts: Attempts, url: str) -> None:
    async def work(store: Store) -> list[int]:
        for number in range(120):
            await add_match(store, f"m{number}", 40)
        steps = []
        while gone := (await retire(store, KEEP, AT)).tables:
            steps.append(len(gone))
        return steps

    assert on(url, work) == [50, 50, 20]
    attempts.add(120)


def test_nothing_that_refers_to_a_match_is_forgotten() -> None:
    """A table of the schema that refers to matches must be deleted from before them."""
    refers = {t for t in metadata.sorted_tables if any(key.column.table is matches for key in t.foreign_keys)}
    assert refers == set(OF_A_MATCH)


def test_a_running_server_deletes_and_tells_those_who_watch(settings: Settings) -> None:
    with running(settings) as server:
        ada = server.guest()
        match = ada.table("moon-leap", "me", "open")["table"]["id"]
        with ada.live(match) as live:
            live.wait("welcome")
            make_old(server, match)
            server.in_loop(server.server.upkeep.retire())
            assert "deleted" in live.wait("refused")["message"]
        assert ada.get(f"/api/tables/{match}", status=404)["reason"] == "not_found"


def make_old(server: Running, match: str) -> None:
    update = matches.update().where(matches.c.id == match).values(changed=0)
    server.in_loop(server.server.store.execute(update))


def test_days_are_numbers_or_forever() -> None:
    assert load_settings({}, {"PLENILUNE_KEEP_FINISHED": "365", "PLENILUNE_KEEP_CHAT": "forever"}).kept() == {
        "waiting": 1,
        "abandoned": 30,
        "brief": 1,
        "finished": 365,
        "guests": 7,
        "chat": math.inf,
        "records": 365,
    }
    with pytest.raises(BadSetting, match="keep_guests is a number of days"):
        load_settings({}, {"PLENILUNE_KEEP_GUESTS": "0"})
    with pytest.raises(BadSetting, match="PLENILUNE_KEEP_GUESTS is a number"):
        load_settings({}, {"PLENILUNE_KEEP_GUESTS": "soon"})
