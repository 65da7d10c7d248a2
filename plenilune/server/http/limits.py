"""How often and how much one person and one address may ask."""

from __future__ import annotations

import contextlib
import functools
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator

from starlette.requests import HTTPConnection

from plenilune.server.protocol.refusals import Denied
from plenilune.server.settings import Settings
from plenilune.server.storage.rows import Person

LARGEST = 64 * 1024  # bytes of a request or a message
REMEMBERED = 20_000  # people and addresses
# A bucket holds so many and gets so many back a second: by person, and by address, where several may sit behind one.
LIMITS: dict[str, tuple[float, float]] = {
    "guest": (10, 0.05),
    "table": (20, 0.2),
    "ask": (120, 20),
    "socket": (40, 2),
    "message": (120, 30),
    "say": (8, 0.5),
    "think": (10, 0.2),  # hints, reviews, histories
    "secret": (10, 0.1),  # tries at invitations
    "report": (5, 0.02),  # reports of chat lines
}
MOST_SOCKETS = 50  # of one person at the same time
CROWD = 5  # an address may do so many times what a person may


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


def _whose(connection: HTTPConnection, person: Person | None) -> dict[str, float]:
    """Whose limits count, and how many times a person's they are."""
    found: dict[str, float] = {f"person {person.id}": 1} if person else {}
    return found | {f"address {address(connection)}": CROWD}


class Limits:
    """Buckets of permissions, which fill up again with time."""

    def __init__(self, settings: Settings) -> None:
        self.on = settings.limits
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._connected: Counter[str] = Counter()

    def check(self, kind: str, connection: HTTPConnection, person: Person | None) -> None:
        if self.on:
            for who, crowd in _whose(connection, person).items():
                self.take(kind, who, crowd)

    def check_room(self, connection: HTTPConnection, person: Person | None) -> None:
        """Whether one more connection may be opened."""
        for who, crowd in _whose(connection, person).items():
            if self.on and self._connected[who] >= crowd * MOST_SOCKETS:
                raise Denied("too_many", f"{self._connected[who]} connections are open: close some first")

    @contextlib.contextmanager
    def connected(self, connection: HTTPConnection, person: Person | None) -> Iterator[None]:
        """For as long as somebody is connected."""
        whose = list(_whose(connection, person))
        self._connected.update(whose)
        try:
            yield
        finally:
            self._connected.subtract(whose)
            self._connected = +self._connected  # forget those of whom none is left

    def take(self, kind: str, who: str, crowd: float) -> None:
        size, refill = (crowd * figure for figure in LIMITS[kind])
        at = time.monotonic()
        there, before = self._buckets.pop((kind, who), (size, at))
        there = min(size, there + (at - before) * refill)
        if there < 1:
            self._buckets[kind, who] = (there, at)
            wait = max(1, round((1 - there) / refill))
            raise Denied("too_often", f"too much at once: try again in {wait} second{'s' * (wait != 1)}")
        self._buckets[kind, who] = (there - 1, at)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
