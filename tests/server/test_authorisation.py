"""Who may do what, when: every route of the application, for every role, in every state of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route, WebSocketRoute
from websockets.exceptions import InvalidStatus

from plenilune.server.http.app import create_app
from plenilune.server.protocol import ENDPOINTS
from plenilune.server.settings import Settings
from tests.server.attempts import Attempts
from tests.server.running import Guest, Running, running, sqlite

# nobody: without a cookie. stranger: a guest who sits elsewhere. maker: has made the table, and has no seat at it.
# mover: sits at the seat to play. other: at another seat.
ROLES = ("nobody", "stranger", "maker", "mover", "other")
STATES = ("waiting", "playing", "over")
T = "/api/tables/{match}"
PLAY = {"kind": "play", "id": "1", "ply": 1, "actions": ["ACTION"]}

ALL = "ok ok ok ok ok"
GUESTS = "unknown_guest ok ok ok ok"
SEATED = "unknown_guest forbidden forbidden {0} {0}"
MAKER = "unknown_guest forbidden {0} forbidden forbidden"
LATE = "unknown_guest seat_taken seat_taken seat_taken seat_taken"
MINE = "forbidden forbidden forbidden {0} forbidden"
NOT_STARTED, NOT_OVER = " ".join(["not_started"] * 5), " ".join(["not_over"] * 5)
# By method, path and body: what each role is answered while the table waits, while it is played at, and afterwards.
AT_A_TABLE: list[tuple[str, str, Any, tuple[str, str, str]]] = [
    ("GET", T, None, (ALL, ALL, ALL)),
    ("POST", f"{T}/join", {}, ("unknown_guest ok ok seat_taken seat_taken", LATE, LATE)),
    ("POST", f"{T}/join", {"secret": "0" * 32},
     ("unknown_guest bad_secret bad_secret seat_taken seat_taken", LATE, LATE)),
    ("POST", f"{T}/leave", {}, (SEATED.format("ok"), SEATED.format("ok"), SEATED.format("over"))),
    ("POST", f"{T}/return", {}, (SEATED.format("not_started"), SEATED.format("ok"), SEATED.format("over"))),
    ("POST", f"{T}/resign", {}, (SEATED.format("not_started"), SEATED.format("ok"), SEATED.format("over"))),
    ("POST", f"{T}/resign", {"seat": 2}, ("unknown_guest forbidden forbidden forbidden forbidden",) * 3),
    ("POST", f"{T}/invite", {"seat": 2}, (MAKER.format("ok"), MAKER.format("seat_taken"), MAKER.format("seat_taken"))),
    ("POST", f"{T}/start", {}, (MAKER.format("ok"), MAKER.format("seat_taken"), MAKER.format("over"))),
    ("POST", f"{T}/arrange", {"seating": "as_listed"},
     (MAKER.format("ok"), MAKER.format("seat_taken"), MAKER.format("over"))),
    ("POST", f"{T}/rematch", None, (SEATED.format("not_over"), SEATED.format("not_over"), SEATED.format("ok"))),
    ("GET", f"{T}/state", None, (NOT_STARTED, ALL, ALL)),
    ("GET", f"{T}/state?viewer=0", None, (MINE.format("not_started"), MINE.format("ok"), MINE.format("ok"))),
    ("POST", f"{T}/play", PLAY,
     (SEATED.format("not_started"), "unknown_guest forbidden forbidden ok not_your_turn", SEATED.format("over"))),
    ("POST", f"{T}/play", PLAY | {"seat": 0},
     ("unknown_guest forbidden forbidden not_started forbidden", "unknown_guest forbidden forbidden ok forbidden",
      "unknown_guest forbidden forbidden over forbidden")),
    ("POST", f"{T}/preview", PLAY | {"kind": "preview"},
     (SEATED.format("not_started"), "unknown_guest forbidden forbidden ok not_your_turn", SEATED.format("over"))),
    ("POST", f"{T}/say", {"kind": "say", "phrase": "hello"}, (SEATED.format("ok"),) * 3),
    ("POST", f"{T}/report", {"line": 1}, (GUESTS.replace("ok", "not_found"),) * 3),
    ("GET", f"{T}/stream", None, (ALL, ALL, ALL)),
    ("GET", f"{T}/stream?viewer=0", None, (MINE.format("ok"),) * 3),
    ("GET", f"{T}/history", None, (NOT_STARTED, ALL, ALL)),
    ("GET", f"{T}/history?viewer=0", None, (MINE.format("not_started"), MINE.format("ok"), MINE.format("ok"))),
    ("GET", f"{T}/dice", None, (NOT_OVER, NOT_OVER, ALL)),
    ("GET", f"{T}/match", None, (NOT_OVER, NOT_OVER, ALL)),
    ("GET", f"{T}/review", None, (NOT_OVER, NOT_OVER, ALL)),
    ("SOCKET", f"{T}/live", None, (ALL, ALL, ALL)),
    ("SOCKET", f"{T}/live?viewer=0", None, (MINE.format("ok"),) * 3),
]  # fmt: skip
# Without a table, for nobody and for a guest.
ANYWHERE: list[tuple[str, str, Any, str]] = [
    ("GET", "/api/games", None, "ok ok"),
    ("GET", "/api/games/{game}/rules", None, "ok ok"),
    ("GET", "/api/me", None, "ok ok"),
    ("POST", "/api/me", {"name": "Eve"}, "ok ok"),
    ("DELETE", "/api/me", None, "ok ok"),
    ("GET", "/api/keys", None, "unknown_guest ok"),
    ("POST", "/api/keys", {"label": "bot"}, "unknown_guest ok"),
    ("DELETE", "/api/keys/{key}", None, "unknown_guest not_found"),
    ("GET", "/api/dice", None, "unknown_guest ok"),
    ("GET", "/api/lobby", None, "ok ok"),
    ("GET", "/api/bests", None, "unknown_guest ok"),
    ("GET", "/api/daily/{game}", None, "ok ok"),
    ("POST", "/api/daily/{game}", None, "unknown_guest ok"),
    ("POST", "/api/tables", {"game": "moon-leap", "seats": [{"kind": "me"}, {"kind": "open"}]}, "unknown_guest ok"),
    ("GET", "/api/health", None, "ok ok"),
    ("GET", "/api/openapi.json", None, "ok ok"),
    ("GET", "/metrics", None, "forbidden forbidden"),
    *((e.method, e.path, None if e.method == "GET" else {}, "forbidden forbidden") for e in ENDPOINTS if e.operator),
    ("GET", "/{path:path}", None, "ok ok"),
    ("GET", "/api/{path:path}", None, "not_found not_found"),
    ("POST", "/api/{path:path}", {}, "not_found not_found"),
    ("PUT", "/api/{path:path}", {}, "not_found not_found"),
    ("PATCH", "/api/{path:path}", {}, "not_found not_found"),
    ("DELETE", "/api/{path:path}", None, "not_found not_found"),
    ("SOCKET", "/api/lobby/live", None, "ok ok"),
]
# At a table without spectators those who do not sit there may look at nothing, but join while it waits.
WATCHING = {"", "/state", "/stream", "/history", "/dice", "/match", "/review", "/live"}


def test_every_route_is_in_the_matrix(tmp_path: Path) -> None:
    written = {(method, path.partition("?")[0]) for method, path, *_ in [*AT_A_TABLE, *ANYWHERE]}
    there: set[tuple[str, str]] = set()
    for route in create_app(Settings(data=tmp_path)).routes:
        if isinstance(route, WebSocketRoute):
            there.add(("SOCKET", route.path))
        else:
            assert isinstance(route, Route)
            there |= {(method, route.path) for method in (route.methods or set()) - {"HEAD"}}
    assert written == there


class Scene:
    """A table in some state, and one person of every role."""

    def __init__(self, server: Running, state: str, spectators: bool) -> None:
        self.server, self.state = server, state
        self.people = {role: server.guest(role if role != "nobody" else None) for role in ROLES}
        self.third = server.guest("third")
        self.spectators = spectators
        self.set()

    def set(self) -> None:
        maker, sitting = self.people["maker"], [self.people["mover"], self.people["other"], self.third]
        made = maker.table("moon-leap", "open", "open", "open", spectators=self.spectators)
        self.path = f"/api/tables/{made['table']['id']}"
        for guest in sitting[: 2 if self.state == "waiting" else 3]:
            guest.post(f"{self.path}/join", {})
        if self.state == "over":
            for guest in sitting[1:]:
                guest.post(f"{self.path}/resign", {})
        assert maker.get(self.path)["status"] == self.state

    def ask(self, role: str, method: str, path: str, body: Any) -> str:
        """`ok`, or the reason why it is refused; and then nothing has changed."""
        before = self._all()
        path = path.replace(T, self.path)
        if body and "actions" in body:
            body = body | {"actions": [self._action()]}
        said = asked(self.people[role], method, path, body)
        if said != "ok":
            assert self._all() == before, f"{said}, but something has changed"
        elif method == "POST":
            self.set()
        return said

    def _action(self) -> str:
        return str(self.people["mover"].state(self.path[-16:])["legal"][0]) if self.state == "playing" else "move 1"

    def _all(self) -> Any:
        table = self.people["maker"].get(self.path)
        return {name: value for name, value in table.items() if name not in ("watching", "seats")} | {
            "seats": [{n: v for n, v in seat.items() if n != "connected"} for seat in table["seats"]]
        }


def asked(guest: Guest, method: str, path: str, body: Any) -> str:
    if method == "SOCKET":
        return connected(guest, path)
    with guest.http.stream(method, path, **({} if body is None else {"json": body})) as response:
        if response.status_code < 400:
            return "ok"
        assert response.status_code < 500
        return str(json.loads(response.read())["reason"])


def connected(guest: Guest, path: str) -> str:
    try:
        with guest.socket(path) as socket:
            return {"welcome": "ok", "lobby": "ok"}[json.loads(socket.recv(20))["kind"]]
    except InvalidStatus as refused:
        return str(json.loads(refused.response.body or b"{}")["reason"])


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(sqlite(tmp_path_factory.mktemp("authorisation"))) as server:
        yield server


def expected(path: str, state: str, role: str, row: str, spectators: bool) -> str:
    word = row.split()[ROLES.index(role)]
    end = path.replace(T, "").partition("?")[0]
    strangers = ("stranger",) if end == "/report" else ("nobody", "stranger")
    outside = not spectators and role in strangers and end in {*WATCHING, "/report"}
    return "forbidden" if outside and not (end == "" and state == "waiting") else word


@pytest.mark.parametrize("spectators", [True, False], ids=["open", "closed"])
@pytest.mark.parametrize("state", STATES)
def test_the_matrix(attempts: Attempts, shared: Running, state: str, spectators: bool) -> None:
    scene = Scene(shared, state, spectators)
    wrong = []
    for method, path, body, rows in AT_A_TABLE:
        for role in ROLES:
            wanted = expected(path, state, role, rows[STATES.index(state)], spectators)
            said = scene.ask(role, method, path, body)
            if said != wanted:
                wrong.append(f"{role}: {method} {path} {body or ''} while {state}: {said}, not {wanted}")
    assert not wrong, "\n".join(wrong)
    attempts.add(len(AT_A_TABLE) * len(ROLES))


@pytest.mark.parametrize(("method", "path", "body", "row"), ANYWHERE)
def test_what_needs_no_table(shared: Running, method: str, path: str, body: Any, row: str) -> None:
    path = path.replace("{game}", "nova-luna").replace("/api/{path:path}", "/api/nothing").replace("{path:path}", "")
    for name, wanted in zip((None, "Eve"), row.split(), strict=True):
        assert asked(shared.guest(name), method, path, body) == wanted


def test_a_cookie_opens_no_other_persons_seat(shared: Running) -> None:
    """Two guests of the same name are two persons."""
    ada, double = shared.guest("Ada"), shared.guest("Ada")
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    assert double.get(f"/api/tables/{match}")["mine"] == []
    assert double.post(f"/api/tables/{match}/resign", {}, status=403)["reason"] == "forbidden"


def test_who_forgets_who_they_are_has_no_seat(shared: Running) -> None:
    ada = shared.guest("Ada")
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    ada.ask("DELETE", "/api/me")
    assert ada.get(f"/api/tables/{match}")["mine"] == []
    assert ada.post(f"/api/tables/{match}/resign", {}, status=401)["reason"] == "unknown_guest"
