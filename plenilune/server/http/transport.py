"""A process's open connections: their number, and how long a client may keep the server waiting.

A `Link` knows what its connection is waiting for. The `Gate` knows all links: it closes those that wait too long and,
when the process is full, the one that has waited longest. `protocols.py` reports to both what happens on the wire.
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
    "reader": 30,  # to read the next READ bytes of what waits to be sent
    "end": 10,  # the same, once everything has been sent and the connection is closing
}
READ = 16 * 1024
SWEEP = 1.0  # seconds between two checks for late clients
MOST_FILES = 65_536  # requested of the system for one process
RESERVED_FILES = 96  # for the database, logs, caches, and connections that are being refused
MOST_REFUSED = 32  # refused connections that stay open for a moment to read why
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
    """A response sent before there is a request for the application."""

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

    >>> capacity(1024), capacity(256)
    (464, 80)
    """
    return max(1, (files - RESERVED_FILES) // 2)


def backlog(files: int) -> int:
    """The listen backlog: all connections that wait are accepted before the first can be refused.

    >>> backlog(1024), backlog(256), backlog(1_000_000)
    (232, 40, 2048)
    """
    return max(1, min(2048, capacity(files) // 2))


def open_files() -> int:
    """How many files this process may open."""
    return MOST_FILES if resource is None else resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def raise_open_files() -> None:
    """Raise the limit of open files as far as the system allows, up to MOST_FILES."""
    if resource is not None:
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
        with contextlib.suppress(ValueError, OSError):  # macOS allows fewer than it reports
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))


class Connection(Protocol):
    """What the gate needs of a protocol."""

    transport: asyncio.Transport

    def give_up(self, why: Rejection) -> None:
        """Close the connection, with a response if one is due."""


class Link:
    """One connection: what it waits for from its client, and since when."""

    __slots__ = ("awaited", "connection", "place", "since", "unsent")

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.awaited: Awaited | None = None
        self.since = 0.0
        self.unsent = 0  # bytes that the client had not read at the last check
        self.place = 0  # its handle in the network's count

    def late(self, now: float) -> bool:
        return self.awaited is not None and now - self.since > PATIENCE[self.awaited]

    def reads_on(self) -> bool:
        """Whether a slow client has read enough since the last check."""
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

    def __init__(self, limits: Limits, most: int) -> None:
        self.limits = limits
        self.room = min(most, capacity(open_files()))
        self.links: dict[asyncio.Transport, Link] = {}
        self.refused = 0  # connections that are open only to read their refusal
        self._waiting: dict[Link, None] = {}  # links waiting for their clients, the longest first
        self._sweeps = 0

    def enter(self, connection: Connection, peer: str | None, trusted: Container[str]) -> Link:
        """Admit a new connection, or return a rejection; trusted proxies may have any number."""
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
        """Close the connection that has waited longest for its client."""
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
        """Set what a connection waits for from now on."""
        if awaited != link.awaited:
            link.awaited = awaited
            self._restart_wait(link)

    def _restart_wait(self, link: Link) -> None:
        self._waiting.pop(link, None)
        link.since = asyncio.get_running_loop().time()
        transport = link.connection.transport
        if link.awaited and transport in self.links:
            link.unsent = transport.get_write_buffer_size()
            self._waiting[link] = None

    def sweep(self, now: float) -> None:
        """Close the connections whose clients are late."""
        for link in [link for link in self._waiting if link.late(now)]:
            if link.reads_on():
                self._restart_wait(link)
            else:
                link.connection.give_up(link.too_late())
        self._sweeps += 1
        if self._sweeps % 10 == 0:
            self._find_closing()

    def _find_closing(self) -> None:
        """Closing connections stay open until their clients have read everything, which may be never."""
        for transport, link in self.links.items():
            if link.awaited is None and transport.is_closing():
                self.wait(link, "end")

    def _sweep_later(self) -> None:
        asyncio.get_running_loop().call_later(SWEEP, self._sweep_on)

    def _sweep_on(self) -> None:
        self.sweep(asyncio.get_running_loop().time())
        if self.links:
            self._sweep_later()
