"""The database's upkeep: test writes that prove that it works, and the deletion of what has been kept long enough."""

from __future__ import annotations

import asyncio
import logging
import time

from plenilune.server.clock import now
from plenilune.server.storage.retention import Retention, retire
from plenilune.server.storage.store import Store
from plenilune.server.supervisor import Supervisor
from plenilune.server.tables.registry import Tables

log = logging.getLogger("plenilune")
HEARTBEAT = 5.0  # seconds between two test writes to the database
SILENT = 15.0  # seconds without a write after which the database counts as failing
RETIRE, BREATHER = 300.0, 0.2  # seconds between two runs of retention, and between their steps


class Upkeep:
    def __init__(self, store: Store, tables: Tables, keep: Retention) -> None:
        self._store, self._tables, self._keep = store, tables, keep
        self._beat_at = time.monotonic()  # when the database was last known to accept writes

    def start(self, supervisor: Supervisor) -> None:
        supervisor.every("heartbeat", HEARTBEAT, self.beat)
        supervisor.every("retention", RETIRE, self.retire)

    async def beat(self) -> None:
        """Prove that the database can be written, and record the time (`clock.not_before`)."""
        await self._store.beat(now())
        self._beat_at = time.monotonic()

    def problems(self) -> list[str]:
        silent = time.monotonic() - self._beat_at
        return [f"the database has not been written for {silent:.0f} s"] if silent > SILENT else []

    async def retire(self) -> None:
        """Apply the retention periods, in small steps with pauses in between."""
        while (gone := await retire(self._store, self._keep, now())).something:
            for id in gone.tables:
                self._tables.deleted(id, "this table was deleted: nothing has happened at it for long")
            log.info("retention: deleted %d tables and %d guests", len(gone.tables), gone.people)
            await asyncio.sleep(BREATHER)
