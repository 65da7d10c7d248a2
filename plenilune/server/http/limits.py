"""How often and how much one person and one network may ask, across all workers of a server."""

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

LARGEST = 64 * 1024  # bytes of a request's body or of a message
# Token buckets: how many at once, and how many more a second. For each person; a network may do CROWD times as much.
LIMITS: dict[str, tuple[float, float]] = {
    "guest": (10, 0.05),  # new guests
    "name": (10, 0.2),  # new names of a guest, and keys with them
    "table": (20, 0.2),  # new tables
    "ask": (120, 20),  # HTTP requests
    "socket": (40, 2),  # new websockets and streams
    "message": (120, 30),  # messages over websockets
    "say": (8, 0.5),  # chat lines
    "think": (10, 0.2),  # hints, reviews, histories
    "secret": (10, 0.1),  # tries at invitations
    "report": (5, 0.02),  # reports of chat lines
    budgets.KIND: (budgets.BURST, budgets.REFILL),  # CPU seconds for bots, hints and reviews
}
CROWD = 5  # several people may sit behind one address
# Open at the same time.
CAPS: dict[str, int] = {
    "person": 20,  # websockets and streams of one person: tabs and programs
    "address": 100,  # websockets and streams of one network
    "connection": 200,  # connections of one network, whatever they are for
}


@functools.lru_cache(1024)
def network(host: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 of an IPv6 address, which one subscriber has to itself.

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
    """The visitor's network. Behind a trusted proxy (FORWARDED_ALLOW_IPS) it is the one that the proxy names."""
    client = connection.scope.get("client")
    return network(client[0]) if client else "unknown"


def whose(connection: HTTPConnection, person: Person | None) -> list[tuple[str, float]]:
    """Whose limits count, and how many times a person's they are."""
    found: list[tuple[str, float]] = [(f"address {address(connection)}", CROWD)]
    return [(f"person {person.id}", 1), *found] if person else found


class Limits:
    """Token buckets, which fill up again with time, and counts of what is open."""

    def __init__(self, settings: Settings, memory: Memory | None = None) -> None:
        self.on = settings.limits
        memory = memory or opened()
        self.buckets, self.counts = Buckets(memory), Counts(memory)

    def check(self, kind: str, connection: HTTPConnection, person: Person | None) -> None:
        """Take one of the kind from the person and from the network, or refuse."""
        self.check_person(kind, person)
        self.check_network(kind, connection)

    def check_person(self, kind: str, person: Person | None) -> None:
        if person:
            self.take(kind, f"person {person.id}")

    def check_network(self, kind: str, connection: HTTPConnection) -> None:
        self.take(kind, f"address {address(connection)}", CROWD)

    def take(self, kind: str, who: str, factor: float = 1) -> None:
        """Take one from the bucket, or refuse."""
        if not self.on:
            return
        burst, rate = LIMITS[kind]
        early = self.buckets.take(f"{kind} {who}", 1 / (rate * factor), burst / rate, time.monotonic())
        if early:
            wait = math.ceil(early)
            raise Denied("too_often", f"too much at once: try again in {wait} second{'s' * (wait != 1)}")

    def spend(self, kind: str, who: str, amount: float, factor: float = 1) -> None:
        """Take an amount that is known only afterwards; the bucket may then hold less than nothing."""
        if self.on:
            self.buckets.spend(f"{kind} {who}", amount / (LIMITS[kind][1] * factor), time.monotonic())

    def left(self, kind: str, who: str, factor: float = 1) -> float:
        """How much the bucket holds."""
        if not self.on:
            return math.inf
        burst, rate = LIMITS[kind]
        return factor * (burst - rate * self.buckets.debt(f"{kind} {who}", time.monotonic()))

    @contextlib.contextmanager
    def connected(self, connection: HTTPConnection, person: Person | None) -> Iterator[None]:
        """For as long as a websocket or a stream is open; refuses one too many."""
        places: list[int] = []
        try:
            for who, _ in whose(connection, person):
                places.append(self.open(who.partition(" ")[0], who))
            yield
        finally:
            for place in places:
                self.close(place)

    def open(self, cap: str, who: str) -> int:
        """Count one more, or refuse; returns what `close` takes."""
        if not self.on:
            return 0
        place = self.counts.add(who, CAPS[cap])
        if place is None:
            raise Denied("too_many", f"{CAPS[cap]} connections are open for this {cap}: close some first")
        return place

    def close(self, place: int) -> None:
        """Count one less."""
        self.counts.remove(place)
