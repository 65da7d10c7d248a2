"""Cookies and API keys: what each may do, and that nothing of a deleted guest comes back."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from plenilune.server.clock import now
from plenilune.server.http.identity import MOST_KEYS
from plenilune.server.protocol import Join, Mine, NewTable, Open, Say
from plenilune.server.protocol.refusals import Denied
from plenilune.server.settings import Settings
from plenilune.server.storage.people import DELETED, Presented
from plenilune.server.storage.retention import DAY, Retention, retire
from plenilune.server.storage.rows import Person, digest
from plenilune.server.storage.schema import chat, credentials, people, seats
from tests.server.attempts import Attempts
from tests.server.running import Guest, Running, running, sqlite

NEW = NewTable("moon-leap", [Mine(), Open()])


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Running]:
    database = request.getfixturevalue("database") if request.param == "postgresql" else ""
    with running(sqlite(tmp_path, database=database)) as server:
        yield server


def cookie_of(guest: Guest) -> str:
    return str(guest.http.cookies["plenilune"])


def who(guest: Guest, name: str = "Ada") -> tuple[Person, Presented]:
    """Somebody as a request of theirs is known to the server."""
    return Person(str(guest.id), name), Presented(digest(cookie_of(guest)), bearer=False)


def program(server: Running, key: str) -> Guest:
    """Somebody who sends this key with every request."""
    guest = server.guest(None)
    guest.http.headers["authorization"] = f"Bearer {key}"
    return guest


def rows(server: Running, statement: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in server.in_loop(server.server.store.all(statement))]


# Deletion


def test_nothing_that_is_asked_for_during_a_deletion_outlives_it(attempts: Attempts, either: Running) -> None:
    """Keys, names, seats and chat lines: whatever comes after the deletion is refused, and what came before is gone."""
    server, shuffled = either.server, random.Random(1)
    ben = either.guest("Ben")
    for _ in range(6):
        ada = either.guest("Ada")
        me, by = who(ada)
        hers, his = (guest.table("moon-leap", "me", "open", "open")["table"]["id"] for guest in (ada, ben))
        table, other = (either.in_loop(server.tables.get(match)) for match in (hers, his))
        asked: list[Coroutine[Any, Any, Any]] = [server.delete(me, by)]
        for _ in range(2):
            asked += [
                server.people.add_key(me, by, "bot"),
                server.people.rename(me, by, "Countess"),
                server.people.rename(me, by, "Countess", program=True),
                table.say(me, Say("I live in London")),
                server.creation.create(me, NEW),
            ]
        asked.append(server.creation.join(me, other, Join()))
        shuffled.shuffle(asked)
        answers = either.in_loop(together(asked))
        assert all(isinstance(a, Denied) for a in answers if isinstance(a, BaseException)), answers
        attempts.add(len(asked) - 1)
    gone = [row["id"] for row in rows(either, sa.select(people.c.id).where(people.c.name != "Ben"))]
    assert len(gone) == 6
    assert rows(either, sa.select(credentials).where(credentials.c.person.in_(gone))) == []
    assert {row["name"] for row in rows(either, sa.select(people).where(people.c.id.in_(gone)))} == {DELETED}
    assert {row["name"] for row in rows(either, sa.select(seats).where(seats.c.person.in_(gone)))} <= {DELETED}
    assert {row["text"] for row in rows(either, sa.select(chat).where(chat.c.person.in_(gone)))} <= {""}


async def together(asked: list[Coroutine[Any, Any, Any]]) -> list[Any]:
    return await asyncio.gather(*asked, return_exceptions=True)


def test_a_person_who_was_deleted_elsewhere_is_told_so(either: Running) -> None:
    """Another process may know them for a while."""
    server, ada = either.server, either.guest("Ada")
    me, by = who(ada)
    either.in_loop(server.store.people.delete(me.id, by, now()))
    for path, body in (("/api/me", {"name": "Countess"}), ("/api/keys", {"label": "bot"})):
        assert ada.post(path, body, status=401)["reason"] == "unknown_guest"
    ada.table("moon-leap", "me", "open", status=401)
    ada.ask("DELETE", "/api/me", status=401)


# Kinds of credentials


def test_the_key_of_a_guest_without_a_cookie_is_listed_and_revokes_itself(server: Running) -> None:
    key = server.guest(None).post("/api/me", {"name": "Tycho", "key": True})["key"]
    tycho = program(server, key)
    (listed,) = tycho.get("/api/keys")["keys"]
    assert (listed["label"], listed["key"]) == ("key", None)
    assert tycho.ask("DELETE", f"/api/keys/{listed['id']}")["keys"] == []
    assert tycho.get("/api/me")["me"] is None


def test_guests_with_a_key_are_kept_whether_or_not_they_ever_had_a_cookie(either: Running) -> None:
    keyed = either.guest(None).post("/api/me", {"name": "Tycho", "key": True})["id"]
    both, neither = either.guest("Ada"), either.guest("Ben")
    both.post("/api/keys", {"label": "bot"})
    either.in_loop(either.server.store.execute(people.update().values(seen=0)))
    either.in_loop(retire(either.server.store, Retention(), now() + 8 * DAY))
    left = {row["id"] for row in rows(either, sa.select(people.c.id))}
    assert left == {keyed, both.id}
    assert neither.id not in left


def test_a_stolen_key_makes_no_other_and_revokes_no_other(attempts: Attempts, server: Running) -> None:
    """Nor with the name of a cookie: what a credential is was decided when it was made."""
    ada = server.guest("Ada")
    stolen, other = (ada.post("/api/keys", {"label": label}) for label in ("stolen", "other"))
    as_cookie = server.guest(None)
    as_cookie.http.cookies.set("plenilune", stolen["key"])
    for eve in (program(server, stolen["key"]), as_cookie):
        refusals = [
            eve.http.post("/api/keys", json={"label": "another"}),
            eve.http.post("/api/me", json={"name": "Eve", "key": True}),
            eve.http.delete(f"/api/keys/{other['id']}"),
            eve.http.delete("/api/me"),
        ]
        assert [(answer.status_code, answer.json()["reason"]) for answer in refusals] == [(403, "forbidden")] * 4
        attempts.add(len(refusals))
    assert ada.get("/api/me")["me"]["name"] == "Ada", "a refusal changes nothing"
    assert {key["label"] for key in ada.get("/api/keys")["keys"]} == {"stolen", "other"}
    ada.ask("DELETE", f"/api/keys/{stolen['id']}")
    assert program(server, stolen["key"]).get("/api/me")["me"] is None


def test_a_guest_with_nothing_but_a_key_may_take_another_name_and_delete_themselves(server: Running) -> None:
    tycho = program(server, server.guest(None).post("/api/me", {"name": "Tycho", "key": True})["key"])
    assert tycho.post("/api/me", {"name": "Brahe"})["name"] == "Brahe"
    tycho.ask("DELETE", "/api/me")
    assert tycho.get("/api/me")["me"] is None


def test_a_cookie_makes_and_revokes_keys_as_before(ada: Guest) -> None:
    for number in range(MOST_KEYS):
        ada.post("/api/keys", {"label": f"bot {number}"})
    assert ada.post("/api/me", {"name": "Ada", "key": True}, status=429)["detail"] == "too_many_keys"
    first = ada.get("/api/keys")["keys"][0]["id"]
    ada.ask("DELETE", f"/api/keys/{first}")
    assert ada.post("/api/me", {"name": "Ada", "key": True})["key"]


# Credentials of older databases, which do not say what they are


def make_older(server: Running, guest: Guest) -> None:
    server.in_loop(server.server.store.execute(credentials.update().values(kind="", id="", label="")))
    server.server.people.forget(str(guest.id))


def test_a_credential_of_an_older_database_is_a_key_once_a_program_uses_it(settings: Settings) -> None:
    with running(settings) as server:
        key = server.guest(None).post("/api/me", {"name": "Tycho", "key": True})
        tycho = program(server, key["key"])
        tycho.id = key["id"]
        make_older(server, tycho)
        assert tycho.post("/api/keys", {"label": "bot"}, status=403)["reason"] == "forbidden"
        (listed,) = tycho.get("/api/keys")["keys"]
        assert (listed["label"], len(listed["id"])) == ("key", 16)
        server.in_loop(server.server.store.execute(people.update().values(seen=0)))
        server.in_loop(retire(server.server.store, Retention(), now()))
        assert tycho.get("/api/me")["me"]["name"] == "Tycho"
        tycho.ask("DELETE", f"/api/keys/{listed['id']}")


def test_a_cookie_of_an_older_database_still_makes_keys(server: Running, ada: Guest) -> None:
    make_older(server, ada)
    key = ada.post("/api/keys", {"label": "bot"})
    assert program(server, key["key"]).get("/api/me")["me"]["id"] == ada.id
    assert [listed["label"] for listed in ada.get("/api/keys")["keys"]] == ["bot"]
