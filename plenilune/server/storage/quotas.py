"""Quotas on rows, counted in the transaction that adds one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from plenilune.server.protocol import Detail
from plenilune.server.protocol.refusals import Denied

if TYPE_CHECKING:
    from plenilune.server.storage.database import Connection

LOCKS = 7274  # PostgreSQL's advisory locks of this kind
LOCK = sa.select(sa.func.pg_advisory_xact_lock(LOCKS, sa.func.hashtext(sa.bindparam("holder", type_=sa.Text))))


class Quota(NamedTuple):
    """At most `most` rows of a table for one holder."""

    holder: str  # who the quota is for
    table: sa.Table
    where: Any
    most: int
    detail: Detail  # why one more is refused
    refusal: str  # the message when it is used up


async def check(connection: Connection, shared: bool, quotas: Iterable[Quota]) -> None:
    """Refuse one row too many."""
    for quota in quotas:
        if await is_used_up(connection, shared, quota):
            raise Denied(quota.detail, quota.refusal, n=quota.most)


async def is_used_up(connection: Connection, shared: bool, quota: Quota) -> bool:
    """Whether there are so many. Until the transaction ends, nobody else adds one for the same holder: on SQLite
    because there is one writer, on PostgreSQL because of a lock."""
    if shared:
        await connection.execute(LOCK, {"holder": quota.holder})
    count = sa.select(sa.func.count()).select_from(quota.table).where(quota.where)
    return bool((await connection.execute(count)).scalar_one() >= quota.most)
