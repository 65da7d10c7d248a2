"""Who asks, and whether they may: identity, where a request comes from, how often and how much is asked."""

from __future__ import annotations

import contextlib
import re
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plenilune.server.refusals import Denied
from plenilune.server.rows import Person, a_name, digest, new_id, now
from plenilune.server.settings import Settings
from plenilune.server.store import Store, credentials, people

COOKIE = "plenilune"
YEAR, MINUTE = 365 * 24 * 3600, 60.0
SECRET = re.compile(r"[0-9a-f]{32}")
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
}
MOST_SOCKETS = 50  # of one person at the same time
CROWD = 5  # an address may do so many times what a person may
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class People:
    """Guests: a name, and a secret of 128 bits that only the guest's browser or program has."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: OrderedDict[str, tuple[Person, float]] = OrderedDict()  # and until when that holds

    async def who(self, connection: HTTPConnection) -> Person | None:
        secret = _credential(connection)
        if not secret or not SECRET.fullmatch(secret):
            return None
        key = digest(secret)
        known, until = self._known.get(key, (None, 0.0))
        if known is None or until < time.monotonic():
            joined = people.join(credentials, credentials.c.person == people.c.id)
            where = credentials.c.digest == key
            found = await self.store.one(sa.select(people.c.id, people.c.name).select_from(joined).where(where))
            if not found:
                return None
            known = Person(found["id"], found["name"])
            self._remember(key, known)
        return known

    def _remember(self, key: str, person: Person) -> None:
        self._known[key] = (person, time.monotonic() + MINUTE)  # another process may have renamed them by then
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    async def welcome(self, name: str) -> tuple[Person, str]:
        """A new guest, and their secret."""
        person, secret = Person(new_id(), a_name(name)), secrets.token_hex(16)

        async def keep(connection: Any) -> None:
            await connection.execute(people.insert().values(id=person.id, name=person.name, created=now()))
            await connection.execute(credentials.insert().values(digest=digest(secret), person=person.id))

        await self.store.run(keep)
        self._remember(digest(secret), person)
        return person, secret

    async def rename(self, person: Person, name: str) -> Person:
        renamed = Person(person.id, a_name(name))
        await self.store.execute(people.update().where(people.c.id == person.id).values(name=renamed.name))
        self._known.clear()
        return renamed

    async def key(self, person: Person) -> str:
        """One more secret for the same guest, for a program."""
        secret = secrets.token_hex(16)
        await self.store.execute(credentials.insert().values(digest=digest(secret), person=person.id))
        return secret


def _credential(connection: HTTPConnection) -> str:
    scheme, _, key = connection.headers.get("authorization", "").partition(" ")
    return key if scheme.lower() == "bearer" else connection.cookies.get(COOKIE, "")


def cookie(secret: str, secure: bool) -> str:
    """`Strict`: no other site's request carries it; all our data is asked for by our own page."""
    age = YEAR if secret else 0
    return f"{COOKIE}={secret}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict" + ("; Secure" if secure else "")


def check_origin(connection: HTTPConnection) -> None:
    """A browser says where a request comes from: only our own pages may change something or open a socket."""
    origin = connection.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != connection.headers.get("host"):
        raise Denied(
            "wrong_origin", f"this can be asked for only from this server's own pages, not from {origin[:100]!r}"
        )
    if connection.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise Denied("wrong_origin", "this can be asked for only from this server's own pages")


def address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "nobody"


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


class Headers:
    """Every answer says what a page of ours may do."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name for name, _ in message["headers"]}
                extra = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in there]
                if b"cache-control" not in there:
                    extra.append((b"cache-control", b"no-store"))
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        await self.app(scope, receive, with_headers)
