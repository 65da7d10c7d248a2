"""Quotas on rows, counted in the transaction that adds one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from plenilune.server.protocol import Detail, Reason
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.schema import matches, seats

if TYPE_CHECKING:
    from plenilune.server.storage.database import Connection

LOCKS = 7274  # PostgreSQL's advisory locks of this kind
LOCK = sa.select(sa.func.pg_advisory_xact_lock(LOCKS, sa.func.hashtext(sa.bindparam("holder", type_=sa.Text))))


class Quota(NamedTuple):
    """At most `most` rows of a table for one holder."""

    holder: str  # who the quota is for
    table: sa.FromClause
    where: Any
    most: int
    detail: Detail | Reason  # why one more is refused
    refusal: str  # the message when it is used up
    adds: bool = True  # whether what is refused beyond it would be one of its rows

    @property
    def key(self) -> tuple[str, str]:
        """The same for the same quota of the same holder."""
        return self.holder, self.refusal


async def check(connection: Connection, shared: bool, quotas: Sequence[Quota]) -> None:
    """Refuse one row too many."""
    await lock(connection, shared, quotas)
    for quota in quotas:
        if await count(connection, quota) >= quota.most:
            raise used_up(quota)


async def lock(connection: Connection, shared: bool, quotas: Iterable[Quota]) -> None:
    """Until the transaction ends, nobody else adds a row for the same holders: on SQLite because there is one writer,
    on PostgreSQL because of locks, which everybody takes in the same order."""
    if shared:
        for holder in sorted({quota.holder for quota in quotas}):
            await connection.execute(LOCK, {"holder": holder})


async def count(connection: Connection, quota: Quota) -> int:
    found = sa.select(sa.func.count()).select_from(quota.table).where(quota.where)
    return int((await connection.execute(found)).scalar_one())


def used_up(quota: Quota) -> Denied:
    return Denied(quota.detail, quota.refusal, n=quota.most)


# Quotas on tables


def unfinished(person: str, most: int) -> Quota:
    """A quota on the unfinished tables of one host."""
    where = (matches.c.host == person) & (matches.c.status != "over")
    refusal = f"you have {most} unfinished tables: finish or leave some first"
    return Quota(f"tables of {person}", matches, where, most, "too_many_games", refusal)


def seated(person: str, most: int) -> Quota:
    """A quota on the unfinished tables at which one person has a seat."""
    tables = _tables_of(person, matches.c.status != "over")
    refusal = f"you sit at {most} unfinished tables: finish or leave some first"
    return Quota(f"seats of {person}", tables, sa.true(), most, "too_many_games", refusal)


def waiting_elsewhere(person: str, most: int) -> Quota:
    """A quota on the tables of others at which one person has a seat, and which wait for players: those seats are kept
    from everybody else."""
    where = (matches.c.status == "waiting") & (matches.c.host != person)
    refusal = f"{most} tables at which you sit wait for players: leave some first"
    return Quota(f"seats of {person}", _tables_of(person, where), sa.true(), most, "too_many_games", refusal)


def _tables_of(person: str, where: Any) -> sa.FromClause:
    """A join, because with `IN` SQLite would scan all finished matches."""
    joined = seats.join(matches, matches.c.id == seats.c.match)
    sits = (seats.c.person == person) & ~seats.c.resigned
    return sa.select(seats.c.match).select_from(joined).where(sits & where).distinct().subquery()


def waiting_public(network: str, most: int) -> Quota:
    """A quota on the public tables from one network that wait for players."""
    where = (matches.c.network == network) & (matches.c.status == "waiting") & matches.c.public
    refusal = f"{most} public tables from your address wait for players already"
    return Quota(f"tables from {network}", matches, where, most, "too_many_public", refusal)


def unfinished_public(network: str, most: int, since: int) -> Quota:
    """Public tables from one network that the lobby may have to choose from: not over, and changed since then."""
    going = matches.c.status.in_(("waiting", "playing")) & (matches.c.changed > since)
    where = matches.c.public & going & (matches.c.network == network)
    refusal = f"{most} public tables from your address are not over: finish some first"
    return Quota(f"tables from {network}", matches, where, most, "too_many_public", refusal)


def made_lately(network: str, most: int, since: int) -> Quota:
    """All tables that were made from one network since then, whatever became of them: it is what they take up."""
    where = (matches.c.network == network) & (matches.c.created > since)
    refusal = f"{most} tables were made from your address within a day: try again later"
    return Quota(f"tables from {network}", matches, where, most, "too_many_today", refusal)


def attempts(network: str, game: str, day: str, most: int) -> Quota:
    """Attempts at a daily deal from one network, no matter by whom: any of them may be a rehearsal for the next."""
    where = (matches.c.game == game) & (matches.c.daily == day) & (matches.c.network == network)
    refusal = f"{most} attempts at this deal were begun from your address already"
    return Quota(f"attempts from {network}", matches, where, most, "too_many_attempts", refusal)
