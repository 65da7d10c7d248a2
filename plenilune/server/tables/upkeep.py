"""The database's upkeep: test writes that prove that it works, and the deletion of what has been kept long enough."""

from __future__ import annotations

import asyncio
import logging
import time

from plenilune.server import clock
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
        self._sure_at = 0.0  # until then the time is in doubt

    def start(self, supervisor: Supervisor) -> None:
        supervisor.every("heartbeat", HEARTBEAT, self.beat)
        supervisor.every("retention", RETIRE, self.retire)

    async def beat(self) -> None:
        """Prove that the database can be written, and record the time (`clock.begin`)."""
        await self._store.beat(now())
        self._beat_at = time.monotonic()

    def problems(self) -> list[str]:
        silent = time.monotonic() - self._beat_at
        failing = [f"the database has not been written for {silent:.0f} s"] if silent > SILENT else []
        return failing + clock.problems()

    def doubt(self, seconds: float) -> None:
        """Delete nothing for so long."""
        self._sure_at = time.monotonic() + seconds

    async def retire(self) -> None:
        """Apply the retention periods, in small steps with pauses in between; but not by a clock that may be ahead."""
        if time.monotonic() < self._sure_at or clock.ahead() > clock.OFF:
            log.info("retention: nothing is deleted while the time is in doubt")
            return
        while (gone := await retire(self._store, self._keep, now())).something:
            for id in gone.tables:
                self._tables.deleted(id, "this table was deleted: nothing has happened at it for long")
            log.info("retention: deleted %d tables and %d guests", len(gone.tables), gone.people)
            await asyncio.sleep(BREATHER)
