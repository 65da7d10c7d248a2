"""Matches that wait for no request: those whose deadline has passed, and those with bots whose process has died.

Deadlines and leases are in the database, so they survive every process; all processes look for those that are due.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from plenilune.server.clock import now
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.store import Due, Store
from plenilune.server.supervisor import Supervisor
from plenilune.server.tables.bots import BotTurns
from plenilune.server.tables.registry import Tables

log = logging.getLogger("plenilune")
SWEEP = 0.25  # seconds between two checks for deadlines and waiting bots
MANY = 100  # rows per query
HANDLED = 2.0  # seconds that a deadline or a waiting bot of one match may take
PATIENCE = 60.0  # seconds before a match that could not be handled is tried again
FIRST_DUE = Due("", 0)


class Sweeps:
    def __init__(self, store: Store, tables: Tables, bots: BotTurns, tally: Callable[[str, float], None]) -> None:
        self._store, self._tables, self._bots, self._tally = store, tables, bots, tally
        self._due_after, self._unclaimed_after = FIRST_DUE, ""  # where the next queries go on
        self._stuck: dict[str, float] = {}  # until when matches that could not be handled are skipped

    def start(self, supervisor: Supervisor) -> None:
        supervisor.every("deadlines", SWEEP, self._time_out)
        supervisor.every("waiting bots", SWEEP, self._pick_up)

    async def _time_out(self) -> None:
        found = await self._store.due(now(), self._due_after, MANY)
        await self._handle([due.id for due in found], self._time_out_one)
        self._due_after = found[-1] if len(found) == MANY else FIRST_DUE  # the rest on the next run

    async def _time_out_one(self, id: str) -> None:
        table = await self._tables.get(id)
        await table.time_out()
        if table.row.deadline is not None and table.row.deadline <= now():
            raise Denied("cannot_continue", table.state.problem or "its deadline cannot be handled")
        self._tally("time_outs", 1)

    async def _pick_up(self) -> None:
        found = await self._store.unclaimed(now(), self._unclaimed_after, MANY)
        await self._handle(found, self._bots.pick_up)
        self._unclaimed_after = found[-1] if len(found) == MANY else ""

    async def _handle(self, ids: Sequence[str], work: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        """Handle matches concurrently; one that fails does not affect the others."""
        at = time.monotonic()
        self._stuck = {id: until for id, until in self._stuck.items() if until > at}
        await asyncio.gather(*(self._handle_one(id, work) for id in ids if id not in self._stuck))

    async def _handle_one(self, id: str, work: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        """One that fails, or takes long because its rules must be compiled first, is retried later."""
        try:
            async with asyncio.timeout(HANDLED):
                await work(id)
        except TimeoutError:
            self._stuck[id] = time.monotonic() + HANDLED
        except Exception as error:
            self._stuck[id] = time.monotonic() + PATIENCE
            log.warning("match %s is left alone for %d s: %s", id, PATIENCE, error)
