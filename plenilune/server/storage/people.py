"""Queries for people and their credentials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from plenilune.server.protocol import Key
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage import quotas
from plenilune.server.storage.quotas import Quota
from plenilune.server.storage.rows import Person
from plenilune.server.storage.schema import chat, credentials, facts, matches, people, seats

if TYPE_CHECKING:
    from plenilune.server.storage.database import Connection, Database

HOUR = 3600 * 1000
DELETED = "Guest"  # the name of deleted people
COOKIE, KEY = "cookie", "key"  # kinds of credentials; older releases did not say
GONE = "you have been deleted, or this credential revoked, in the meantime"
BY_COOKIE = "an API key cannot make or revoke others: do that with the browser's cookie"


class Credential(NamedTuple):
    """A cookie or a key."""

    person: Person
    seen: int  # when that person was last active
    created: int  # 0: by release 0.1
    kind: str


class Presented(NamedTuple):
    """The credential that a request came with."""

    digest: str
    bearer: bool  # sent as programs send keys, and not as a cookie


class NewKey(NamedTuple):
    """An API key that is to be stored, unless its person has `most` of them."""

    key: Key
    digest: str
    most: int


class PeopleQueries:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_credential(self, digest: str) -> Credential | None:
        joined = people.join(credentials, credentials.c.person == people.c.id)
        columns = (people.c.id, people.c.name, people.c.seen, credentials.c.created, credentials.c.kind)
        row = await self._database.one(sa.select(*columns).select_from(joined).where(credentials.c.digest == digest))
        return Credential(Person(row["id"], row["name"]), row["seen"], row["created"], row["kind"]) if row else None

    async def upgraded(self) -> int:
        """When the database was migrated from release 0.1; 0 if it never was."""
        row = await self._database.one(sa.select(facts.c.value).where(facts.c.name == "upgraded"))
        return int(row["value"]) if row else 0

    async def revoked_since(self, at: int) -> set[tuple[str, int]]:
        """Who has had a credential revoked since then, and when."""
        rows = await self._database.all(sa.select(people.c.id, people.c.revoked).where(people.c.revoked >= at))
        return {(row["id"], row["revoked"]) for row in rows}

    async def add(self, person: Person, digest: str, network: str, at: int, key: Key | None = None) -> None:
        """A new guest, with a cookie or an API key."""

        async def work(connection: Connection) -> None:
            values = {"id": person.id, "name": person.name, "created": at, "seen": at, "network": network}
            await connection.execute(people.insert().values(**values))
            await connection.execute(credentials.insert().values(_columns(person.id, digest, at, key)))

        await self._database.run(work)

    async def rename(self, person: Person, by: Presented, new: NewKey | None = None) -> None:
        """Change the name, and add an API key if there is one; all of it or nothing."""

        async def work(connection: Connection) -> None:
            cookie = await self._hold(connection, person.id, by)
            await connection.execute(people.update().where(people.c.id == person.id).values(name=person.name))
            if new:
                await self._add_key(connection, person.id, new, cookie)

        await self._database.run(work)

    async def _hold(self, connection: Connection, person: str, by: Presented) -> bool:
        """Until the transaction ends, nobody else changes this person or their credentials. Refused if the credential
        was revoked since the request came. Returns whether it is a cookie."""
        await quotas.lock(connection, self._database.shared, [still_there(person)])
        where = (credentials.c.person == person) & (credentials.c.digest == by.digest)
        kind = (await connection.execute(sa.select(credentials.c.kind).where(where))).scalar()
        if kind is None:
            raise Denied("unknown_guest", GONE)
        return bool(kind == COOKIE or not (kind or by.bearer))

    async def saw(self, person: str, digest: str, at: int) -> None:
        """Record that a person is active and has used this credential, to the hour."""

        async def work(connection: Connection) -> None:
            await connection.execute(people.update().where(people.c.id == person).values(seen=at - at % HOUR))
            used = credentials.update().where(credentials.c.digest == digest).values(used=at - at % HOUR)
            await connection.execute(used)

        await self._database.run(work)

    async def created(self, person: str) -> tuple[int, str]:
        """When a person first came, and from which network."""
        row = await self._database.one(sa.select(people.c.created, people.c.network).where(people.c.id == person))
        return (row["created"], row["network"]) if row else (0, "")

    # API keys. Release 0.1 stored cookies and keys alike, and gave all of them ids if somebody had several: a cookie is
    # the one that is presented as a cookie.

    async def is_key(self, digest: str, id: str) -> None:
        """A program uses this credential of an older release, which did not say what it is. It has an id from now on,
        by which it can be revoked."""
        unknown = (credentials.c.digest == digest) & (credentials.c.kind == "")
        nameless = credentials.c.id == ""
        values = {
            "kind": KEY,
            "id": sa.case((nameless, id), else_=credentials.c.id),
            "label": sa.case((nameless, KEY), else_=credentials.c.label),
        }
        await self._database.execute(credentials.update().where(unknown).values(**values))

    async def keys(self, person: str, by: Presented) -> list[Key]:
        query = sa.select(credentials).where(_keys(person, by)).order_by(credentials.c.created, credentials.c.id)
        rows = await self._database.all(query)
        return [Key(row["id"], row["label"], row["created"], row["used"] or None) for row in rows]

    async def add_key(self, person: str, by: Presented, new: NewKey) -> None:
        """Refused if the person has too many. A key cannot make another, so a stolen one is worthless once it is
        revoked."""

        async def work(connection: Connection) -> None:
            await self._add_key(connection, person, new, await self._hold(connection, person, by))

        await self._database.run(work)

    async def _add_key(self, connection: Connection, person: str, new: NewKey, cookie: bool) -> None:
        if not cookie:
            raise Denied("forbidden", BY_COOKIE)
        await quotas.check(connection, self._database.shared, [_quota(person, new.most)])
        columns = _columns(person, new.digest, new.key.created, new.key)
        await connection.execute(credentials.insert().values(columns))

    async def revoke_key(self, person: str, by: Presented, id: str, at: int) -> bool:
        """Revoke a key; returns whether there was one. A key may revoke itself."""

        async def work(connection: Connection) -> bool:
            cookie = await self._hold(connection, person, by)
            where = _keys(person, by) & (credentials.c.id == id)
            if not (cookie or await _any(connection, where & (credentials.c.digest == by.digest))):
                raise Denied("forbidden", BY_COOKIE)
            if not (await connection.execute(credentials.delete().where(where))).rowcount:
                return False
            await connection.execute(people.update().where(people.c.id == person).values(revoked=at))
            return True

        return bool(await self._database.run(work))

    # Deletion

    async def delete(self, person: str, by: Presented, at: int) -> None:
        """Revoke every credential, and remove the name and the chat lines. Matches stay: other players share them. A
        key may do this for guests who have no cookie."""

        async def work(connection: Connection) -> None:
            others = (credentials.c.person == person) & (credentials.c.kind != KEY)
            if not await self._hold(connection, person, by) and await _any(connection, others):
                raise Denied("forbidden", BY_COOKIE)
            await connection.execute(credentials.delete().where(credentials.c.person == person))
            await connection.execute(people.update().where(people.c.id == person).values(name=DELETED, revoked=at))
            await connection.execute(seats.update().where(seats.c.person == person).values(name=DELETED))
            said = chat.update().where(chat.c.person == person)
            # Processes that have such a match in memory reload it.
            of_theirs = matches.c.id.in_(_matches(seats, person).union(_matches(chat, person)))
            await connection.execute(matches.update().where(of_theirs).values(version=matches.c.version + 1))
            await connection.execute(said.values(name=DELETED, text="", phrase=None, deleted=True))

        await self._database.run(work)


def still_there(person: str) -> Quota:
    """Nothing more of people who have been deleted: they have a row, and no credential any more."""
    gone = (people.c.id == person) & ~sa.exists().where(credentials.c.person == people.c.id)
    return Quota(f"person {person}", people, gone, 1, "unknown_guest", GONE, adds=False)


def _columns(person: str, digest: str, at: int, key: Key | None) -> dict[str, Any]:
    """A credential's: a cookie's, or those of this key."""
    named = {"kind": KEY, "id": key.id, "label": key.label} if key else {"kind": COOKIE}
    return {"digest": digest, "person": person, "created": at, **named}


def _keys(person: str, by: Presented | None = None) -> Any:
    named = (credentials.c.person == person) & (credentials.c.id != "")
    return named if by is None or by.bearer else named & (credentials.c.digest != by.digest)


async def _any(connection: Connection, where: Any) -> bool:
    return (await connection.execute(sa.select(credentials.c.digest).where(where).limit(1))).first() is not None


def _quota(person: str, most: int) -> Quota:
    refusal = f"you have {most} API keys: revoke one first"
    return Quota(f"keys of {person}", credentials, _keys(person), most, "too_many_keys", refusal)


def _matches(table: sa.Table, person: str) -> Any:
    return sa.select(table.c.match).where(table.c.person == person)
