"""Queries for people and their credentials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from plenilune.server.protocol import Key
from plenilune.server.storage import quotas
from plenilune.server.storage.quotas import Quota
from plenilune.server.storage.rows import Person
from plenilune.server.storage.schema import chat, credentials, facts, matches, people, seats

if TYPE_CHECKING:
    from plenilune.server.storage.database import Connection, Database

HOUR = 3600 * 1000
DELETED = "Guest"  # the name of deleted people


class Credential(NamedTuple):
    """A cookie or a key."""

    person: Person
    seen: int  # when that person was last active
    created: int  # 0: by release 0.1


class PeopleQueries:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_credential(self, digest: str) -> Credential | None:
        joined = people.join(credentials, credentials.c.person == people.c.id)
        columns = (people.c.id, people.c.name, people.c.seen, credentials.c.created)
        row = await self._database.one(sa.select(*columns).select_from(joined).where(credentials.c.digest == digest))
        return Credential(Person(row["id"], row["name"]), row["seen"], row["created"]) if row else None

    async def upgraded(self) -> int:
        """When the database was migrated from release 0.1; 0 if it never was."""
        row = await self._database.one(sa.select(facts.c.value).where(facts.c.name == "upgraded"))
        return int(row["value"]) if row else 0

    async def revoked_since(self, at: int) -> set[tuple[str, int]]:
        """Who has had a credential revoked since then, and when."""
        rows = await self._database.all(sa.select(people.c.id, people.c.revoked).where(people.c.revoked >= at))
        return {(row["id"], row["revoked"]) for row in rows}

    async def add(self, person: Person, digest: str, network: str, at: int) -> None:
        """A new guest, with a cookie."""

        async def work(connection: Connection) -> None:
            values = {"id": person.id, "name": person.name, "created": at, "seen": at, "network": network}
            await connection.execute(people.insert().values(**values))
            await connection.execute(credentials.insert().values(digest=digest, person=person.id, created=at))

        await self._database.run(work)

    async def rename(self, person: Person) -> None:
        await self._database.execute(people.update().where(people.c.id == person.id).values(name=person.name))

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

    # API keys. `cookie` is the digest of the client's cookie: release 0.1 stored cookies and keys alike.

    async def keys(self, person: str, cookie: str) -> list[Key]:
        query = sa.select(credentials).where(_keys(person, cookie)).order_by(credentials.c.created, credentials.c.id)
        rows = await self._database.all(query)
        return [Key(row["id"], row["label"], row["created"], row["used"] or None) for row in rows]

    async def add_key(self, person: str, digest: str, key: Key, most: int) -> None:
        """Add an API key; refused if the person has too many."""
        values: dict[str, Any] = {"digest": digest, "person": person, "id": key.id, "label": key.label}

        async def work(connection: Connection) -> None:
            await quotas.check(connection, self._database.shared, [_quota(person, most)])
            await connection.execute(credentials.insert().values(**values, created=key.created))

        await self._database.run(work)

    async def revoke_key(self, person: str, cookie: str, id: str, at: int) -> bool:
        """Revoke a key; returns whether there was one."""

        async def work(connection: Connection) -> bool:
            where = _keys(person, cookie) & (credentials.c.id == id)
            if not (await connection.execute(credentials.delete().where(where))).rowcount:
                return False
            await connection.execute(people.update().where(people.c.id == person).values(revoked=at))
            return True

        return bool(await self._database.run(work))

    # Deletion

    async def delete(self, person: str, at: int) -> None:
        """Revoke every credential, and remove the name and the chat lines. Matches stay: other players share them."""

        async def work(connection: Connection) -> None:
            await connection.execute(credentials.delete().where(credentials.c.person == person))
            await connection.execute(people.update().where(people.c.id == person).values(name=DELETED, revoked=at))
            await connection.execute(seats.update().where(seats.c.person == person).values(name=DELETED))
            said = chat.update().where(chat.c.person == person)
            # Processes that have such a match in memory reload it.
            of_theirs = matches.c.id.in_(_matches(seats, person).union(_matches(chat, person)))
            await connection.execute(matches.update().where(of_theirs).values(version=matches.c.version + 1))
            await connection.execute(said.values(name=DELETED, text="", phrase=None, deleted=True))

        await self._database.run(work)


def _keys(person: str, cookie: str = "") -> Any:
    return (credentials.c.person == person) & (credentials.c.id != "") & (credentials.c.digest != cookie)


def _quota(person: str, most: int) -> Quota:
    refusal = f"you have {most} API keys: revoke one first"
    return Quota(f"keys of {person}", credentials, _keys(person), most, "too_many_keys", refusal)


def _matches(table: sa.Table, person: str) -> Any:
    return sa.select(table.c.match).where(table.c.person == person)
