"""Operators: who is one, what they may do, what is noted of it; bans and reports, also against those who evade them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidStatus

from plenilune.server.http import bans
from plenilune.server.http.bans import Bans, new_ban
from plenilune.server.http.connections import BANNED
from plenilune.server.http.operators import new_key
from plenilune.server.http.routes import tables
from plenilune.server.protocol import ENDPOINTS, Ban, NewBan
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.moderation import entry
from plenilune.server.storage.rows import Person
from tests.server.operating import Operator, closed, make_key, visitor
from tests.server.running import Guest, Running, running, sqlite

ADMIN = [endpoint for endpoint in ENDPOINTS if endpoint.operator]
NOBODY = "a" * 16  # an id that nobody and nothing has
HOSTILE = "<script>alert(1)</script> [red]x[/red] \x1b[31m\u202e' OR 1=1 --"


@pytest.fixture
def operator(server: Running) -> Iterator[Operator]:
    made = Operator(server.address, make_key(server, "Olga"))
    yield made
    made.close()


@pytest.fixture
def match(ada: Guest, ben: Guest) -> str:
    """A match between Ada and Ben."""
    id: str = ada.table("moon-leap", "me", "open")["table"]["id"]
    ben.post(f"/api/tables/{id}/join", {})
    return id


def say(guest: Guest, match: str, text: str) -> int:
    number: int = guest.post(f"/api/tables/{match}/say", {"kind": "say", "text": text})["number"]
    return number


# Who is an operator


def bodies(path: str) -> Any:
    return {"reason": "spam", "person": NOBODY} if path.endswith("/bans") else {"note": ""}


@pytest.mark.parametrize("endpoint", ADMIN, ids=lambda e: f"{e.method} {e.path}")
def test_nobody_else_gets_anything(server: Running, ada: Guest, operator: Operator, endpoint: Any) -> None:
    key = ada.post("/api/me", {"name": "Ada", "key": True})["key"]
    good = operator.http.headers["Authorization"].partition(" ")[2]
    revoked = make_key(server, "Igor")
    server.in_loop(server.server.store.moderation.remove_operator("Igor", entry("test", "revoke_key", "Igor")))
    before = operator.audit()
    path = endpoint.path
    for name in ("match", "line", "ban", "report"):
        path = path.replace(f"{{{name}}}", "1" if name == "line" else NOBODY)
    tries: list[dict[str, str]] = [
        {},
        {"Authorization": f"Bearer {key}"},
        {"Authorization": f"Bearer {revoked}"},
        {"Authorization": f"Bearer {new_key()}"},
        {"Authorization": f"Bearer {good}0"},
        {"Authorization": f"Bearer {good[:-1]}"},
        {"Authorization": f"Basic {good}"},
        {"Cookie": f"plenilune={good}"},
        {"Cookie": f"plenilune={ada.http.cookies['plenilune']}"},
    ]
    for headers in tries:
        body = bodies(path) if endpoint.method == "POST" else None
        answer = httpx.request(endpoint.method, server.address + path, headers=headers, json=body, verify=False)
        assert (answer.status_code, answer.json()["reason"]) == (403, "forbidden"), headers
    assert operator.audit() == before


def test_an_operators_key_is_nobodys_cookie(ada: Guest, operator: Operator, match: str) -> None:
    """It opens the operators' endpoints, and no seat."""
    assert operator.get("/api/me")["me"] is None
    assert operator.get(f"/api/tables/{match}")["mine"] == []
    assert operator.play(match, "move 1", status=401)["reason"] == "unknown_guest"


def test_a_revoked_key_stops_at_once(server: Running, operator: Operator) -> None:
    operator.admin("GET", "bans")
    server.in_loop(server.server.store.moderation.remove_operator("Olga", entry("test", "revoke_key", "Olga")))
    assert operator.admin("GET", "bans", status=403)["reason"] == "forbidden"


# Who is online


def test_who_is_online_is_listed_with_address_and_tables(server: Running, operator: Operator) -> None:
    ada = visitor(server.address, "203.0.113.7", "Ada")
    stranger = visitor(server.address, "2001:db8:1:2:3:4:5:6", None)
    match = ada.table("moon-leap", "me", "open")["table"]["id"]
    forwarded = {"X-Forwarded-For": "203.0.113.7"}
    with (
        ada.live(match, **forwarded) as live,
        ada.socket("/api/lobby/live", **forwarded),
        stranger.live(match, **{"X-Forwarded-For": "2001:db8:1:2:3:4:5:6"}) as watching,
    ):
        live.wait("welcome")
        watching.wait("welcome")
        (first, second) = sorted(operator.admin("GET", "online")["people"], key=lambda one: one["name"])
        assert (first["person"], first["networks"], first["sockets"]) == (None, ["2001:db8:1:2::/64"], 1)
        assert (second["person"], second["name"], second["networks"]) == (ada.id, "Ada", ["203.0.113.7"])
        assert (second["sockets"], second["tables"]) == (2, [match])
        assert abs(second["since"] - 1000 * time.time()) < 60_000
    for guest in (ada, stranger):
        guest.close()
    until = time.monotonic() + 10
    while operator.admin("GET", "online")["people"]:
        assert time.monotonic() < until, "who has gone is still listed"


# Tables and chat


def test_tables_are_found_by_id_by_person_and_by_name(ada: Guest, ben: Guest, operator: Operator, match: str) -> None:
    other = ben.table("moon-leap", "me", "open", public=True)["table"]["id"]

    def found(query: str) -> list[str]:
        return [table["id"] for table in operator.admin("GET", f"tables?{query}")["tables"]]

    assert found("") == [other, match]
    assert found(f"search={match}") == found(f"search={ada.id}") == found("search=AD") == [match]
    assert set(found("search=Ben")) == {match, other}
    assert found("status=waiting") == [other]
    for wildcard in ("%25", "_", "B%25n", "'"):
        assert found(f"search={wildcard}") == []
    (first, *_) = operator.admin("GET", f"tables?search={match}")["tables"]
    assert [player["name"] for player in first["players"]] == ["Ada", "Ben"]
    assert found(f"before={first['changed']}") == []
    operator.admin("GET", "tables?status=lost", status=400)
    operator.admin("GET", "tables?before=-1", status=400)


def test_a_closed_table_is_over_for_everybody_who_watches(ada: Guest, operator: Operator, match: str) -> None:
    with ada.live(match) as live:
        live.my_turn()
        operator.admin("POST", f"tables/{match}/close", {"note": "abuse"})
        told = live.wait("table")["table"]
        assert (told["status"], told["result"]) == ("over", None)
        assert live.play(live.update["legal"][0])["reason"] == "over"
    assert operator.audit() == [("add_key", "Olga", ""), ("close_table", match, "abuse")]
    assert operator.admin("POST", f"tables/{match}/close", {}, status=409)["reason"] == "over"
    assert operator.admin("POST", f"tables/{NOBODY}/close", {}, status=404)["reason"] == "not_found"
    assert len(operator.audit()) == 2


def test_a_deleted_line_loses_its_text_everywhere(ada: Guest, ben: Guest, operator: Operator, match: str) -> None:
    with ada.live(match) as live:
        number = say(ben, match, "something vile")
        assert live.wait("chat")["text"] == "something vile"
        operator.admin("POST", f"tables/{match}/chat/{number}/delete", {"note": "vile"})
        line = live.wait("chat")
        assert (line["number"], line["text"], line["deleted"]) == (number, "", True)
    with ada.live(match) as later:
        (line,) = later.wait("welcome")["chat"]
        assert (line["number"], line["text"], line["deleted"]) == (number, "", True)
    (line,) = operator.admin("GET", f"tables/{match}/chat")["lines"]
    assert (line["text"], line["deleted"]) == ("something vile", True)
    assert operator.audit()[1:] == [("delete_line", f"{match} {number}", "vile"), ("read_chat", match, "")]
    for line in (number, number + 1, 0, "x", "1" * 30):
        operator.admin("POST", f"tables/{match}/chat/{line}/delete", {}, status=404)
    assert len(operator.audit()) == 3


# Bans


def test_a_banned_person_is_disconnected_at_once_and_for_good(ada: Guest, operator: Operator, match: str) -> None:
    key = ada.post("/api/me", {"name": "Ada", "key": True})["key"]
    with ada.live(match) as live:
        live.my_turn()
        made = operator.ban(person=ada.id, reason="cheating")
        said, code = closed(live)
        assert (said[-1]["kind"], said[-1]["reason"], code) == ("refused", "banned", BANNED)
        assert said[-1]["message"] == "you are banned from this server: cheating"
    for path in ("/api/me", "/api/lobby", f"/api/tables/{match}", "/api/games", "/api/health"):
        assert ada.get(path, status=403)["message"].endswith(": cheating")
    for path in (f"/api/tables/{match}/live", "/api/lobby/live"):
        with pytest.raises(InvalidStatus) as refused, ada.socket(path):
            pass
        assert json.loads(refused.value.response.body or b"")["reason"] == "banned"
    with_key = Guest(ada.address, None)
    with_key.http.headers["Authorization"] = f"Bearer {key}"
    assert with_key.get(f"/api/tables/{match}/stream", status=403)["reason"] == "banned"
    with_key.close()
    operator.admin("POST", f"bans/{made['id']}/lift", {"note": "a mistake"})
    assert ada.get("/api/me")["me"]["id"] == ada.id
    assert operator.audit()[1:] == [("ban", ada.id, "cheating"), ("lift_ban", ada.id, "a mistake")]
    assert operator.admin("POST", f"bans/{made['id']}/lift", {}, status=404)["reason"] == "not_found"


def test_what_a_banned_person_still_sends_is_not_heard(server: Running, ada: Guest, ben: Guest, match: str) -> None:
    """Even if they cannot be told, because they do not read."""
    with ada.live(match) as live:
        live.my_turn()
        ((visit,), (socket,)) = server.server.connections.visits, server.server.connections.sockets

        async def never(message: Any) -> None:
            await asyncio.Event().wait()

        async def ban() -> None:
            socket.send = never  # type: ignore[method-assign]
            visit.end(Denied("banned", "you are banned"))

        server.in_loop(ban())
        live.say("say", text="one last word")
        with pytest.raises(ConnectionClosed):
            live.wait("chat")
    with ben.live(match) as his:
        assert his.wait("welcome")["chat"] == []


def test_a_stream_of_a_banned_person_ends(ada: Guest, operator: Operator, match: str) -> None:
    with ada.http.stream("GET", f"/api/tables/{match}/stream") as response:
        lines = response.iter_lines()
        assert json.loads(next(lines))["kind"] == "welcome"
        operator.ban(person=ada.id)
        assert [json.loads(line) for line in lines if line][-1]["reason"] == "banned"


def test_a_ban_between_the_check_and_the_socket_counts(server: Running, ada: Guest, operator: Operator) -> None:
    """A request that was let in just before the ban finds itself banned once it is connected."""
    match = ada.table("moon-leap", "me", "open")["table"]["id"]
    check, server.server.bans.check = server.server.bans.check, lambda network, person: None  # type: ignore[method-assign]
    operator.ban(person=ada.id)
    with ada.live(match) as live:
        said, code = closed(live)
        assert (said[-1]["reason"], code) == ("banned", BANNED)
    server.server.bans.check = check  # type: ignore[method-assign]


def test_nobody_waits_for_a_banned_person(ada: Guest, ben: Guest, operator: Operator, match: str) -> None:
    """Their seats are played on by the stand-in, and their open tables disappear from the lobby."""
    ada.table("moon-leap", "me", "open", public=True)
    assert len(ben.get("/api/lobby")["open"]) == 1
    with ben.live(match) as his:
        operator.ban(person=ada.id)
        assert his.my_turn()
        assert ben.get(f"/api/tables/{match}")["seats"][0]["absent"]
    assert ben.get("/api/lobby")["open"] == []


def test_a_new_cookie_does_not_evade_the_ban_of_an_address(server: Running, operator: Operator) -> None:
    ada = visitor(server.address, "203.0.113.7", "Ada")
    match = ada.table("moon-leap", "me", "open")["table"]["id"]
    with ada.live(match, **{"X-Forwarded-For": "203.0.113.7"}) as live:
        live.wait("welcome")
        operator.ban(address="203.0.113.7", reason="spam")
        said, code = closed(live)
        assert (said[-1]["message"], code) == ("your address is banned from this server: spam", BANNED)
    ada.http.cookies.clear()
    assert ada.post("/api/me", {"name": "Eve"}, status=403)["reason"] == "banned"
    assert ada.get("/api/lobby", status=403)["reason"] == "banned"
    with pytest.raises(InvalidStatus), ada.socket("/api/lobby/live", **{"X-Forwarded-For": "203.0.113.7"}):
        pass
    neighbour = visitor(server.address, "203.0.113.8", "Ben")
    neighbour.get("/api/lobby")
    for guest in (ada, neighbour):
        guest.close()


def test_all_of_a_subscribers_ipv6_addresses_are_banned_together(server: Running, operator: Operator) -> None:
    assert operator.ban(address="2001:db8:1:2::1")["network"] == "2001:db8:1:2::/64"
    same, other = (visitor(server.address, a, None) for a in ("2001:db8:1:2:ffff::9", "2001:db8:1:3::1"))
    assert same.post("/api/me", {"name": "Eve"}, status=403)["reason"] == "banned"
    other.post("/api/me", {"name": "Ada"})
    for guest in (same, other):
        guest.close()


def test_an_operator_is_not_locked_out_by_a_ban_of_their_own_address(server: Running, operator: Operator) -> None:
    operator.http.headers["X-Forwarded-For"] = "203.0.113.7"
    made = operator.ban(address="203.0.113.7")
    operator.admin("POST", f"bans/{made['id']}/lift", {})
    operator.get("/api/lobby")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 400),
        ({"person": NOBODY, "address": "203.0.113.7"}, 400),
        ({"person": NOBODY}, 404),
        ({"person": "'; DROP TABLE bans --"}, 400),
        ({"address": "203.0.113.0/24"}, 400),
        ({"address": "moon"}, 400),
        ({"address": "127.0.0.1"}, 400),
        ({"address": "::1"}, 400),
        ({"address": "0.0.0.0"}, 400),
        ({"address": "::ffff:127.0.0.1"}, 400),
        ({"address": "203.0.113.7", "until": 1000}, 400),
        ({"address": "203.0.113.7", "until": 10**17}, 400),
        ({"address": "203.0.113.7", "reason": " \u200b "}, 400),
        ({"address": "203.0.113.7", "reason": "x" * 281}, 400),
    ],
)
def test_a_ban_that_makes_no_sense_is_refused(operator: Operator, fields: Any, status: int) -> None:
    operator.ban(status, **fields)
    assert operator.admin("GET", "bans")["bans"] == []
    assert len(operator.audit()) == 1


def test_banning_again_replaces_the_ban(ada: Guest, operator: Operator) -> None:
    operator.ban(person=ada.id, reason="first")
    second = operator.ban(person=ada.id, reason="second")
    assert operator.admin("GET", "bans")["bans"] == [second]
    assert ada.get("/api/me", status=403)["message"].endswith("second")


def test_a_ban_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    at, ada = 1_800_000_000_000, Person("ada", "Ada")
    held = Bans.__new__(Bans)
    held._people = {"ada": Ban("b", "ada", "Ada", None, "spam", at, at + 1000)}
    held._networks = {}
    monkeypatch.setattr(bans, "now", lambda: at + 999)
    with pytest.raises(Denied, match="you are banned from this server until 2027-01-15 08:00 UTC: spam"):
        held.check("203.0.113.7", ada)
    held.check("203.0.113.7", None)
    monkeypatch.setattr(bans, "now", lambda: at + 1000)
    held.check("203.0.113.7", ada)


def test_bans_outlive_the_server(tmp_path: Path) -> None:
    with running(sqlite(tmp_path)) as server:
        operator = Operator(server.address, make_key(server, "Olga"))
        operator.ban(address="203.0.113.7", until=int(1000 * time.time()) + 10**7)
        operator.close()
    with running(sqlite(tmp_path)) as server:
        visitor_again = visitor(server.address, "203.0.113.7", None)
        assert visitor_again.get("/api/lobby", status=403)["reason"] == "banned"
        visitor_again.close()


def test_an_ipv4_address_in_ipv6_is_the_same_address() -> None:
    made = new_ban(NewBan("spam", address="::ffff:203.0.113.7"), None, 0)
    assert made.network == "203.0.113.7"


# Reports


def report(guest: Guest, match: str, line: int, status: int | None = None, note: str = "") -> Any:
    return guest.post(f"/api/tables/{match}/report", {"line": line, "note": note}, status)


def test_a_report_keeps_a_copy_of_the_line(ada: Guest, ben: Guest, operator: Operator, match: str) -> None:
    number = say(ben, match, "something vile")
    assert report(ada, match, number, note="look at this") == {"line": number}
    operator.admin("POST", f"tables/{match}/chat/{number}/delete", {})
    (found,) = operator.admin("GET", "reports")["reports"]
    assert (found["text"], found["name"], found["author"]) == ("something vile", "Ben", ben.id)
    assert (found["match"], found["line"], found["person"], found["note"]) == (match, number, ada.id, "look at this")
    operator.admin("POST", f"reports/{found['id']}/close", {"note": "deleted"})
    assert operator.admin("GET", "reports")["reports"] == []
    assert operator.admin("GET", "reports?closed=true")["reports"][0]["id"] == found["id"]
    assert operator.admin("POST", f"reports/{found['id']}/close", {}, status=404)["reason"] == "not_found"
    assert operator.audit()[-1] == ("close_report", found["id"], "deleted")


def test_one_report_for_each_person_and_line(ada: Guest, ben: Guest, operator: Operator, match: str) -> None:
    number = say(ben, match, "something vile")
    report(ada, match, number)
    assert report(ada, match, number, status=429)["reason"] == "too_many"
    assert len(operator.admin("GET", "reports")["reports"]) == 1


def test_only_who_sees_the_chat_may_report_it(server: Running, ada: Guest, ben: Guest, operator: Operator) -> None:
    match = ada.table("moon-leap", "me", "open", spectators=False)["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {})
    number = say(ben, match, "something vile")
    stranger, nobody = server.guest("Eve"), server.guest(None)
    assert report(stranger, match, number, status=403)["reason"] == "forbidden"
    assert report(nobody, match, number, status=401)["reason"] == "unknown_guest"
    assert report(ben, match, number, status=403)["message"] == "this line is your own"
    assert report(ada, match, number + 1, status=404)["reason"] == "not_found"
    operator.admin("POST", f"tables/{match}/chat/{number}/delete", {})
    assert report(ada, match, number, status=404)["reason"] == "not_found"
    assert operator.admin("GET", "reports")["reports"] == []


def test_nobody_floods_the_operators(
    ada: Guest, ben: Guest, match: str, monkeypatch: pytest.MonkeyPatch, operator: Operator
) -> None:
    monkeypatch.setattr(tables, "MOST_REPORTS", 2)
    numbers = [say(ben, match, f"line {n}") for n in range(3)]
    for number in numbers[:2]:
        report(ada, match, number)
    assert report(ada, match, numbers[2], status=429)["reason"] == "too_many"
    (first, _) = operator.admin("GET", "reports")["reports"]
    operator.admin("POST", f"reports/{first['id']}/close", {})
    report(ada, match, numbers[2])


def test_reports_are_rate_limited(tmp_path: Path) -> None:
    with running(sqlite(tmp_path, limits=True)) as server:
        ada = server.guest("Ada")
        match = ada.table("moon-leap", "me", "open")["table"]["id"]
        reasons = [report(ada, match, 1, status=status)["reason"] for status in [404] * 5 + [429]]
        assert reasons[-1] == "too_often"


def test_hostile_text_stays_text(ada: Guest, ben: Guest, operator: Operator, match: str) -> None:
    """What comes back is JSON that no browser takes for a page, in one line, without characters that nobody sees."""
    number = say(ben, match, HOSTILE)
    report(ada, match, number, note=HOSTILE)
    answer = operator.http.get("/api/admin/reports")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    (found,) = answer.json()["reports"]
    for text in (found["note"], found["text"]):
        assert text == "<script>alert(1)</script> [red]x[/red] [31m' OR 1=1 --"


# The audit log


def test_what_is_not_noted_does_not_happen(server: Running, ada: Guest, operator: Operator, match: str) -> None:
    """The action and its note are one transaction: a note that cannot be written undoes the action."""
    noted: Any = replace(entry("Olga", "ban", "x"), note=None)
    moderation, before = server.server.store.moderation, operator.audit()
    number = say(ada, match, "hello")

    async def fails(work: Any) -> None:
        with pytest.raises(Exception, match=r"NOT NULL|at once|does not answer"):
            await work

    async def all_of_it() -> None:
        table = await server.server.tables.get(match)
        await fails(moderation.ban(Ban("b", ada.id, "Ada", None, "spam", 1, None), noted))
        await fails(moderation.add_operator("Eve", "0" * 64, noted))
        await fails(moderation.remove_operator("Olga", noted))
        await fails(table.close(noted))
        await fails(table.delete_line(number, noted))

    server.in_loop(all_of_it())
    assert operator.audit() == before
    assert operator.admin("GET", "bans")["bans"] == []
    assert ada.get(f"/api/tables/{match}")["status"] == "playing"
    assert [line["deleted"] for line in operator.admin("GET", f"tables/{match}/chat")["lines"]] == [False]


def test_the_audit_log_names_the_operator_and_the_time(ada: Guest, operator: Operator) -> None:
    operator.ban(person=ada.id, reason=HOSTILE)
    (newest, _) = operator.admin("GET", "audit")["entries"]
    assert (newest["operator"], newest["action"]) == ("Olga", "ban")
    assert abs(newest["at"] - 1000 * time.time()) < 60_000
    assert "\x1b" not in newest["note"]
    assert [e["action"] for e in operator.admin("GET", f"audit?before={newest['at']}")["entries"]] == ["add_key"]
    operator.admin("GET", "audit?before=yesterday", status=400)
