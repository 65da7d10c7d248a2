"""Who is kept out: other sites' pages, scripts from elsewhere, who asks too often, too much, or too big."""

from __future__ import annotations

import http.cookies
import itertools
import json
import re
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from plenilune.server.clock import now
from plenilune.server.http import identity
from plenilune.server.http.limits import CROWD, LARGEST, LIMITS
from plenilune.server.protocol import ENDPOINTS
from plenilune.server.storage.schema import credentials, facts, metadata
from plenilune.server.tables import creation
from tests.server.attempts import Attempts
from tests.server.running import Guest, Running, new_id, running, sqlite

ELSEWHERE = ["https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", "https://127.0.0.1.evil.example"]
CHANGING = [endpoint for endpoint in ENDPOINTS if endpoint.method != "GET"]


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Running]:
    """A server with its limits on."""
    with running(sqlite(tmp_path, limits=True)) as server:
        yield server


def everything(server: Running) -> list[Any]:
    """All rows there are."""
    store = server.server.store

    async def read() -> list[Any]:
        return [await store.all(table.select()) for table in metadata.sorted_tables]

    return [[dict(row) for row in rows] for rows in server.in_loop(read())]


# Origin and CSRF


@pytest.mark.parametrize("endpoint", CHANGING, ids=lambda e: f"{e.method} {e.path}")
def test_another_sites_page_changes_nothing(server: Running, ada: Guest, endpoint: Any) -> None:
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    path = endpoint.path.replace("{match}", match).replace("{game}", "nova-luna")
    before = everything(server)
    for headers in [{"origin": origin} for origin in ELSEWHERE] + [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ]:
        refused = ada.http.request(endpoint.method, path, json={}, headers=headers)
        assert (refused.status_code, refused.json()["reason"]) == (403, "wrong_origin"), (path, headers)
    assert everything(server) == before


@pytest.mark.parametrize("origin", ELSEWHERE)
def test_another_sites_page_opens_no_socket(ada: Guest, origin: str) -> None:
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    for path in (f"/api/tables/{match}/live", "/api/lobby/live"):
        with pytest.raises(InvalidStatus) as refused, ada.socket(path, Origin=origin):
            pass
        assert refused.value.response.status_code == 403


def test_our_own_pages_and_programs_are_let_in(ada: Guest) -> None:
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    own = {"origin": ada.address, "sec-fetch-site": "same-origin"}
    assert ada.http.post("/api/me", json={"name": "Ada"}, headers=own).status_code == 200
    with ada.socket(f"/api/tables/{match}/live", Origin=ada.address) as socket:
        assert json.loads(socket.recv(20))["kind"] == "welcome"


def test_over_https_a_page_that_came_by_http_changes_nothing_and_opens_no_socket(
    attempts: Attempts, server: Running, ada: Guest
) -> None:
    """Somebody on the way may have written it."""
    host, body = ada.address.removeprefix("http://"), {"name": "Eve"}
    for scheme, allowed in (("http", False), ("ws", False), ("ftp", False), ("https", True)):
        headers = {**TLS, "origin": f"{scheme}://{host}"}
        answer = server.guest(None).http.post("/api/me", json=body, headers=headers)
        assert (answer.status_code == 200) == allowed, answer.text
        refused = nullcontext() if allowed else pytest.raises(InvalidStatus)
        with refused, ada.socket("/api/lobby/live", **headers):
            pass
        attempts.add(2)


def test_over_http_a_page_may_have_come_by_https(ada: Guest) -> None:
    """A proxy that does not say so, or that is not trusted to."""
    own = {"origin": ada.address.replace("http", "https")}
    assert ada.http.post("/api/me", json={"name": "Ada"}, headers=own).status_code == 200


FORMS = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]


@pytest.mark.parametrize("kind", FORMS)
def test_what_a_form_of_another_page_could_send_is_not_a_body(server: Running, ada: Guest, kind: str) -> None:
    before = everything(server)
    refused = ada.http.post("/api/me", content=b'{"name": "Eve"}', headers={"content-type": kind})
    assert refused.status_code == 400
    assert everything(server) == before


def test_no_other_site_may_read_an_answer(ada: Guest) -> None:
    for path in ("/api/me", "/api/games", "/"):
        response = ada.http.get(path, headers={"origin": ELSEWHERE[0]})
        assert not [name for name in response.headers if name.startswith("access-control-")]
        assert response.headers["cross-origin-resource-policy"] == "same-origin"


# Headers


def test_every_answer_says_what_a_page_may_do(server: Running, ada: Guest) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/picture.png", "/metrics", "/api/openapi.json"):
        headers = ada.http.get(path).headers
        policy = policy_of(headers)
        assert policy["default-src"] == ["'none'"]
        assert policy["script-src"] == ["'self'", "'wasm-unsafe-eval'"]  # compiles WebAssembly, and no text
        assert policy["worker-src"] == ["'self'"]
        assert policy["style-src"] == ["'self'"]
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == ["'none'"]
        assert not re.search("(?<!wasm-)unsafe|http:|https:|[*]", headers["content-security-policy"])
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def policy_of(headers: Any) -> dict[str, list[str]]:
    directives = [directive.split() for directive in headers["content-security-policy"].split(";")]
    return {name: values for name, *values in directives}


def test_what_is_ones_own_is_kept_by_no_cache(ada: Guest) -> None:
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    for path in ("/api/me", "/api/lobby", f"/api/tables/{match}", f"/api/tables/{match}/state"):
        assert ada.http.get(path).headers["cache-control"] == "no-store"


def test_our_own_page_without_the_client_runs_no_script_of_its_own(server: Running, ada: Guest) -> None:
    page = ada.get("/")
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|<style|\sstyle=|javascript:", page)


# Cookies and secrets


def cookie_of(response: Any) -> http.cookies.Morsel[str]:
    found = http.cookies.SimpleCookie(response.headers["set-cookie"])
    assert list(found) == ["plenilune"]
    return found["plenilune"]


def test_the_cookie_is_for_the_server_alone(server: Running) -> None:
    nobody = server.guest(None)
    cookie = cookie_of(nobody.http.post("/api/me", json={"name": "Ada"}))
    assert re.fullmatch("[0-9a-f]{32}", cookie.value)  # 128 bits
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "strict", "/")
    assert not cookie["domain"]
    assert int(cookie["max-age"]) > 30 * 24 * 3600
    assert int(cookie_of(nobody.http.delete("/api/me"))["max-age"]) == 0


TLS = {"X-Forwarded-Proto": "https"}  # said by a proxy on this machine, which is trusted


def cookies_of(response: Any) -> dict[str, http.cookies.Morsel[str]]:
    lines = response.headers.get_list("set-cookie")
    return {name: morsel for line in lines for name, morsel in http.cookies.SimpleCookie(line).items()}


def test_over_https_the_cookie_is_bound_to_the_host_and_encrypted(server: Running) -> None:
    nobody = server.guest(None)
    (cookie,) = cookies_of(nobody.http.post("/api/me", json={"name": "Ada"}, headers=TLS)).values()
    assert cookie.key == "__Host-plenilune"
    assert (cookie["secure"], cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, True, "strict", "/")
    assert not cookie["domain"]
    me = nobody.http.get("/api/me", headers={**TLS, "cookie": f"__Host-plenilune={cookie.value}"})
    assert me.json()["me"]["name"] == "Ada"
    assert not cookies_of(me)


def test_over_https_a_cookie_that_another_site_may_have_planted_is_nobodys(
    attempts: Attempts, server: Running, ada: Guest
) -> None:
    """A browser that accepted it would play under a name that the attacker has the cookie of, too."""
    planted = {**TLS, "cookie": f"plenilune={ada.http.cookies['plenilune']}"}
    victim = server.guest(None)
    answered = victim.http.get("/api/me", headers=planted)
    assert answered.json()["me"] is None
    assert not cookies_of(answered)
    introduced = victim.http.post("/api/me", json={"name": "Victor"}, headers=planted)
    assert introduced.json()["id"] != ada.id
    assert list(cookies_of(introduced)) == ["__Host-plenilune"]
    with pytest.raises(InvalidStatus), victim.socket(f"/api/tables/{private(ada)}/live", **planted):
        pass
    assert ada.get("/api/me")["me"]["id"] == ada.id  # over http it is hers as ever
    attempts.add(3)


def private(guest: Guest) -> str:
    return str(guest.table("moon-leap", "me", "random", spectators=False)["table"]["id"])


def test_for_a_month_after_the_upgrade_guests_of_the_first_release_stay_who_they_are(
    server: Running, ada: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, store = ada.http.cookies["plenilune"], server.server.store
    server.in_loop(store.execute(credentials.update().values(created=0)))
    server.in_loop(store.execute(facts.insert().values(name="upgraded", value=str(now()))))
    server.server.people.forget(str(ada.id))
    answered = ada.http.get("/api/me", headers=TLS)
    assert answered.json()["me"]["id"] == ada.id
    cookies = cookies_of(answered)
    assert cookies["__Host-plenilune"].value == secret
    assert cookies["__Host-plenilune"]["secure"]
    assert int(cookies["plenilune"]["max-age"]) == 0
    both = {**TLS, "cookie": f"plenilune={'0' * 32}; __Host-plenilune={secret}"}  # one of them set by another site
    assert ada.http.get("/api/me", headers=both).json()["me"]["id"] == ada.id
    monkeypatch.setattr(identity, "RENAMED", -1)
    server.server.people.forget(str(ada.id))
    assert ada.http.get("/api/me", headers=TLS).json()["me"] is None


def test_a_guest_who_leaves_loses_the_cookies_of_both_names(server: Running, ada: Guest) -> None:
    secret = ada.http.cookies["plenilune"]
    both = {**TLS, "cookie": f"plenilune={secret}; __Host-plenilune={secret}"}
    cookies = cookies_of(ada.http.delete("/api/me", headers=both))
    assert {name: int(cookie["max-age"]) for name, cookie in cookies.items()} == {"plenilune": 0, "__Host-plenilune": 0}


def test_a_browser_that_came_by_https_comes_by_https_again(server: Running, ada: Guest) -> None:
    for path in ("/", "/api/me", "/api/nothing"):
        assert "max-age=" in ada.http.get(path, headers=TLS).headers["strict-transport-security"]
        assert "strict-transport-security" not in ada.http.get(path).headers


def test_no_secret_is_kept_as_it_is(server: Running, ada: Guest) -> None:
    """Who reads the database cannot sit down for anybody."""
    invite = ada.table("moon-leap", "me", "friend")["invites"][0]["secret"]
    key = ada.post("/api/me", {"name": "Ada", "key": True})["key"]
    kept = repr(everything(server))
    for secret in (invite, key, ada.http.cookies["plenilune"]):
        assert re.fullmatch("[0-9a-f]{32}", secret)
        assert secret not in kept


def test_an_invitation_works_once_and_no_other_word_does(server: Running, ada: Guest, ben: Guest) -> None:
    made = ada.table("moon-leap", "me", "friend", "friend")
    path, secret = f"/api/tables/{made['table']['id']}/join", made["invites"][0]["secret"]
    assert ben.post(path, {"secret": "0" * 32}, status=403)["reason"] == "bad_secret"
    assert ben.post(path, {}, status=409)["reason"] == "seat_taken"
    ben.post(path, {"secret": secret})
    carol = server.guest("Carol")
    assert carol.post(path, {"secret": secret}, status=403)["reason"] == "bad_secret"


@pytest.mark.parametrize("credential", ["x", "0" * 32, "0" * 31 + "\u00e9", "a" * 5000, "' OR 1=1 --"])
def test_a_made_up_credential_is_nobodys(server: Running, credential: str) -> None:
    nobody = server.guest(None)
    for name, value in ((b"cookie", f"plenilune={credential}"), (b"authorization", f"Bearer {credential}")):
        headers = {name: value.encode()}
        response = nobody.http.get("/api/me", headers=headers)
        assert (response.status_code, response.json()["me"]) == (200, None)
        assert nobody.http.get("/api/bests", headers=headers).status_code == 401


# How often


def exhaust(ask: Any, most: int) -> int:
    """How often it is allowed before it is refused."""
    for times in range(most):
        response = ask()
        if response.status_code == 429:
            assert response.json()["reason"] == "too_often"
            assert re.search("try again in [0-9]+ second", response.json()["message"])
            assert int(response.headers["retry-after"]) >= 1
            return times
        assert response.status_code < 400, response.text
    raise AssertionError(f"allowed {most} times")


def test_one_person_makes_only_so_many_tables_at_once(limited: Running) -> None:
    ada, ben = limited.guest("Ada"), limited.guest("Ben")
    body = {"game": "moon-leap", "seats": [{"kind": "me"}, {"kind": "open"}]}
    allowed = exhaust(lambda: ada.http.post("/api/tables", json=body), 200)
    assert LIMITS["table"][0] <= allowed <= LIMITS["table"][0] + 20
    ben.post("/api/tables", body)  # the same address, another person


def test_one_address_makes_only_so_many_guests(limited: Running) -> None:
    """Who throws the cookie away is still at the same address."""

    nobody = limited.guest(None)

    def another() -> Any:
        nobody.http.cookies.clear()
        return nobody.http.post("/api/me", json={"name": "Ada"})

    allowed = exhaust(another, 200)
    assert LIMITS["guest"][0] <= allowed <= CROWD * LIMITS["guest"][0] + 20


@pytest.mark.parametrize("how", ["new guests", "a name", "the list of keys"])
def test_one_address_makes_only_so_many_keys(
    attempts: Attempts, limited: Running, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Guests who have a key are kept, so keys are what a stranger could fill the database with."""
    lower(monkeypatch, "key", 3)
    guests = [limited.guest(None if how == "new guests" else "Ada") for _ in range(8)]
    asking = itertools.cycle(guest.http for guest in guests)
    path, body = ("/api/keys", {}) if how == "the list of keys" else ("/api/me", {"name": "Ada", "key": True})
    allowed = exhaust(lambda: next(asking).post(path, json=body), 45)
    assert CROWD * 3 <= allowed <= CROWD * 3 + 10
    attempts.add(allowed)


def lower(monkeypatch: pytest.MonkeyPatch, kind: str, size: float) -> None:
    """So that a busy machine, too, asks faster than the bucket fills up again."""
    monkeypatch.setitem(LIMITS, kind, (size, 0.2))


def test_one_person_asks_only_so_often(limited: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    lower(monkeypatch, "ask", 30)
    ada, ben, nobody = (limited.guest(name) for name in ("Ada", "Ben", None))
    assert 25 <= exhaust(lambda: ada.http.get("/api/me"), 200) <= 60
    ben.get("/api/me")
    exhaust(lambda: nobody.http.get("/api/me"), 400)  # and so does an address


@pytest.mark.parametrize("path", ["/api/lobby", "/api/bests", "/api/daily/nova-luna"])
def test_one_person_asks_for_lists_only_so_often(
    attempts: Attempts, limited: Running, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Each takes several milliseconds: a hundred a second would keep everybody else waiting."""
    lower(monkeypatch, "list", 10)
    ada, ben = limited.guest("Ada"), limited.guest("Ben")
    assert 10 <= exhaust(lambda: ada.http.get(path), 60) <= 40
    ben.get(path)
    attempts.add(10)


def test_one_person_asks_for_whole_boards_only_so_often(
    attempts: Attempts, limited: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The longest match has 3,198 log entries, which take 9 ms: a hundred a second would keep others waiting."""
    lower(monkeypatch, "whole", 10)
    ada, ben = limited.guest("Ada"), limited.guest("Ben")
    path = f"/api/tables/{ada.table('moon-leap', 'me', 'me')['table']['id']}/state"
    assert 10 <= exhaust(lambda: ada.http.get(path), 60) <= 40
    ben.get(path)
    attempts.add(10)


def test_one_person_has_only_so_many_tables_read_from_the_database(
    limited: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower(monkeypatch, "open", 10)
    ada, ben = limited.guest("Ada"), limited.guest("Ben")
    match = ada.table("moon-leap", "me", "me")["table"]["id"]

    def read_again() -> httpx.Response:
        limited.server.tables.loaded.pop(match, None)
        return ada.http.get(f"/api/tables/{match}")

    assert 10 <= exhaust(read_again, 60) <= 40
    with pytest.raises(InvalidStatus), ada.live(match):
        pass
    ben.get(f"/api/tables/{match}")
    ada.get(f"/api/tables/{match}")  # it is in memory now


@pytest.mark.parametrize("path", ["/api/openapi.json", "/api/nothing"])
def test_what_is_not_an_endpoint_is_asked_for_only_so_often(
    limited: Running, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    lower(monkeypatch, "ask", 10)
    stranger, most = limited.guest(None), 20 * CROWD
    assert 429 in (stranger.http.get(path).status_code for _ in range(most))


@pytest.mark.parametrize("method", ["GET", "POST", "PROPFIND"])
@pytest.mark.parametrize("path", ["/", "/assets/nothing.js", "/table/abc", "/api/me/nothing", "/metrics", "/api/games"])
def test_whatever_is_asked_for_costs_a_token_whether_or_not_it_is_there(
    attempts: Attempts, limited: Running, monkeypatch: pytest.MonkeyPatch, method: str, path: str
) -> None:
    for kind in ("ask", "page"):
        lower(monkeypatch, kind, 4)
    stranger = limited.guest(None)
    answers = [stranger.http.request(method, path, follow_redirects=False) for _ in range(10 * CROWD)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert {answer.json()["reason"] for answer in refused} == {"too_often"}
    assert int(refused[0].headers["retry-after"]) >= 1
    assert "content-security-policy" in refused[0].headers
    attempts.add(len(answers))


def test_a_websocket_costs_a_token_whether_or_not_there_is_one(
    limited: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower(monkeypatch, "socket", 2)
    stranger, answers = limited.guest(None), []
    for _ in range(4 * CROWD):
        with pytest.raises(InvalidStatus) as refused, stranger.socket("/api/nothing/live"):
            pass
        answers.append(refused.value.response.status_code)
    assert answers[0] == 403
    assert 429 in answers


def test_ten_first_visits_from_one_address_at_once_are_served(limited: Running) -> None:
    """Each takes every file there is: a browser keeps them for when there is no network."""
    stranger = limited.guest(None)
    for _ in range(10 * 150):
        assert stranger.http.get("/favicon.ico").status_code == 404


def test_one_person_says_only_so_much(limited: Running) -> None:
    ada = limited.guest("Ada")
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    body = {"kind": "say", "text": "hello"}
    allowed = exhaust(lambda: ada.http.post(f"/api/tables/{match}/say", json=body), 100)
    assert len(limited.server.tables.loaded[match].view().chat) == allowed
    with ada.live(match) as live:
        live.wait("update")
        live.say(**body)
        assert live.wait("refused")["reason"] == "too_often"  # the same bucket


def test_one_person_tries_only_so_many_invitations(limited: Running) -> None:
    ada, eve = limited.guest("Ada"), limited.guest("Eve")
    match = ada.table("moon-leap", "me", "friend")["table"]["id"]
    for tries in range(200):
        body = {"secret": f"{tries:032x}"}
        reason = eve.http.post(f"/api/tables/{match}/join", json=body).json()["reason"]
        if reason == "too_often":
            break
        assert reason == "bad_secret"
    assert tries <= LIMITS["secret"][0] + 10


def test_a_socket_that_talks_too_much_is_refused(limited: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    lower(monkeypatch, "message", 20)
    ada = limited.guest("Ada")
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    with ada.live(match) as live:
        live.wait("update")
        for _ in range(50):
            live.say("ping", id=new_id())
        answers = [live.wait(lambda m: m["kind"] in ("pong", "refused")) for _ in range(50)]
    kinds = [answer["kind"] for answer in answers]
    assert 20 <= kinds.count("pong") < 40
    assert {answer["reason"] for answer in answers if answer["kind"] == "refused"} == {"too_often"}


def test_one_person_opens_only_so_many_sockets(limited: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    lower(monkeypatch, "socket", 10)
    ada = limited.guest("Ada")
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    with pytest.raises(InvalidStatus) as refused:
        open_many(ada, match)
    assert refused.value.response.status_code == 429


def open_many(guest: Guest, match: str) -> None:
    for _ in range(40):
        with guest.live(match) as live:
            live.next()


def test_one_person_has_only_so_many_unfinished_tables(limited: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creation, "MOST_UNFINISHED", 3)
    ada, ben = limited.guest("Ada"), limited.guest("Ben")
    made = [ada.table("moon-leap", "me", "open")["table"]["id"] for _ in range(3)]
    refused = ada.table("moon-leap", "me", "open", status=429)
    assert (refused["reason"], "3 unfinished tables" in refused["message"]) == ("too_many", True)
    ben.table("moon-leap", "me", "open")
    ada.post(f"/api/tables/{made[0]}/leave", {})
    ada.table("moon-leap", "me", "open")


def test_one_person_takes_only_so_many_seats(limited: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """At waiting tables of others; and sits down only so often, whether or not they stay."""
    monkeypatch.setattr(creation, "MOST_WAITING_ELSEWHERE", 2)
    monkeypatch.setitem(LIMITS, "table", (1000, 100))
    lower(monkeypatch, "seat", 10)
    ada, eve, ben = (limited.guest(name) for name in ("Ada", "Eve", "Ben"))
    tables = [ada.table("moon-leap", "me", "open", "open")["table"]["id"] for _ in range(3)]
    for match in tables[:2]:
        eve.post(f"/api/tables/{match}/join", {})
    refused = eve.post(f"/api/tables/{tables[2]}/join", {}, status=429)
    assert (refused["reason"], refused["detail"], refused["args"]) == ("too_many", "too_many_games", {"n": 2})
    eve.post(f"/api/tables/{tables[0]}/leave", {})

    def sit_and_leave() -> httpx.Response:
        answer = eve.http.post(f"/api/tables/{tables[2]}/join", json={})
        if answer.status_code == 200:
            eve.post(f"/api/tables/{tables[2]}/leave", {})
        return answer

    assert 5 <= exhaust(sit_and_leave, 60) <= 30
    ben.post(f"/api/tables/{tables[2]}/join", {})


# How big


@pytest.mark.parametrize("size", [LARGEST + 1, 50 * LARGEST])
def test_a_body_that_is_too_large_is_not_read(server: Running, ada: Guest, size: int) -> None:
    before = everything(server)
    body = b'{"name": "' + b"a" * size + b'"}'
    refused = ada.http.post("/api/me", content=body, headers={"content-type": "application/json"})
    assert (refused.status_code, refused.json()["reason"]) == (413, "too_large")
    assert everything(server) == before


def test_a_message_that_is_too_large_ends_the_socket_alone(server: Running, ada: Guest) -> None:
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    with ada.live(match) as live:
        live.wait("update")
        live.socket.send("x" * (LARGEST + 1))
        with pytest.raises(ConnectionClosed, match="1009"):
            live.wait("nothing more")
    assert ada.state(match)["ply"] == live.update["ply"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/me", {"name": "a" * 25}),
        ("POST", "/api/tables", {"game": "moon-leap", "seats": [{"kind": "me"}] * 17}),
        ("POST", "/api/tables/{match}/play", {"kind": "play", "id": "1", "ply": 1, "actions": ["move 1"] * 65}),
        ("POST", "/api/tables/{match}/play", {"kind": "play", "id": "1" * 65, "ply": 1, "actions": ["move 1"]}),
        ("POST", "/api/tables/{match}/play", {"kind": "play", "id": "1", "ply": 1, "actions": ["m" * 101]}),
        ("POST", "/api/tables/{match}/play", {"kind": "play", "id": "1", "ply": 10**9, "actions": ["move 1"]}),
        ("POST", "/api/tables/{match}/say", {"kind": "say", "text": "a" * 281}),
    ],
)
def test_what_is_longer_than_the_protocol_says_is_refused(
    server: Running, ada: Guest, method: str, path: str, body: Any
) -> None:
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    before = everything(server)
    assert ada.ask(method, path.replace("{match}", match), body, status=400)["reason"] == "bad_request"
    assert everything(server) == before


def test_a_bot_is_not_asked_for_hours_of_thought(server: Running, ada: Guest) -> None:
    for bot in ("mcts:20001", "mcts:2001ms", "mcts:99999999999999999999"):
        assert ada.table("moon-leap", "me", bot, status=422)["reason"] == "bad_setting"
