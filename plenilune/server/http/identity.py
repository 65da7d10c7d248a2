"""Identity: guests with a cookie or an API key, and whether a request comes from the server's own pages."""

from __future__ import annotations

import re
import secrets
import time
from collections import OrderedDict
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.responses import Response

from plenilune.server import protocol
from plenilune.server.clock import now
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.names import a_name
from plenilune.server.storage.people import HOUR, NewKey, Presented
from plenilune.server.storage.rows import Person, digest, new_id
from plenilune.server.storage.store import Store

COOKIE = "plenilune"
# Over https: browsers accept a `__Host-` cookie only from this host, not from another one of the same domain.
HOST_COOKIE = "__Host-plenilune"
YEAR, MINUTE = 365 * 24 * 3600, 60.0
RENAMED = 30 * 24 * HOUR  # milliseconds for which cookies of 0.1 are accepted over https after the upgrade
SECRET = re.compile(r"[0-9a-f]{32}")
REMEMBERED = 20_000  # credentials in the cache
MOST_KEYS = 10  # of one person
LABEL = "key"  # of a key that is asked for with a name


class Known(NamedTuple):
    """A cached credential: whose it is, when it must be looked up again, and whether it may be a cookie of 0.1, which
    had the same name over http and https."""

    person: Person
    until: float
    old: bool


class People:
    """Guests. Each has a name, and a secret of 128 bits that only their browser or program knows."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: OrderedDict[str, Known] = OrderedDict()  # by the credential's digest
        self._forgotten = 0  # counts calls of `forget`

    async def who(self, connection: HTTPConnection) -> Person | None:
        secret, by_anybody = _credential(connection)
        if not SECRET.fullmatch(secret):
            return None
        key = digest(secret)
        known = self._known.get(key)
        if known is None or known.until < time.monotonic():
            known = await self._look_up(Presented(key, bool(_key(connection))))
        return known.person if known and (known.old or not by_anybody) else None

    async def _look_up(self, by: Presented) -> Known | None:
        forgotten = self._forgotten
        found = await self.store.people.by_credential(by.digest)
        if not found:
            return None
        if found.seen < now() - HOUR:
            await self.store.people.saw(found.person.id, by.digest, now())
        if by.bearer and not found.kind:
            await self.store.people.is_key(by.digest, new_id())
        old = not found.created and now() < await self.store.people.upgraded() + RENAMED
        known = _known(found.person, old)
        if forgotten == self._forgotten:  # otherwise it may have been revoked during the query
            self._remember(by.digest, known)
        return known

    def _remember(self, key: str, known: Known) -> None:
        self._known[key] = known
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    def forget(self, person: str) -> None:
        """Drop a person from the cache, because their name or credentials have changed."""
        self._forgotten += 1
        for key in [key for key, known in self._known.items() if known.person.id == person]:
            del self._known[key]

    async def welcome(self, name: str, network: str, program: bool = False) -> tuple[Person, str]:
        """Create a guest with a cookie, or with an API key; returns the secret too."""
        person, secret = Person(new_id(), a_name(name)), secrets.token_hex(16)
        key = _new_key(LABEL, secret).key if program else None
        await self.store.people.add(person, digest(secret), network, now(), key)
        self._remember(digest(secret), _known(person))
        return person, secret

    async def rename(self, person: Person, by: Presented, name: str, program: bool = False) -> protocol.Me:
        """Change the name, and create an API key if one is asked for."""
        renamed, new = Person(person.id, a_name(name)), _new_key(LABEL) if program else None
        await self.store.people.rename(renamed, by, new)
        self.forget(person.id)
        return protocol.Me(renamed.id, renamed.name, new.key.key if new else None)

    async def add_key(self, person: Person, by: Presented, label: str) -> protocol.Key:
        """Create an API key: a further secret of the same guest, for a program."""
        new = _new_key(a_name(label))
        await self.store.people.add_key(person.id, by, new)
        return new.key

    async def revoke_key(self, person: Person, by: Presented, id: str) -> int:
        """Revoke a key; returns the time."""
        at = now()
        if not await self.store.people.revoke_key(person.id, by, id, at):
            raise Denied("not_found", f"you have no key {id[:40]!r}")
        self.forget(person.id)
        return at

    async def delete(self, person: Person, by: Presented) -> int:
        """Delete a person and revoke all credentials; returns the time."""
        at = now()
        await self.store.people.delete(person.id, by, at)
        self.forget(person.id)
        return at


def _new_key(label: str, secret: str = "") -> NewKey:
    secret = secret or secrets.token_hex(16)
    return NewKey(protocol.Key(new_id(), label, now(), None, secret), digest(secret), MOST_KEYS)


def _known(person: Person, old: bool = False) -> Known:
    return Known(person, time.monotonic() + MINUTE, old)  # another process may change it in the meantime


def _credential(connection: HTTPConnection) -> tuple[str, bool]:
    """The secret, and whether it may have been planted: over https, a cookie without `__Host-` may come from another
    site of the same domain, or from somebody on the network path."""
    if key := _key(connection):
        return key, False
    if not encrypted(connection):
        return connection.cookies.get(COOKIE, ""), False
    bound = connection.cookies.get(HOST_COOKIE)
    return (bound, False) if bound else (connection.cookies.get(COOKIE, ""), True)


def _key(connection: HTTPConnection) -> str:
    scheme, _, key = connection.headers.get("authorization", "").partition(" ")
    return key if scheme.lower() == "bearer" else ""


def presented(connection: HTTPConnection) -> Presented:
    return Presented(digest(_credential(connection)[0]), bool(_key(connection)))


def encrypted(connection: HTTPConnection) -> bool:
    """Whether the visitor uses https; a trusted proxy's word counts."""
    return connection.scope["scheme"] in ("https", "wss")


def set_cookie(response: Response, secret: str, secure: bool) -> None:
    """`Strict`: requests from other sites do not carry it. The server's own pages need no more."""
    name = HOST_COOKIE if secure else COOKIE
    response.set_cookie(name, secret, max_age=YEAR, path="/", secure=secure, httponly=True, samesite="strict")


def delete_cookies(response: Response, connection: HTTPConnection) -> None:
    """Delete the cookie under both names."""
    for name, secure in ((COOKIE, False), (HOST_COOKIE, True)):
        if name in connection.cookies:
            response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="strict")


def rename_cookie(response: Response, connection: HTTPConnection) -> None:
    """Replace a cookie of 0.1 by the one for https, so that its guest keeps their identity."""
    secret, by_key = connection.cookies.get(COOKIE), "authorization" in connection.headers
    if not secret or by_key or not encrypted(connection) or "set-cookie" in response.headers:
        return
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    if HOST_COOKIE not in connection.cookies:
        set_cookie(response, secret, secure=True)


def check_origin(connection: HTTPConnection) -> None:
    """Only the server's own pages may change something or open a socket; browsers say where a request comes from."""
    origin = connection.headers.get("origin")
    if origin is not None and not _is_ours(origin, connection):
        raise Denied(
            "wrong_origin", f"this can be asked for only from this server's own pages, not from {origin[:100]!r}"
        )
    if connection.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise Denied("wrong_origin", "this can be asked for only from this server's own pages")


def _is_ours(origin: str, connection: HTTPConnection) -> bool:
    """Over https only pages that came by https are: anybody on the way can change the others. Over http the scheme
    says nothing, since a proxy may not tell which one the visitor uses."""
    scheme, _, host = origin.partition("://")
    return host == connection.headers.get("host") and (scheme == "https" or not encrypted(connection))
