"""Rate limits and connection limits of each person and each network, shared by all workers of a server."""

from __future__ import annotations

import contextlib
import functools
import ipaddress
import math
import time
from collections.abc import Iterator

from starlette.requests import HTTPConnection

from plenilune.server.http.shared import Buckets, Counts, Memory, opened
from plenilune.server.protocol.refusals import Denied
from plenilune.server.settings import Settings
from plenilune.server.storage.rows import Person
from plenilune.server.thinking import budgets

LARGEST = 64 * 1024  # bytes of a request body or a message
# Token buckets of each person: capacity, and tokens per second. A network's hold CROWD times as much.
LIMITS: dict[str, tuple[float, float]] = {
    "guest": (10, 0.05),  # new guests
    "key": (10, 0.005),  # new API keys: guests who have one are kept
    "name": (10, 0.2),  # changes of a name
    "table": (20, 0.2),  # new tables
    "seat": (20, 0.2),  # seats at other people's tables
    "ask": (120, 20),  # HTTP requests to the API
    "page": (600, 30),  # other HTTP requests: a first visit takes up to 150 files
    "list": (30, 2),  # lobbies, best scores and daily rankings over HTTP, which are made of many rows
    "open": (30, 0.5),  # tables that are read from the database: the longest takes 70 ms, and 2 MB for a minute
    "socket": (40, 2),  # new websockets and streams
    "message": (120, 30),  # messages over websockets
    "whole": (30, 2),  # requests for a whole board with its log
    "say": (8, 0.5),  # chat lines
    "think": (10, 0.2),  # hints, reviews, histories
    "secret": (10, 0.1),  # attempts to use an invitation
    "report": (5, 0.02),  # reports of chat lines
    budgets.KIND: (budgets.BURST, budgets.REFILL),  # CPU seconds for bots, hints and reviews
}
CROWD = 5  # several people may share an address
# Open at the same time:
CAPS: dict[str, int] = {
    "person": 20,  # websockets and streams of one person: tabs and programs
    "address": 100,  # websockets and streams of one network
    "connection": 200,  # connections of one network, whatever they are for
}


@functools.lru_cache(1024)
def network(host: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 of an IPv6 address, which usually is one subscriber's.

    >>> network("203.0.113.7")
    '203.0.113.7'
    >>> network("2001:db8:1:2:3:4:5:6")
    '2001:db8:1:2::/64'
    >>> network("2001:db8:1:2::9") == network("2001:db8:1:2:3:4:5:6")
    True
    >>> network("::ffff:203.0.113.7")
    '203.0.113.7'
    >>> network("fe80::1%eth0")
    'fe80::/64'
    >>> network("what a proxy made up")
    'unknown'
    """
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))


def address(connection: HTTPConnection) -> str:
    """The visitor's network, which a trusted proxy (FORWARDED_ALLOW_IPS) may name."""
    client = connection.scope.get("client")
    return network(client[0]) if client else "unknown"


def whose(connection: HTTPConnection, person: Person | None) -> list[tuple[str, float]]:
    """Whose buckets pay, each with the factor by which it exceeds a person's."""
    found: list[tuple[str, float]] = [(f"address {address(connection)}", CROWD)]
    return [(f"person {person.id}", 1), *found] if person else found


class Limits:
    """Token buckets, and counts of open connections."""

    def __init__(self, settings: Settings, memory: Memory | None = None) -> None:
        self.on = settings.limits
        memory = memory or opened()
        self.buckets, self.counts = Buckets(memory), Counts(memory)

    def check(self, kind: str, connection: HTTPConnection, person: Person | None) -> None:
        """Take a token from the person's and the network's bucket, or refuse."""
        self.check_person(kind, person)
        self.check_network(kind, connection)

    def check_person(self, kind: str, person: Person | None) -> None:
        if person:
            self.take(kind, f"person {person.id}")

    def check_network(self, kind: str, connection: HTTPConnection) -> None:
        self.take(kind, f"address {address(connection)}", CROWD)

    def take(self, kind: str, who: str, factor: float = 1) -> None:
        """Take a token, or refuse."""
        if not self.on:
            return
        burst, rate = LIMITS[kind]
        early = self.buckets.take(f"{kind} {who}", 1 / (rate * factor), burst / rate, time.monotonic())
        if early:
            wait = math.ceil(early)
            message = f"too much at once: try again in {wait} second{'s' * (wait != 1)}"
            raise Denied("wait", message, wait=wait, n=wait)

    def spend(self, kind: str, who: str, amount: float, factor: float = 1) -> None:
        """Take an amount that is known only afterwards; the bucket may go into debt."""
        if self.on:
            self.buckets.spend(f"{kind} {who}", amount / (LIMITS[kind][1] * factor), time.monotonic())

    def left(self, kind: str, who: str, factor: float = 1) -> float:
        """The bucket's tokens."""
        if not self.on:
            return math.inf
        burst, rate = LIMITS[kind]
        return factor * (burst - rate * self.buckets.debt(f"{kind} {who}", time.monotonic()))

    @contextlib.contextmanager
    def connected(self, connection: HTTPConnection, person: Person | None) -> Iterator[None]:
        """Count a websocket or stream as long as it is open; refuses one beyond the limit."""
        places: list[int] = []
        try:
            for who, _ in whose(connection, person):
                places.append(self.open(who.partition(" ")[0], who))
            yield
        finally:
            for place in places:
                self.close(place)

    def open(self, cap: str, who: str) -> int:
        """Count one more, or refuse; returns a handle for `close`."""
        if not self.on:
            return 0
        place = self.counts.add(who, CAPS[cap])
        if place is None:
            said = f"{CAPS[cap]} connections are open for this {cap}: close some first"
            raise Denied("too_many_connections", said, n=CAPS[cap])
        return place

    def close(self, place: int) -> None:
        """Count one less."""
        self.counts.remove(place)
