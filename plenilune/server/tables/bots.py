"""Bots' turns. A turn belongs to the process that wrote the action before it, which has a lease on it.

If that process falls silent, its lease expires, and the first process to notice takes over.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from plenilune.bots import Bot
from plenilune.server.clock import now
from plenilune.server.protocol.refusals import Denied
from plenilune.server.settings import Settings
from plenilune.server.storage.store import Store
from plenilune.server.supervisor import Supervisor
from plenilune.server.tables.decide import BotTurn, bot_to_play, bot_turn
from plenilune.server.tables.registry import Tables
from plenilune.server.tables.table import Table
from plenilune.server.thinking.thinkers import Thinkers, bot

log = logging.getLogger("plenilune")
Sitting = dict[tuple[int, str], Bot]  # by seat and name: bots keep their search trees between turns


class BotTurns:
    def __init__(
        self,
        store: Store,
        tables: Tables,
        thinkers: Thinkers,
        supervisor: Supervisor,
        settings: Settings,
        tally: Callable[[str, float], None],
    ) -> None:
        self._store, self._tables, self._thinkers, self._supervisor = store, tables, thinkers, supervisor
        self._lease, self._pause, self._tally = settings.lease, settings.bot_pause, tally
        self.thinking: dict[str, asyncio.Task[None]] = {}  # by match
        tables.listeners.append(self._on_change)

    def start(self) -> None:
        self._supervisor.every("claims", self._lease / 3, self._renew)

    def _on_change(self, table: Table, here: bool) -> None:
        if here:
            self.attend(table)

    def attend(self, table: Table) -> None:
        """Let a bot think if it is its turn."""
        if bot_to_play(table.state) is not None and table.id not in self.thinking:
            task = self._supervisor.spawn(self._play_turns(table))
            self.thinking[table.id] = task
            task.add_done_callback(lambda _: self.thinking.pop(table.id, None))

    async def _play_turns(self, table: Table) -> None:
        """Play the bots' turns until it is a person's."""
        sitting = Sitting()
        with table.kept():
            while (turn := bot_turn(table.state)) is not None:
                try:
                    await self._play(table, turn, sitting)
                except Denied as denied:
                    if denied.reason not in ("stale", "not_your_turn", "over"):
                        log.warning("bot at %s: %s", table.id, denied)
                        return  # the lease expires, and some process tries again
                except Exception:
                    log.exception("bot at %s", table.id)
                    return

    async def _play(self, table: Table, turn: BotTurn, sitting: Sitting) -> None:
        began, game = time.monotonic(), turn.game
        thinker = sitting.setdefault((turn.seat, turn.bot), self._thinkers.sit(bot(turn.bot, game)))

        def stale() -> bool:
            return table.row.ply != turn.ply or bot_to_play(table.state) != turn.seat

        action = await self._thinkers.choose(table.owner, thinker, game, turn.seen, turn.seat, stale)
        if table.audience.watchers:
            await asyncio.sleep(max(0.0, self._pause - (time.monotonic() - began)))
        await table.play_for_bot(turn.seat, turn.ply, action)
        self._tally("bot_actions", 1)

    # Leases

    def _until(self) -> int:
        return now() + int(self._lease * 1000)

    async def _renew(self) -> None:
        """Renew the leases of the bots that this process plays for."""
        if self.thinking:
            await self._store.renew(list(self.thinking), self._until())

    async def pick_up(self, id: str) -> None:
        """Play for the match's bots, if this process is the first to claim it."""
        if await self._store.claim(id, now(), self._until()):
            table = await self._tables.get(id)
            await table.refresh()
            self.attend(table)
            if bot_to_play(table.state) is None:
                raise Denied("cannot_continue", table.state.problem or "no bot can play")
