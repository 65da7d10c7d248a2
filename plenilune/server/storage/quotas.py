"""Quotas on rows, counted in the transaction that adds one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from plenilune.server.protocol import Detail, Reason
from plenilune.server.protocol.refusals import Denied

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
