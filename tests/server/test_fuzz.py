"""Whatever is said to the server, it answers what its document says, never breaks, and changes nothing it refuses."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import requests
import schemathesis
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from plenilune.server.http.openapi import document
from plenilune.server.http.server import VERSION
from plenilune.server.protocol import ENDPOINTS, Endpoint
from plenilune.server.storage.schema import facts, metadata
from tests.server.running import Guest, Live, Running, running, sqlite

EXAMPLES = 10  # requests of every endpoint that are as the document says, and as many that are not
MESSAGES = 60
GOOD, BAD = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
GAMES = st.sampled_from([None, "moon-leap", "nova-luna"])
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
NOTED = ("present", "claimed", "seen", "used")
QUIET = settings(
    deadline=None,
    database=None,
    derandomize=True,  # the same in every run: what fails, fails for everybody
    suppress_health_check=list(HealthCheck),
)


class Place:
    """A server with tables in every state, and a person who sits at all of them."""

    def __init__(self, server: Running) -> None:
        self.server = server
        self.ada, self.ben = server.guest("Ada"), server.guest("Ben")
        self.waiting = self._table("open")
        self.playing = self._table("me")
        self.over = self._table("me")
        self.ada.post(f"/api/tables/{self.over}/resign", {})
        self.session = requests.Session()

    def _table(self, other: str) -> str:
        match: str = self.ada.table("moon-leap", "me", other)["table"]["id"]
        return match

    def everything(self) -> Any:
        """All rows there are, once no bot is thinking. What the server notes by itself does not count: presence,
        claims, when somebody was last seen, its heartbeat."""

        async def read() -> Any:
            found = {}
            for table in metadata.sorted_tables:
                if table is facts:
                    continue
                columns = [column for column in table.columns if column.name not in NOTED]
                found[table.name] = [
                    tuple(row.values()) for row in await self.server.server.store.all(sa.select(*columns))
                ]
            return found

        while self.server.server.bots.thinking:
            time.sleep(0.01)
        return self.server.in_loop(read())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with running(sqlite(tmp_path_factory.mktemp("fuzz"))) as server:
        found = Place(server)
        yield found
        found.session.close()


# HTTP: schemathesis asks what the document allows, and what it does not


@pytest.fixture(scope="module")
def api() -> Any:
    return schemathesis.openapi.from_dict(msgspec.to_builtins(document(VERSION)))


def cases() -> Iterator[Any]:
    for endpoint in ENDPOINTS:
        yield pytest.param(endpoint, GOOD, id=f"{endpoint.method} {endpoint.path} as documented")
        named = endpoint.path.replace("{game}", "")  # any word may be the name of a game
        if endpoint.body or endpoint.query or "{" in named:  # otherwise nothing about it can be wrong
            yield pytest.param(endpoint, BAD, id=f"{endpoint.method} {endpoint.path} otherwise")


@pytest.mark.parametrize(("endpoint", "mode"), list(cases()))
def test_the_api_does_what_its_document_says(place: Place, api: Any, endpoint: Endpoint, mode: Any) -> None:
    operation = api[endpoint.path][endpoint.method]
    endless = endpoint.path.endswith("/stream")
    matches = [place.over] if endless else [place.waiting, place.playing, place.over]

    @settings(QUIET, max_examples=EXAMPLES)
    @given(operation.as_strategy(generation_mode=mode), st.sampled_from([None, *matches]), GAMES)
    def ask(case: Any, match: str | None, game: str | None) -> None:
        for name, value in (("match", match), ("game", game)):  # what is there is met more often than by chance
            for given_values in (case.path_parameters, case.body):
                if value and isinstance(given_values, dict) and name in given_values:
                    given_values[name] = value
        leaves = (endpoint.method, endpoint.path) == ("DELETE", "/api/me")
        guest = place.server.guest("Eve") if leaves else place.ada  # the others need Ada
        place.session.cookies.update(dict(guest.http.cookies))
        before = place.everything()
        response = case.call(base_url=place.server.address, session=place.session)
        case.validate_response(response, checks=CHECKS)
        if response.status_code >= 400:
            assert place.everything() == before, "refused, but something has changed"

    ask()
    assert place.ada.get("/api/health")["status"] == "ok"


# Websockets: our own fuzzer


def words() -> st.SearchStrategy[Any]:
    numbers = st.integers() | st.floats(allow_nan=False) | st.integers(-2, 20)
    texts = st.text(max_size=30) | st.sampled_from(["move 1", "move 2", "roll 1", "pass", "fly home", "move", "1"])
    return st.none() | st.booleans() | numbers | texts


KINDS = ("play", "preview", "look", "hint", "stop_hint", "say", "resync", "ping", "welcome", "update", "fly", "")
FIELDS = ("id", "ply", "actions", "hash", "seat", "viewer", "seconds", "text", "phrase", "kind")
anything = st.recursive(
    words(), lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5)
)
shaped = st.fixed_dictionaries(
    {"kind": st.sampled_from(KINDS)}, optional={name: words() | anything for name in FIELDS if name != "kind"}
)
likely = st.fixed_dictionaries(  # what a client with a mistake could say
    {
        "kind": st.sampled_from(KINDS[:8]),
        "id": st.text(min_size=1, max_size=5),
        "ply": st.integers(-1, 5),
        "actions": st.lists(st.sampled_from(["move 1", "move 9", "roll 3", "", "x" * 200]), max_size=3),
        "viewer": st.integers(-2, 4),
        "seconds": st.sampled_from([0.01, -1, 1e9]),
        "text": st.sampled_from(["", " ", "hello\u0000", "\ud83d\ude00" * 300, "x" * 281]),
    },
    optional={"seat": st.integers(-1, 20), "phrase": st.sampled_from(["hello", "nothing", ""]), "hash": words()},
)
messages = st.one_of(
    st.text(max_size=200),
    st.binary(max_size=200),
    anything.map(json.dumps),
    shaped.map(json.dumps),
    likely.map(json.dumps),
    st.builds(lambda message, at: json.dumps(message)[:at], likely, st.integers(0, 150)),
)


def answers(live: Live) -> list[Any]:
    """All that was said until the socket has answered a ping: it still listens, and has done with what came before."""
    live.say("ping", id="are you there?")
    found = []
    while not ((said := live.next())["kind"] == "pong" and said["id"] == "are you there?"):
        found.append(said)
    return found


@pytest.mark.parametrize("who", ["seat", "spectator", "nobody"])
@pytest.mark.parametrize("state", ["waiting", "playing", "over"])
def test_no_message_breaks_a_socket_or_changes_what_it_is_refused(place: Place, who: str, state: str) -> None:
    match = getattr(place, state)
    guest: Guest = {"seat": place.ada, "spectator": place.ben, "nobody": place.server.guest(None)}[who]
    with guest.live(match) as live:
        live.next()
        answers(live)

        @settings(QUIET, max_examples=MESSAGES)
        @given(message=messages)
        def tell(message: str | bytes) -> None:
            before = place.everything()
            live.socket.send(message)
            said = answers(live)
            changed = place.everything() != before
            allowed = [m for m in said if m["kind"] in ("played", "chat")]
            assert changed == bool(allowed), said
            assert not changed or who == "seat"
            assert {m["kind"] for m in said} <= KNOWN

        tell()


KNOWN = {"update", "table", "played", "previewed", "hinted", "chat", "refused", "pong"}


@pytest.mark.parametrize(
    "said", [b"\xff\xfe", b"\xed\xa0\x80", "\ud7ff", "{" * 60_000, "[" * 60_000, '"' + "\\u0000" * 9000]
)
def test_the_lobby_hears_anything_and_goes_on(place: Place, said: str | bytes) -> None:
    with place.ben.socket("/api/lobby/live") as socket:
        assert json.loads(socket.recv(20))["kind"] == "lobby"
        socket.send(said)
        assert place.ben.get("/api/health")["status"] == "ok"
        place.ada.table("moon-leap", "me", "open", public=True)
        assert json.loads(socket.recv(20))["kind"] == "lobby_changes"
