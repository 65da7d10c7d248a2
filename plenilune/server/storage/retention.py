"""Retention: what is kept for how long. Expired data is deleted in small steps, so that nobody waits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from plenilune.server.storage.people import KEY
from plenilune.server.storage.schema import (
    actions,
    audit,
    chat,
    credentials,
    matches,
    people,
    reports,
    reviews,
    seats,
)

if TYPE_CHECKING:
    from plenilune.server.storage.database import Connection, Database

DAY = 24 * 3600 * 1000
RANKED = 2 * DAY  # within which the ranking of a daily deal is closed
AT_ONCE = 50  # rows of one kind per transaction
OF_A_MATCH = (actions, chat, reviews, seats)  # tables whose rows are deleted before it


class Retention(NamedTuple):
    """Retention periods in days; `math.inf` is forever."""

    waiting: float = 1  # tables that never began
    abandoned: float = 30  # unfinished matches without activity
    brief: float = 1  # matches that were given up, or closed, before people had played much
    finished: float = math.inf
    guests: float = 7  # people without a seat or an API key, since their last visit
    chat: float = 90  # lines of finished matches
    records: float = 365  # the audit log, and closed reports


class Retired(NamedTuple):
    """How much was deleted; `tables` has the ids of matches."""

    tables: tuple[str, ...] = ()
    people: int = 0
    lines: int = 0
    records: int = 0

    @property
    def something(self) -> bool:
        return bool(self.tables or self.people or self.lines or self.records)


async def retire(database: Database, keep: Retention, at: int) -> Retired:
    """Delete some of what has expired; to be called until nothing is left."""
    return Retired(
        await _tables(database, keep, at),
        await _people(database, at - _span(keep.guests)),
        await _chat(database, at - _span(keep.chat)),
        await _records(database, at - _span(keep.records)),
    )


def _span(days: float) -> int:
    return 2**62 if math.isinf(days) else int(days * DAY)


async def _tables(database: Database, keep: Retention, at: int) -> tuple[str, ...]:
    query = sa.select(matches.c.id).where(_outlived(keep, at)).order_by(matches.c.changed).limit(AT_ONCE)
    ids = tuple(row["id"] for row in await database.all(query))
    if not ids:
        return ()

    async def work(connection: Connection) -> tuple[str, ...]:
        # A table may have changed since: check again, with a lock.
        again = sa.select(matches.c.id).where(matches.c.id.in_(ids) & _outlived(keep, at)).with_for_update()
        gone = tuple(row.id for row in await connection.execute(again))
        for table in OF_A_MATCH:
            await connection.execute(table.delete().where(table.c.match.in_(gone)))
        await connection.execute(matches.delete().where(matches.c.id.in_(gone)))
        return gone

    gone: tuple[str, ...] = await database.run(work)
    return gone


def _outlived(keep: Retention, at: int) -> Any:
    """The condition for expired tables: never begun, abandoned with no clock running, given up early, or finished.

    Attempts at a daily deal stay until its ranking is closed: they keep their players from beginning it again.
    """
    never_began = matches.c.state.is_(None) & (matches.c.changed < at - _span(keep.waiting))
    begun = matches.c.state.is_not(None)
    idle = matches.c.deadline.is_(None) | (matches.c.deadline < at)
    abandoned = (matches.c.status == "playing") & idle & (matches.c.changed < at - _span(keep.abandoned))
    over = matches.c.status == "over"
    brief = over & matches.c.brief & (matches.c.changed < at - _span(keep.brief))
    finished = over & (matches.c.changed < at - _span(keep.finished))
    ranked = matches.c.daily.is_not(None) & (matches.c.changed >= at - RANKED)
    return (never_began | (begun & (abandoned | brief | finished))) & ~ranked


async def _people(database: Database, before: int) -> int:
    """Delete people without a seat, a table, an API key, or a part in a match that is kept."""
    seated = sa.exists().where((seats.c.person == people.c.id) | (seats.c.reserved == people.c.id))
    hosts = sa.exists().where(matches.c.host == people.c.id)
    is_key = (credentials.c.kind == KEY) | (credentials.c.id != "")
    keys = sa.exists().where((credentials.c.person == people.c.id) & is_key)
    query = sa.select(people.c.id).where((people.c.seen < before) & ~seated & ~hosts & ~keys).limit(AT_ONCE)
    ids = [row["id"] for row in await database.all(query)]

    async def work(connection: Connection) -> int:
        # One of them may have come back since: check again, with a lock.
        again = sa.select(people.c.id).where(people.c.id.in_(ids) & (people.c.seen < before)).with_for_update()
        gone = [row.id for row in await connection.execute(again)]
        await connection.execute(credentials.delete().where(credentials.c.person.in_(gone)))
        await connection.execute(people.delete().where(people.c.id.in_(gone)))
        return len(gone)

    return int(await database.run(work)) if ids else 0


async def _chat(database: Database, before: int) -> int:
    """Delete the chat of matches that ended long ago."""
    old = (matches.c.status == "over") & (matches.c.changed < before)
    joined = chat.join(matches, matches.c.id == chat.c.match)
    query = sa.select(chat.c.match).select_from(joined).where(old).distinct().limit(AT_ONCE)
    ids = [row["match"] for row in await database.all(query)]
    return await database.execute(chat.delete().where(chat.c.match.in_(ids))) if ids else 0


async def _records(database: Database, before: int) -> int:
    closed = reports.c.closed.is_not(None) & (reports.c.closed < before)
    gone = await _some(database, reports, closed)
    return gone + await _some(database, audit, audit.c.at < before)


async def _some(database: Database, table: sa.Table, where: Any) -> int:
    ids = [row["id"] for row in await database.all(sa.select(table.c.id).where(where).limit(AT_ONCE))]
    return await database.execute(table.delete().where(table.c.id.in_(ids))) if ids else 0
