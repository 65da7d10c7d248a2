"""Clients that keep the server waiting, open too many connections, or send more than anybody needs to."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from plenilune.server.http import connections, protocols, transport
from plenilune.server.http.connections import Queue
from plenilune.server.http.limits import CAPS, LARGEST, Limits
from plenilune.server.http.transport import PATIENCE, Gate, capacity, open_files
from plenilune.server.serve import ACCEPTED, accepting, bind
from plenilune.server.settings import Settings
from tests.server.attempts import Attempts
from tests.server.running import Process, running, sqlite
from tests.server.wire import BIG, GET, Small, Wire, small, within

OTHER = "127.0.0.2"  # no trusted proxy
POST = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n"
UPGRADE = (
    b"%s /%s HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
CONTINUATION, TEXT, PING = 0, 1, 9
KINDS = ["plenilune.server.http.protocols:HTTP", "plenilune.server.http.protocols:BoundedH11"]


@pytest.fixture(params=KINDS, ids=["httptools", "h11"])
def server(request: pytest.FixtureRequest) -> Iterator[Small]:
    with small(http=request.param) as server:
        yield server


@pytest.fixture(params=KINDS, ids=["httptools", "h11"])
def hasty(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Small]:
    """One that waits for nobody as long as usual."""
    monkeypatch.setattr(transport, "SWEEP", 0.02)
    for awaited in PATIENCE:
        monkeypatch.setitem(PATIENCE, awaited, PATIENCE[awaited] / 50)
    with small(http=request.param) as server:
        yield server


@pytest.fixture(scope="module")
def lasting() -> Iterator[Small]:
    """One for many tests."""
    with small() as server:
        yield server


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "REFUSED_FOR", 0.2)


def trickle(wire: Wire, byte: bytes, ended: threading.Event) -> None:
    """One byte after another, as a client does that wants to stay as long as possible."""
    while not ended.wait(0.02):
        try:
            wire.socket.send(byte)
        except OSError:
            return


def trickled(wire: Wire, byte: bytes) -> tuple[int, Any]:
    ended = threading.Event()
    thread = threading.Thread(target=trickle, args=(wire, byte, ended))
    thread.start()
    try:
        return wire.answer()
    finally:
        ended.set()
        thread.join()


# How long


def test_headers_that_never_end_are_not_waited_for(hasty: Small) -> None:
    with Wire(hasty.address) as slow:
        slow.send(b"GET / HTTP/1.1\r\nHost: here\r\nX-Slow: ")
        status, said = trickled(slow, b"a")
        assert (status, said["reason"]) == (408, "bad_request")
        assert slow.rest() == b""
    assert within(5, lambda: not hasty.open())


def test_a_body_that_never_ends_is_not_waited_for(hasty: Small) -> None:
    with Wire(hasty.address) as slow:
        slow.send(POST % LARGEST)
        status, said = trickled(slow, b"a")
        assert (status, said["reason"]) == (408, "bad_request")
        assert slow.rest() == b""


def test_a_connection_that_says_nothing_is_closed_without_a_word(hasty: Small) -> None:
    with Wire(hasty.address) as silent:
        assert silent.rest() == b""


def test_an_answer_is_waited_for_as_long_as_it_takes(hasty: Small) -> None:
    with Wire(hasty.address) as patient:
        patient.send(GET % b"/held")
        assert within(5, lambda: hasty.app.calls == 1)
        time.sleep(1.5 * max(PATIENCE.values()))
        hasty.release()
        assert patient.answer() == (200, "yes")


@pytest.mark.parametrize("last", [b"", b"Connection: close\r\n"], ids=["", "closed"])
def test_a_client_that_does_not_read_its_answer_is_dropped(hasty: Small, last: bytes) -> None:
    """A connection that the server has closed stays open, too, until everything has been read."""
    with Wire(hasty.address) as deaf:
        deaf.send(b"GET /big HTTP/1.1\r\nHost: here\r\n" + last + b"\r\n")
        assert within(5, lambda: hasty.app.calls == 1)
        assert within(5, lambda: not hasty.open())


def test_a_client_that_reads_slowly_is_served(hasty: Small) -> None:
    with Wire(hasty.address) as slow:
        slow.send(GET % b"/big")
        began, read = time.monotonic(), 0
        while read < BIG and time.monotonic() - began < 3 * PATIENCE["reader"]:
            read += len(slow.socket.recv(20_000))
            time.sleep(0.01)
        assert hasty.open() == 1


# How many


def test_a_newcomer_takes_the_place_of_the_connection_that_has_kept_us_waiting_longest(server: Small) -> None:
    server.gate.room = 5
    with ExitStack() as stack:
        held = [stack.enter_context(Wire(server.address)) for _ in range(3)]
        for wire in held:
            wire.send(GET % b"/held")
        assert within(5, lambda: server.app.calls == 3)
        for _ in range(20):
            stack.enter_context(Wire(server.address)).send(b"GET / HT")
            with Wire(server.address) as newcomer:
                assert newcomer.ask() == 200
        server.release()
        assert [wire.answer()[0] for wire in held] == [200] * 3  # none of those was waiting for its client


def test_where_everybody_is_being_served_a_newcomer_is_told_so(server: Small) -> None:
    server.gate.room = 3
    with ExitStack() as stack:
        held = [stack.enter_context(Wire(server.address)) for _ in range(3)]
        for wire in held:
            wire.send(GET % b"/held")
        assert within(5, lambda: server.app.calls == 3)
        with Wire(server.address) as newcomer:
            newcomer.send(GET % b"/")
            answer = newcomer.rest()
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: " in answer
        assert b'{"kind":"refused","reason":"unavailable","message":"the server has as many connections' in answer
        server.release()
        assert [wire.answer()[0] for wire in held] == [200] * 3
        assert held[0].ask() == 200
    assert within(5, lambda: not server.open())
    with Wire(server.address) as newcomer:
        assert newcomer.ask() == 200


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is nobody's address")
def test_one_network_has_only_so_many_connections(server: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CAPS, "connection", 4)
    with ExitStack() as stack:
        held = [stack.enter_context(Wire(server.address, OTHER)) for _ in range(4)]
        for wire in held:
            wire.send(GET % b"/held")
        assert within(5, lambda: server.app.calls == 4)
        with Wire(server.address, OTHER) as more:
            status, said = more.answer()
            assert (status, said["reason"]) == (503, "unavailable")
            assert "your network" in said["message"]
        with Wire(server.address, "127.0.0.3") as stranger, Wire(server.address) as proxy:
            assert stranger.ask() == proxy.ask() == 200
        held[0].socket.close()
        assert within(5, lambda: server.open() < 4)
        with Wire(server.address, OTHER) as again:
            assert again.ask() == 200


def test_an_operator_sets_how_many_connections_a_process_holds(tmp_path: Path) -> None:
    with running(sqlite(tmp_path, connections=2)) as server, ExitStack() as stack:
        address = ("127.0.0.1", server.listening.getsockname()[1])
        for _ in range(2):  # a stream is served: none of both waits for its client
            guest = server.guest()
            match = guest.table("moon-leap", "me", "open")["table"]["id"]
            stack.enter_context(guest.http.stream("GET", f"/api/tables/{match}/stream"))
        with Wire(address) as newcomer:
            newcomer.send(GET % b"/api/health")
            assert newcomer.rest().startswith(b"HTTP/1.1 503 ")


def test_no_setting_allows_more_connections_than_there_are_files() -> None:
    fits = capacity(open_files())
    assert Gate(Limits(Settings()), fits + 1).room == fits
    assert Gate(Limits(Settings()), fits - 1).room == fits - 1


def test_half_sent_requests_do_not_keep_others_out(attempts: Attempts, tmp_path: Path) -> None:
    """With 256 file descriptors, 300 connections that send half a request, and one that wants an answer."""
    server = Process("--data", str(tmp_path), module="tests.server.few_files")
    try:
        parts = urlsplit(server.address)
        address = (str(parts.hostname), int(parts.port or 0))
        with ExitStack() as stack:
            for number in range(300):
                stack.enter_context(Wire(address)).send(b"GET /api/health HTTP/1.1\r\nHost: ")
                if number % 10 == 0:
                    assert answered_within_a_second(address)
            for _ in range(20):
                assert answered_within_a_second(address)
    finally:
        server.stop()
    attempts.add(300)


def answered_within_a_second(address: tuple[str, int]) -> bool:
    began = time.monotonic()
    with Wire(address) as wire:
        wire.send(b"GET /api/health HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        wire.socket.settimeout(1)
        return wire.rest().startswith(b"HTTP/1.1 200 ") and time.monotonic() - began < 1


# How much


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /" + b"a" * 10_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /?" + b"a=b&" * 10_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 1_000_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 1_000 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 100_000 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\nCookie: " + b"a" * 9_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nX" + b"a" * 9_000 + b": a\r\n\r\n", 431),
        (b"POST / HTTP/1.1\r\nContent-Length: 10000000\r\n\r\n" + b"a" * 10_000_000, 413),
        (b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n", 400),
        (b"GET /\xff HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX\x00: a\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),  # TLS
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", 400),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_a_request_out_of_all_proportion_is_refused_in_one_sentence(
    attempts: Attempts, lasting: Small, request_: bytes, status: int
) -> None:
    before = lasting.app.calls
    with Wire(lasting.address) as wire, sending(wire, request_):
        found, said = wire.answer()
    assert (found, said["kind"]) == (status, "refused")
    assert lasting.app.calls == before
    with Wire(lasting.address) as wire:
        assert wire.ask() == 200
    attempts.add()


@contextmanager
def sending(wire: Wire, data: bytes) -> Iterator[list[int]]:
    """Meanwhile; afterwards the list has how many bytes were taken."""
    taken: list[int] = []
    thread = threading.Thread(target=lambda: taken.append(wire.send(data)))
    thread.start()
    try:
        yield taken
    finally:
        with suppress(OSError):  # the server may have been faster
            wire.socket.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_the_next_request_cannot_grow_while_the_last_is_answered(server: Small) -> None:
    with Wire(server.address) as wire:
        wire.send(GET % b"/held")
        assert within(5, lambda: server.app.calls == 1)
        with sending(wire, b"GET / HTTP/1.1\r\nX: " + b"a" * 50_000_000) as taken:
            within(0.5, lambda: bool(taken))
        assert taken[0] < 10_000_000  # what the kernel holds


def test_requests_that_pile_up_are_not_all_taken(lasting: Small) -> None:
    before = lasting.app.calls
    with Wire(lasting.address) as wire:
        wire.send(10_000 * (GET % b"/"))
        wire.rest()
    assert lasting.app.calls - before <= 1 + protocols.PIPELINED


# Websockets


def frame(opcode: int, payload: bytes = b"", last: bool = True) -> bytes:
    """Masked with zeros."""
    return bytes([opcode | last << 7, 128 | len(payload), 0, 0, 0, 0]) + payload


def shake_hands(wire: Wire, path: bytes = b"") -> None:
    wire.send(UPGRADE % (b"GET", path))
    assert wire.receive().startswith(b"HTTP/1.1 101 ")


def test_a_websocket_talks(lasting: Small) -> None:
    with Wire(lasting.address) as wire:
        shake_hands(wire)
        wire.send(frame(TEXT, b"hello"))
        assert wire.receive().endswith(b"hello")


@pytest.mark.parametrize("flood", [frame(PING), frame(TEXT, b"a"), frame(CONTINUATION, last=False)], ids=repr)
def test_a_websocket_that_floods_is_closed(lasting: Small, flood: bytes) -> None:
    with Wire(lasting.address) as wire:
        shake_hands(wire)
        with sending(wire, frame(TEXT, last=False) * (flood[0] == CONTINUATION) + flood * 100_000):
            assert within(5, lambda: not lasting.open())


def test_a_websocket_that_does_not_read_is_dropped(hasty: Small) -> None:
    with Wire(hasty.address) as deaf:
        shake_hands(deaf, b"big")
        deaf.send(frame(TEXT, b"x" * 100))
        assert within(5, lambda: not hasty.open())


def test_a_websocket_that_does_not_read_holds_little_memory(lasting: Small) -> None:
    with Wire(lasting.address) as deaf:
        shake_hands(deaf, b"big")
        deaf.send(frame(TEXT, b"x" * 100))
        assert within(5, lambda: any(link.awaited == "reader" for link in lasting.gate.links.values()))
        (link,) = (link for link in lasting.gate.links.values() if link.awaited == "reader")
        assert link.connection.transport.get_write_buffer_size() <= protocols.UNSENT + 100_100


def test_half_a_handshake_is_not_waited_for(hasty: Small) -> None:
    with Wire(hasty.address) as slow:
        slow.send((UPGRADE % (b"GET", b""))[:-4])
        status, said = trickled(slow, b"a")
        assert (status, said["reason"]) == (408, "bad_request")


@pytest.mark.parametrize(
    "handshake",
    [UPGRADE % (b"POST", b""), (UPGRADE % (b"GET", b"")).replace(b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\n")],
)
def test_what_is_not_a_handshake_is_refused(lasting: Small, handshake: bytes) -> None:
    with Wire(lasting.address) as wire:
        wire.send(handshake)
        assert wire.rest().startswith(b"HTTP/1.1 4")


# Queues


def test_a_reader_may_be_behind_by_so_many_bytes_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_BYTES", 100)

    async def read() -> None:
        queue = Queue()
        queue.put(b"x" * 1000)  # one message may be larger
        assert len(await queue.get() or b"") == 1000
        for _ in range(20):
            queue.put(b"x" * 50)
            queue.put(b"x" * 50)
            assert not queue.dropped
            assert [len(await queue.get() or b"") for _ in range(2)] == [50, 50]
        queue.put(b"x" * 50)
        queue.put(b"x" * 51)
        assert queue.dropped
        assert queue.empty
        assert await queue.get() is None

    asyncio.run(read())


# Busy


def test_a_busy_server_accepts_many_connections_in_a_round() -> None:
    """libuv accepts one of each listening socket: a flood would keep newcomers waiting for thousands of rounds."""
    uvloop = pytest.importorskip("uvloop")
    accepted: list[Any] = []

    class Counting(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            accepted.append(transport)

    async def rounds(listening: list[socket.socket]) -> int:
        loop = asyncio.get_running_loop()
        servers = [await loop.create_server(Counting, sock=one) for one in listening]
        number = 0
        while len(accepted) < 64:
            await asyncio.sleep(0)
            number += 1
        for open_ in (*accepted, *servers):
            open_.close()
        await asyncio.gather(*(server.wait_closed() for server in servers))  # uvloop waits for them forever otherwise
        return number

    with ExitStack() as stack:
        listening = bind(Settings(port=0))
        for _ in range(64):
            stack.enter_context(socket.create_connection(listening.getsockname()))
        assert uvloop.run(rounds(accepting(listening))) <= 64 / ACCEPTED + 4
