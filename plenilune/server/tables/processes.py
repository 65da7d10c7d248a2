"""Other processes on the same database: what they have written, and who is connected to which.

They notify one another. A process that misses a notification finds out at the next poll. Where this is the only
process, nothing here does anything.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from plenilune.server.clock import now
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.database import CHANNEL
from plenilune.server.storage.store import Presence, Store
from plenilune.server.supervisor import Supervisor
from plenilune.server.tables.registry import Tables
from plenilune.server.tables.table import Table

PRESENT, PRESENCE = 45_000, 20.0  # how long a sign of presence holds, in ms, and how often it is given, in s
MANY, POLLED = 100, 1000  # signs of presence in one write, and tables in one poll


class Processes:
    def __init__(self, store: Store, tables: Tables, supervisor: Supervisor, poll: float) -> None:
        self._store, self._tables, self._supervisor, self._every = store, tables, supervisor, poll
        self.channels: dict[str, Callable[[str], None]] = {}  # other handlers of notifications, by channel

    def start(self) -> None:
        if self._store.shared:
            self._supervisor.every("other processes", self._every, self._poll)
            self._supervisor.every("presence", PRESENCE, self._present)
            self._supervisor.forever("notifications", self._listen)

    # What they have written

    async def _listen(self) -> None:
        await self._store.listen({CHANNEL: self._on_notification, **self.channels})

    def _on_notification(self, payload: str) -> None:
        if table := self._tables.loaded.get(payload.partition(" ")[0]):
            self._supervisor.spawn(_refresh(table))

    async def _poll(self) -> None:
        """Find changes whose notification was lost."""
        ids = list(self._tables.loaded)
        for start in range(0, len(ids), POLLED):
            for id, version in (await self._store.versions(ids[start : start + POLLED])).items():
                table = self._tables.loaded.get(id)
                if table and table.is_behind(version):
                    await _refresh(table)

    # Presence

    def presence_changed(self, table: Table) -> None:
        """Tell other processes that somebody has connected or disconnected."""
        if self._store.shared:
            self._supervisor.spawn(self._tell_presence(table))

    async def _tell_presence(self, table: Table) -> None:
        here, until = table.audience.crowd().seats, now() + PRESENT
        people = [seat.seat for seat in table.state.seats if seat.held_by == "person"]
        found = [Presence(table.id, seat, until if seat in here else 0) for seat in people]
        with contextlib.suppress(Denied):
            await self._store.tell_presence(table.id, table.row.ply, found)

    async def _present(self) -> None:
        until, tables = now() + PRESENT, sorted(self._tables.loaded.values(), key=lambda table: table.id)
        found = [Presence(table.id, seat, until) for table in tables for seat in sorted(table.audience.crowd().seats)]
        for start in range(0, len(found), MANY):  # in batches: other writes go in between
            await self._store.set_present(found[start : start + MANY])


async def _refresh(table: Table) -> None:
    with contextlib.suppress(Denied):  # the next poll will retry
        await table.refresh()
