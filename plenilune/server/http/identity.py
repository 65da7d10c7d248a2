"""Who asks: guests with a cookie or a key, and whether a request comes from our own pages."""

from __future__ import annotations

import re
import secrets
import time
from collections import OrderedDict

from starlette.requests import HTTPConnection
from starlette.responses import Response

from plenilune.server.clock import now
from plenilune.server.protocol import Key
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.names import a_name
from plenilune.server.storage.people import HOUR
from plenilune.server.storage.rows import Person, digest, new_id
from plenilune.server.storage.store import Store

COOKIE = "plenilune"
# Over https only: a browser accepts this name from us alone, not from another site under the same domain.
HOST_COOKIE = "__Host-plenilune"
YEAR, MINUTE = 365 * 24 * 3600, 60.0
SECRET = re.compile(r"[0-9a-f]{32}")
REMEMBERED = 20_000  # people
MOST_KEYS = 10  # of one person


class People:
    """Guests: a name, and a secret of 128 bits that only the guest's browser or program has."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: OrderedDict[str, tuple[Person, float]] = OrderedDict()  # and until when that holds
        self._forgotten = 0  # how often somebody was

    async def who(self, connection: HTTPConnection) -> Person | None:
        secret = _credential(connection)
        if not secret or not SECRET.fullmatch(secret):
            return None
        key = digest(secret)
        known, until = self._known.get(key, (None, 0.0))
        if known is None or until < time.monotonic():
            forgotten = self._forgotten
            found = await self.store.people.by_credential(key)
            if not found:
                return None
            known, seen = found
            if seen < now() - HOUR:
                await self.store.people.saw(known.id, key, now())
            if forgotten == self._forgotten:  # otherwise it may have been revoked while it was read
                self._remember(key, known)
        return known

    def _remember(self, key: str, person: Person) -> None:
        self._known[key] = (person, time.monotonic() + MINUTE)  # another process may have changed them by then
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    def forget(self, person: str) -> None:
        """Their name or their credentials have changed: they are looked up again."""
        self._forgotten += 1
        for key in [key for key, (known, _) in self._known.items() if known.id == person]:
            del self._known[key]

    async def welcome(self, name: str, network: str) -> tuple[Person, str]:
        """A new guest, and their secret."""
        person, secret = Person(new_id(), a_name(name)), secrets.token_hex(16)
        await self.store.people.add(person, digest(secret), network, now())
        self._remember(digest(secret), person)
        return person, secret

    async def rename(self, person: Person, name: str) -> Person:
        renamed = Person(person.id, a_name(name))
        await self.store.people.rename(renamed)
        self.forget(person.id)
        return renamed

    async def add_key(self, person: Person, label: str) -> Key:
        """One more secret for the same guest, for a program."""
        if len(await self.store.people.keys(person.id)) >= MOST_KEYS:
            raise Denied("too_many", f"you have {MOST_KEYS} API keys: revoke one first")
        secret = secrets.token_hex(16)
        key = Key(new_id(), a_name(label), now(), None, secret)
        await self.store.people.add_key(person.id, digest(secret), key)
        return key

    async def revoke_key(self, person: Person, id: str) -> None:
        if not await self.store.people.revoke_key(person.id, id):
            raise Denied("not_found", f"you have no key {id[:40]!r}")
        self.forget(person.id)

    async def delete(self, person: Person) -> None:
        await self.store.people.delete(person.id)
        self.forget(person.id)


def _credential(connection: HTTPConnection) -> str:
    scheme, _, key = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return key
    return connection.cookies.get(HOST_COOKIE) or connection.cookies.get(COOKIE, "")


def encrypted(connection: HTTPConnection) -> bool:
    """As the visitor's browser sees it: behind a trusted proxy, what the proxy says."""
    return connection.scope["scheme"] in ("https", "wss")


def set_cookie(response: Response, secret: str, secure: bool) -> None:
    """`Strict`: no other site's request carries it; all our data is asked for by our own page."""
    name = HOST_COOKIE if secure else COOKIE
    response.set_cookie(name, secret, max_age=YEAR, path="/", secure=secure, httponly=True, samesite="strict")


def delete_cookies(response: Response, connection: HTTPConnection) -> None:
    """Under both names, if the browser has both."""
    for name, secure in ((COOKIE, False), (HOST_COOKIE, True)):
        if name in connection.cookies:
            response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="strict")


def rename_cookie(response: Response, connection: HTTPConnection) -> None:
    """Give a guest whose cookie has the name for http the one for https, so that they stay who they are."""
    secret, by_key = connection.cookies.get(COOKIE), "authorization" in connection.headers
    if not secret or by_key or not encrypted(connection) or "set-cookie" in response.headers:
        return
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    if HOST_COOKIE not in connection.cookies:
        set_cookie(response, secret, secure=True)


def check_origin(connection: HTTPConnection) -> None:
    """A browser says where a request comes from: only our own pages may change something or open a socket."""
    origin = connection.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != connection.headers.get("host"):
        raise Denied(
            "wrong_origin", f"this can be asked for only from this server's own pages, not from {origin[:100]!r}"
        )
    if connection.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise Denied("wrong_origin", "this can be asked for only from this server's own pages")
