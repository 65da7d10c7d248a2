"""Whatever a client puts into an address, the answer is a page, a file or a refusal, and never an error of ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_from_bytes, urlsplit

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.server.attempts import Attempts
from tests.server.running import Running, running, sqlite
from tests.server.wire import GET, Wire

PLACES = [
    "/{}",
    "/assets/{}",
    "/assets/{}.js",
    "//{}",
    "/api/{}",
    "/api/tables/{}",
    "/api/tables/{}/state",
    "/api/tables/{}/stream",
    "/api/tables/{}/history?first=0",
    "/api/tables/abcdefghijkmnpqr/state?viewer={}",
    "/api/daily/{}",
    "/api/daily/nova-luna?day={}",
    "/api/lobby?{}",
    "/metrics?{}={}",
]
NASTY = [
    "%00",
    "%",
    "%zz",
    "%ff",
    "%c0%ae",
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e",
    "a" * 300,
    "a" * 7000,
    "%0d%0aX:%20a",
]
NASTY += [
    "%ed%a0%80",
    "\\..\\",
    "~",
    "%7f",
    "a/" * 2000,
    "&" * 5000,
    ";" * 100,
    "[" * 1000,
    "%F0%9F%8C%95",
    "con",
    "nul.txt",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(sqlite(tmp_path_factory.mktemp("paths"))) as server:
        yield server


def status(server: Running, target: bytes) -> int:
    parts = urlsplit(server.address)
    with Wire((str(parts.hostname), int(parts.port or 0))) as wire:
        wire.send((GET % target).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        return int(wire.rest().split()[1])


@pytest.mark.parametrize("nasty", NASTY, ids=lambda word: word[:20])
def test_no_hostile_path_is_an_error_of_ours(attempts: Attempts, server: Running, nasty: str) -> None:
    for place in PLACES:
        assert status(server, place.replace("{}", nasty).encode()) < 500, place
    attempts.add(len(PLACES))


written = st.one_of(
    st.text(max_size=40).map(lambda text: quote(text, errors="surrogatepass")),
    st.binary(max_size=40).map(quote_from_bytes),
    st.text(alphabet=[chr(c) for c in range(0x21, 0x7F)], max_size=60),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(PLACES), words=written)
@example("/{}", "?")
def test_no_path_at_all_is_an_error_of_ours(server: Running, place: str, words: str) -> None:
    assert status(server, place.replace("{}", words).encode()) < 500


@pytest.mark.parametrize("host", [b"", b"[", b"[::1", b"a:b:c", b"\xff", b"a" * 5000, b"/", b"here:99999999"])
def test_no_host_is_an_error_of_ours(server: Running, host: bytes) -> None:
    parts = urlsplit(server.address)
    for path in (b"/", b"/api/me", b"/nothing/here", b"/api/nothing", b"/picture.png"):
        with Wire((str(parts.hostname), int(parts.port or 0))) as wire:
            wire.send(b"GET " + path + b" HTTP/1.1\r\nConnection: close\r\nHost: " + host + b"\r\n\r\n")
            assert int(wire.rest().split()[1]) < 500


def test_a_nul_byte_and_a_very_long_path_are_not_files(server: Running) -> None:
    assert status(server, b"/%00.js") == 404
    assert status(server, b"/" + b"a" * 3000 + b".js") == 404
    assert status(server, b"/" + b"a" * 9000) == 414


def test_postgresql_is_not_asked_for_what_it_cannot_store(database: str, tmp_path: Path) -> None:
    with running(sqlite(tmp_path, database=database)) as server:
        ada = server.guest("Ada")
        match = ada.table("moon-leap", "me", "me")["table"]["id"]
        ply = ada.state(match)["ply"]
        for path in ("", "/state", "/stream", "/match"):
            assert status(server, b"/api/tables/%00" + path.encode()) == 404
        body = {"kind": "play", "id": "\0", "ply": ply, "actions": ["move 1"]}
        assert ada.post(f"/api/tables/{match}/play", body, status=400)["reason"] == "bad_request"
