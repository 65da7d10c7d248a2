"""Every query about people and their credentials, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from plenilune.server.protocol import Key
from plenilune.server.storage.rows import Person
from plenilune.server.storage.schema import chat, credentials, matches, people, seats

if TYPE_CHECKING:
    from plenilune.server.storage.database import Connection, Database

HOUR = 3600 * 1000
DELETED = "Guest"  # what somebody who deleted themselves is called


class PeopleQueries:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_credential(self, digest: str) -> tuple[Person, int] | None:
        """Whose cookie or key that is, and when they were last active."""
        joined = people.join(credentials, credentials.c.person == people.c.id)
        columns = (people.c.id, people.c.name, people.c.seen)
        row = await self._database.one(sa.select(*columns).select_from(joined).where(credentials.c.digest == digest))
        return (Person(row["id"], row["name"]), row["seen"]) if row else None

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
        """They are active, and used that credential; kept to the hour."""

        async def work(connection: Connection) -> None:
            await connection.execute(people.update().where(people.c.id == person).values(seen=at - at % HOUR))
            used = credentials.update().where(credentials.c.digest == digest).values(used=at - at % HOUR)
            await connection.execute(used)

        await self._database.run(work)

    async def created(self, person: str) -> tuple[int, str]:
        """When they came, and from which network."""
        row = await self._database.one(sa.select(people.c.created, people.c.network).where(people.c.id == person))
        return (row["created"], row["network"]) if row else (0, "")

    # API keys

    async def keys(self, person: str) -> list[Key]:
        where = (credentials.c.person == person) & (credentials.c.id != "")
        rows = await self._database.all(sa.select(credentials).where(where).order_by(credentials.c.created))
        return [Key(row["id"], row["label"], row["created"], row["used"] or None) for row in rows]

    async def add_key(self, person: str, digest: str, key: Key) -> None:
        values: dict[str, Any] = {"digest": digest, "person": person, "id": key.id, "label": key.label}
        await self._database.execute(credentials.insert().values(**values, created=key.created))

    async def revoke_key(self, person: str, id: str) -> bool:
        """Whether there was one."""
        where = (credentials.c.person == person) & (credentials.c.id == id) & (credentials.c.id != "")
        return bool(await self._database.execute(credentials.delete().where(where)))

    # Leaving for good

    async def delete(self, person: str) -> None:
        """Revoke every credential, and remove the name and the chat lines. Matches stay: they are others' too."""

        async def work(connection: Connection) -> None:
            await connection.execute(credentials.delete().where(credentials.c.person == person))
            await connection.execute(people.update().where(people.c.id == person).values(name=DELETED))
            await connection.execute(seats.update().where(seats.c.person == person).values(name=DELETED))
            said = chat.update().where(chat.c.person == person)
            # Processes that hold such a match in memory read it again.
            of_theirs = matches.c.id.in_(_matches(seats, person).union(_matches(chat, person)))
            await connection.execute(matches.update().where(of_theirs).values(version=matches.c.version + 1))
            await connection.execute(said.values(name=DELETED, text="", phrase=None, deleted=True))

        await self._database.run(work)


def _matches(table: sa.Table, person: str) -> Any:
    return sa.select(table.c.match).where(table.c.person == person)
