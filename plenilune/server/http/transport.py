"""The open connections of a process: how long a client may keep the server waiting, and how many there may be.

`Link` says what a connection waits for. `Gate` knows all links: it ends those that wait too long and, when there is no
room left, the one that has waited longest. `protocols.py` tells both what happens on the wire.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Container
from typing import Literal, Protocol

import msgspec

from plenilune.server.http.limits import Limits, network
from plenilune.server.protocol import Reason, Refused
from plenilune.server.protocol.refusals import Denied

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

Awaited = Literal["head", "body", "reader", "end"]
# Seconds that a client may keep the server waiting.
PATIENCE: dict[Awaited, float] = {
    "head": 10,  # for the request line and all headers
    "body": 20,  # for the rest of the request
    "reader": 30,  # until it has read READ bytes of what waits to be sent, and again for the next
    "end": 10,  # the same, when everything has been sent and the connection is closed
}
READ = 16 * 1024
SWEEP = 1.0  # seconds between two looks at who is late
MOST_FILES = 65_536  # that a process asks the system for
MOST_CONNECTIONS = 20_000  # of one process, if it may open as many files
RESERVED_FILES = 96  # for the database, logs, caches, and connections that are being refused
MOST_REFUSED = 32  # connections that stay open for a moment, so that they can read why they are refused
FULL = "the server has as many connections as it can hold: try again in a few seconds"
CROWDED = "there are too many connections from your network: close some, or try again in a few seconds"
PHRASES = {
    400: "Bad Request",
    408: "Request Timeout",
    413: "Content Too Large",
    414: "URI Too Long",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}


class Rejection(Exception):
    """What is answered where there is no request yet that the application could answer."""

    def __init__(self, status: int, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.status, self.reason = status, reason

    def encode(self) -> bytes:
        """A whole answer.

        >>> Rejection(503, "unavailable", "try again").encode().decode().splitlines()[:2]
        ['HTTP/1.1 503 Service Unavailable', 'content-type: application/json']
        """
        body = msgspec.json.encode(Refused(self.reason, str(self)))
        lines = [f"HTTP/1.1 {self.status} {PHRASES[self.status]}", "content-type: application/json"]
        lines += ["cache-control: no-store", f"content-length: {len(body)}", "connection: close"]
        lines += ["retry-after: 5"] * (self.status == 503)
        return "\r\n".join([*lines, "", ""]).encode() + body


def capacity(files: int) -> int:
    """How many connections fit: each may need one more file, which it is sent.

    >>> capacity(1024), capacity(256), capacity(1_000_000)
    (464, 80, 20000)
    """
    return max(1, min(MOST_CONNECTIONS, (files - RESERVED_FILES) // 2))


def backlog(files: int) -> int:
    """How many connections may wait to be accepted: all of them are accepted before the first can be refused.

    >>> backlog(1024), backlog(256), backlog(1_000_000)
    (232, 40, 2048)
    """
    return max(1, min(2048, capacity(files) // 2))


def open_files() -> int:
    """How many files this process may open."""
    return 2 * MOST_CONNECTIONS if resource is None else resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def raise_open_files() -> None:
    """Have the system allow as many open files as it ever does, within reason."""
    if resource is not None:
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
        with contextlib.suppress(ValueError, OSError):  # macOS allows less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))


class Connection(Protocol):
    """What the gate asks of a protocol."""

    transport: asyncio.Transport

    def give_up(self, why: Rejection) -> None:
        """End the connection, with an answer if one is due."""


class Link:
    """One connection, what it waits for from its client, and since when."""

    __slots__ = ("awaited", "connection", "place", "since", "unsent")

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.awaited: Awaited | None = None
        self.since = 0.0
        self.unsent = 0  # bytes that the client had not read then
        self.place = 0  # where it is counted for its network

    def late(self, now: float) -> bool:
        return self.awaited is not None and now - self.since > PATIENCE[self.awaited]

    def reads_on(self) -> bool:
        """Whether the client, slow as it is, has read on."""
        return (
            self.awaited in ("reader", "end")
            and self.unsent - self.connection.transport.get_write_buffer_size() >= READ
        )

    def too_late(self) -> Rejection:
        assert self.awaited
        return Rejection(
            408, "bad_request", f"the request's {self.awaited} took longer than {PATIENCE[self.awaited]:.0f} seconds"
        )


class Gate:
    """All connections of one process."""

    def __init__(self, limits: Limits, room: int | None = None) -> None:
        self.limits = limits
        self.room = capacity(open_files()) if room is None else room
        self.links: dict[asyncio.Transport, Link] = {}
        self.refused = 0  # connections that are open only to read why
        self._waiting: dict[Link, None] = {}  # for their clients, the longest first
        self._sweeps = 0

    def enter(self, connection: Connection, peer: str | None, trusted: Container[str]) -> Link:
        """A new connection, or a rejection; a proxy may have any number of them."""
        link = Link(connection)
        if peer and peer not in trusted:
            link.place = self._count(peer)
        if len(self.links) >= self.room and not self._make_room():
            self.leave(link)
            raise Rejection(503, "unavailable", FULL)
        if not self.links:
            self._sweep_later()
        self.links[connection.transport] = link
        return link

    def _count(self, peer: str) -> int:
        try:
            return self.limits.open("connection", f"connection {network(peer)}")
        except Denied:
            raise Rejection(503, "unavailable", CROWDED) from None

    def _make_room(self) -> bool:
        """End the connection that has kept us waiting longest."""
        if not self._waiting:
            return False
        longest = next(iter(self._waiting))
        self.leave(longest)
        longest.connection.give_up(Rejection(503, "unavailable", FULL))
        return True

    def leave(self, link: Link) -> None:
        self.links.pop(link.connection.transport, None)
        self._waiting.pop(link, None)
        self.limits.close(link.place)
        link.place = 0

    def wait(self, link: Link, awaited: Awaited | None) -> None:
        """What the connection waits for from now on."""
        if awaited != link.awaited:
            link.awaited = awaited
            self._wait_anew(link)

    def _wait_anew(self, link: Link) -> None:
        self._waiting.pop(link, None)
        link.since = asyncio.get_running_loop().time()
        transport = link.connection.transport
        if link.awaited and transport in self.links:
            link.unsent = transport.get_write_buffer_size()
            self._waiting[link] = None

    def sweep(self, now: float) -> None:
        """End the connections whose clients are late."""
        for link in [link for link in self._waiting if link.late(now)]:
            if link.reads_on():
                self._wait_anew(link)
            else:
                link.connection.give_up(link.too_late())
        self._sweeps += 1
        if self._sweeps % 10 == 0:
            self._find_closing()

    def _find_closing(self) -> None:
        """A connection that is closed stays open until its client has read everything, which may be never."""
        for transport, link in self.links.items():
            if link.awaited is None and transport.is_closing():
                self.wait(link, "end")

    def _sweep_later(self) -> None:
        asyncio.get_running_loop().call_later(SWEEP, self._sweep_on)

    def _sweep_on(self) -> None:
        self.sweep(asyncio.get_running_loop().time())
        if self.links:
            self._sweep_later()
