"""Guests: a name, a cookie that scripts cannot read, a key for programs; and the lobby they meet in."""

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from plenilune.server.http.limits import CAPS, LIMITS
from plenilune.server.http.routes.live import FOR_GOOD, TRY_LATER
from plenilune.server.settings import Settings
from plenilune.server.storage.people import Presented
from tests.server.operating import closed
from tests.server.running import Guest, Live, Running, running, sqlite


def test_a_guest_is_a_name_and_a_cookie(server: Running) -> None:
    ada = server.guest(None)
    assert ada.get("/api/me")["me"] is None
    response = ada.http.post("/api/me", json={"name": "  Ada \u202e Lovelace "})
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert response.json()["name"] == "Ada Lovelace"
    assert ada.get("/api/me")["me"] == response.json()
    secret = ada.http.cookies["plenilune"]
    assert len(secret) == 32
    assert secret not in response.text


def test_a_guest_takes_another_name_and_stays_the_same(ada: Guest) -> None:
    again = ada.post("/api/me", {"name": "Countess"})
    assert (again["id"], again["name"]) == (ada.id, "Countess")
    assert ada.get("/api/me")["me"]["name"] == "Countess"
    assert ada.table("moon-leap", "me", "open")["table"]["seats"][0]["name"] == "Countess"


@pytest.mark.parametrize("name", ["", " ", "\u202e", "\n", "x" * 25])
def test_a_name_is_something_to_read(server: Running, name: str) -> None:
    guest = server.guest(None)
    assert guest.post("/api/me", {"name": name}, status=400)["reason"] == "bad_request"
    assert guest.get("/api/me")["me"] is None


def test_a_program_has_a_key_instead_of_a_cookie(server: Running) -> None:
    program = server.guest(None)
    response = program.http.post("/api/me", json={"name": "Tycho", "key": True})
    assert "set-cookie" not in response.headers
    headers = {"Authorization": f"Bearer {response.json()['key']}"}
    assert program.http.get("/api/me", headers=headers).json()["me"]["id"] == response.json()["id"]
    assert program.get("/api/me")["me"] is None


def test_a_forgotten_guest_is_nobody(ada: Guest) -> None:
    ada.ask("DELETE", "/api/me")
    assert ada.get("/api/me")["me"] is None


def test_people_who_delete_themselves_are_disconnected_and_forgotten_at_once(server: Running) -> None:
    """A socket that was open before must not go on, and nobody who comes later sees what they said."""
    ada, ben = server.guest("Ada"), server.guest("Ben")
    match = ada.table("moon-leap", "me", "open")["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {})
    with ada.live(match) as hers, ben.live(match) as his:
        ada.post(f"/api/tables/{match}/say", {"kind": "say", "text": "I live in London"})
        assert his.wait("chat")["text"] == "I live in London"
        ada.ask("DELETE", "/api/me")
        assert hers.wait("refused")["reason"] == "unknown_guest"
        with pytest.raises(ConnectionClosed):
            hers.next()
        assert his.wait("chat")["deleted"]
    with ben.live(match) as later:
        welcome = later.next()
    assert [line["text"] for line in welcome["chat"]] == [""]
    seat = welcome["table"]["seats"][0]
    assert (seat["name"], seat["absent"]) == ("Guest", True)


def test_a_revoked_key_keeps_no_socket_open(server: Running) -> None:
    ada, program = server.guest("Ada"), server.guest(None)
    key = ada.post("/api/keys", {"label": "bot"})
    with program.socket("/api/lobby/live", Authorization=f"Bearer {key['key']}") as socket:
        socket.recv(20)
        ada.ask("DELETE", f"/api/keys/{key['id']}")
        assert json.loads(socket.recv(20))["reason"] == "unknown_guest"
        with pytest.raises(ConnectionClosed):
            socket.recv(20)


def test_a_credential_that_is_revoked_while_it_is_looked_up_is_not_remembered(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, people = server.guest("Ada"), server.server.people
    people._known.clear()
    look_up = server.server.store.people.by_credential

    async def slowly(digest: str) -> Any:
        found = await look_up(digest)
        if found:
            await people.delete(found.person, Presented(digest, False))
        return found

    monkeypatch.setattr(server.server.store.people, "by_credential", slowly)
    ada.get("/api/me")
    assert ada.get("/api/me")["me"] is None


def test_a_new_name_makes_nobody_else_be_looked_up_again(server: Running) -> None:
    ada, _ben = server.guest("Ada"), server.guest("Ben")
    ada.post("/api/me", {"name": "Countess"})
    assert [known.person.name for known in server.server.people._known.values()] == ["Ben"]


def test_the_database_holds_no_secret_that_opens_anything(settings: Settings) -> None:
    with running(settings) as server:
        ada = server.guest()
        invite = ada.table("moon-leap", "me", "friend")["invites"][0]["secret"]
        cookie = ada.http.cookies["plenilune"]
    kept = b"".join(file.read_bytes() for file in Path(settings.data).iterdir())
    assert ada.id
    assert ada.id.encode() in kept
    assert cookie.encode() not in kept
    assert invite.encode() not in kept


def test_a_socket_that_may_not_be_opened_is_refused_like_a_request(ada: Guest, ben: Guest) -> None:
    match = ada.table("moon-leap", "me", "random", spectators=False)["table"]["id"]
    with pytest.raises(InvalidStatus) as refused, ben.live(match):
        pass
    assert refused.value.response.status_code == 403
    assert json.loads(refused.value.response.body or b"")["reason"] == "forbidden"
    with pytest.raises(InvalidStatus) as refused, ada.live(match, Origin="https://elsewhere.example"):
        pass
    assert json.loads(refused.value.response.body or b"")["reason"] == "wrong_origin"


def test_a_page_is_told_why_its_socket_is_refused(server: Running, ada: Guest, ben: Guest) -> None:
    """A browser shows a page only whether a socket was opened, and what is said over it."""
    match = ada.table("moon-leap", "me", "random", spectators=False)["table"]["id"]
    with ben.live(match, Origin=server.address) as live:
        said, code = closed(live)
    assert ([message["reason"] for message in said], code) == (["forbidden"], FOR_GOOD)
    assert "watch" in said[0]["message"]
    with ada.live("a" * 16, Origin=server.address) as live:
        said, code = closed(live)
    assert ([message["reason"] for message in said], code) == (["not_found"], FOR_GOOD)
    with pytest.raises(InvalidStatus), ben.live(match, Origin="https://elsewhere.example"):
        pass


def test_a_page_with_too_many_sockets_may_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CAPS, "person", 1)
    with running(sqlite(tmp_path, limits=True)) as server:
        ada = server.guest()
        with ada.socket("/api/lobby/live"), ada.socket("/api/lobby/live", Origin=server.address) as second:
            said, code = closed(Live(second))
        assert ([message["reason"] for message in said], code) == (["too_many"], TRY_LATER)


def test_a_flood_of_sockets_is_refused_without_opening_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, "socket", (0.2, 0.001))  # one, for a network
    with running(sqlite(tmp_path, limits=True)) as server:
        nobody = server.guest(None)
        with nobody.socket("/api/lobby/live", Origin=server.address):
            pass
        with pytest.raises(InvalidStatus) as refused, nobody.socket("/api/lobby/live", Origin=server.address):
            pass
        assert refused.value.response.status_code == 429


def test_so_many_sockets_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CAPS, "person", 2)
    with running(sqlite(tmp_path, limits=True)) as server:
        ada = server.guest()
        match = ada.table("moon-leap", "me", "random")["table"]["id"]
        with ada.live(match), ada.live(match):
            with pytest.raises(InvalidStatus) as refused, ada.live(match):
                pass
            assert refused.value.response.status_code == 429
            assert ada.get(f"/api/tables/{match}/stream", status=429)["reason"] == "too_many"
        with ada.live(match) as live:
            assert live.next()["kind"] == "welcome"


def test_who_is_in_the_lobby_sees_tables_come_and_go(ada: Guest, ben: Guest) -> None:
    with ben.socket("/api/lobby/live") as socket:
        assert json.loads(socket.recv(20))["open"] == []
        match = ada.table("moon-leap", "me", "open", public=True)["table"]["id"]
        changes = json.loads(socket.recv(20))
        assert (changes["open"], [row["id"] for row in changes["rows"]]) == ([match], [match])
        ben.post(f"/api/tables/{match}/join", {})
        while (changes := json.loads(socket.recv(20)))["open"] != []:
            pass
        assert changes["live"] == changes["mine"] == [match]


def test_who_may_watch_no_longer_is_told_nothing_more(ada: Guest, ben: Guest) -> None:
    match = ada.table("moon-leap", "me", "open", spectators=False)["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {})
    other = ada.table("moon-leap", "me", "open", "open", spectators=False)["table"]["id"]
    ben.post(f"/api/tables/{other}/join", {})
    with ben.live(other) as live:
        live.next()
        ben.post(f"/api/tables/{other}/leave", {})
        assert live.wait("refused")["reason"] == "forbidden"
        ada.post(f"/api/tables/{other}/start", {"bot": "random"})
        live.say("resync")
        assert live.next()["reason"] == "forbidden"
        live.say("ping", id="1")
        assert live.next()["kind"] == "pong"
