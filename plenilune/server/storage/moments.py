"""Times that a server with a wrong clock has recorded, and that are not here yet (`clock.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from plenilune.core.errors import BadSetting
from plenilune.server.storage.database import SERVING
from plenilune.server.storage.schema import (
    actions,
    audit,
    bans,
    chat,
    credentials,
    facts,
    matches,
    operators,
    people,
    reports,
    seats,
)

if TYPE_CHECKING:
    from plenilune.server.storage.database import Connection, Database

NOW = sa.bindparam("now", type_=sa.BigInteger)
MOMENTS = (
    *(people.c.created, people.c.seen, people.c.revoked, credentials.c.created, credentials.c.used),
    *(matches.c.created, matches.c.changed, matches.c.claimed, seats.c.present, actions.c.at, chat.c.at),
    *(operators.c.created, reports.c.at, reports.c.closed, audit.c.at),
)
SPANS = ((matches.c.since, matches.c.deadline), (bans.c.at, bans.c.until))  # which keep their lengths
FACTS = ("beat", "upgraded")


async def bring_back(database: Database, at: int) -> int:
    """Go on from this time: whatever lies after it is set to it. Refused while a server uses the database. Returns how
    many rows were changed."""

    async def work(connection: Connection) -> int:
        if database.shared and not (await connection.execute(FREE)).scalar():
            raise BadSetting(f"the database {database.shown} is in use by a server: stop it first")
        values = {"now": at}
        results = [await connection.execute(statement, values) for statement in STATEMENTS]
        await _bring_facts_back(connection, at)
        return sum(int(result.rowcount) for result in results)

    return int(await database.run(work))


async def _bring_facts_back(connection: Connection, at: int) -> None:
    """Facts are texts."""
    for row in list(await connection.execute(sa.select(facts).where(facts.c.name.in_(FACTS)))):
        value = str(min(at, int(row.value)))
        await connection.execute(facts.update().where(facts.c.name == row.name).values(value=value))


def _span(begin: Any, end: Any) -> Any:
    return begin.table.update().where(begin > NOW).values({end: end - (begin - NOW), begin: NOW})


def _moment(moment: Any) -> Any:
    return moment.table.update().where(moment > NOW).values({moment: NOW})


FREE = sa.select(sa.func.pg_try_advisory_xact_lock(SERVING))
STATEMENTS = (*(_span(*span) for span in SPANS), *map(_moment, MOMENTS))
