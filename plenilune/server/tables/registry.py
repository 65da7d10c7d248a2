"""The tables that this process has loaded: loaded on request, dropped when idle."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Sequence

from plenilune.core.errors import Refusal
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.quotas import Quota
from plenilune.server.storage.store import Store
from plenilune.server.supervisor import Supervisor
from plenilune.server.tables.decide import TableState
from plenilune.server.tables.table import Context, Table
from plenilune.server.thinking.warmup import Warmup

log = logging.getLogger("plenilune")
IDLE = 60.0  # seconds after which a table without watchers is dropped from memory
ID = re.compile("[a-z0-9]{16}")

Listener = Callable[[Table, bool], None]  # called after every change; with whether it was made in this process


class Tables:
    def __init__(self, store: Store, warmup: Warmup, lease: float) -> None:
        self.loaded: dict[str, Table] = {}
        self.listeners: list[Listener] = []
        self._store, self._warmup = store, warmup
        self._context = Context(store, int(lease * 1000), warmup.has_bots, self._changed)
        self._opening: dict[str, asyncio.Task[Table | None]] = {}

    def start(self, supervisor: Supervisor) -> None:
        supervisor.every("idle tables", IDLE / 4, self._drop_idle)

    async def get(self, id: str) -> Table:
        """The table, loaded if it is not yet."""
        table = self.loaded.get(id)
        if table is None:
            if not ID.fullmatch(id):  # saves a query; besides, PostgreSQL refuses NUL bytes
                raise Denied("table_gone", f"there is no table {id[:40]!r}")
            opening = self._opening.get(id)
            if opening is None:
                opening = self._opening[id] = asyncio.create_task(self._open(id))
                opening.add_done_callback(lambda _: self._opening.pop(id, None))
            found = await asyncio.shield(opening)
            if found is None:
                raise Denied("table_gone", f"there is no table {id!r}")
            table = self._add(self.loaded.get(id, found))
        table.touch()
        return table

    async def _open(self, id: str) -> Table | None:
        try:
            return await Table.open(self._context, id, self._warmup.until_rules)
        except Refusal:
            raise
        except Exception as error:  # a damaged row may cause any error
            log.exception("table %s cannot be opened", id)
            raise Denied("table_damaged", f"table {id!r} is damaged and cannot be opened") from error

    async def insert(
        self, state: TableState, seed: str, ticket: str | None, limits: Sequence[Quota], ranked: Quota | None
    ) -> Table:
        """Write a new table; the match begins at once if no seat is free."""
        await self._warmup.until_rules(state.row.game, state.row.rules)
        table = Table(self._context, state, seed, [], [])
        await table.insert(ticket, limits, ranked)
        self._add(table)
        self._changed(table, True)
        return table

    def _add(self, table: Table) -> Table:
        if table.id not in self.loaded:
            self._warmup.on_bots(table.row.game, table.row.rules, table.tell_all)
        self.loaded[table.id] = table
        return table

    def _changed(self, table: Table, here: bool) -> None:
        for listener in self.listeners:
            listener(table, here)

    def deleted(self, id: str, why: str) -> None:
        """Drop a table that is no longer in the database, and tell its watchers."""
        if table := self.loaded.pop(id, None):
            table.audience.dismiss(why)

    async def _drop_idle(self) -> None:
        for table in [table for table in self.loaded.values() if table.is_idle(IDLE)]:
            del self.loaded[table.id]
