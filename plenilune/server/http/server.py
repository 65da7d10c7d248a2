"""Everything that one process of the server holds, and how it starts and stops."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from importlib.metadata import version
from typing import Any

from plenilune.core.errors import Refusal
from plenilune.server import clock
from plenilune.server.http import metrics, online, pages, revocations
from plenilune.server.http.bans import Bans
from plenilune.server.http.connections import Connections
from plenilune.server.http.identity import People
from plenilune.server.http.limits import Limits
from plenilune.server.http.online import Roster
from plenilune.server.http.pages import Pages
from plenilune.server.http.revocations import Revocations
from plenilune.server.http.transport import Gate
from plenilune.server.settings import Settings
from plenilune.server.storage.people import Presented
from plenilune.server.storage.retention import Retention
from plenilune.server.storage.rows import Person
from plenilune.server.storage.store import Store
from plenilune.server.supervisor import Supervisor
from plenilune.server.tables.bots import BotTurns
from plenilune.server.tables.creation import Creation
from plenilune.server.tables.lobby import Lobbies
from plenilune.server.tables.processes import Processes
from plenilune.server.tables.registry import Tables
from plenilune.server.tables.server_secrets import ServerSecrets
from plenilune.server.tables.sweeps import Sweeps
from plenilune.server.tables.upkeep import Upkeep
from plenilune.server.thinking.modules import Modules
from plenilune.server.thinking.thinkers import Thinkers

VERSION = version("plenilune")


class Server:
    """Everything that one process of the server holds."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.url)
        self.limits = Limits(settings)
        self.thinkers = Thinkers(settings.thinkers, self.limits)
        self.modules = Modules(self.thinkers.warmup)
        self.pages = Pages(pages.WEB, self.modules)
        self.supervisor = Supervisor()
        self.metrics = metrics.Metrics()
        self.store.tally = tally = self.metrics.tally
        self.secrets = ServerSecrets()
        self.tables = Tables(self.store, self.thinkers.warmup, settings.lease)
        self.creation = Creation(self.store, self.tables, self.secrets, settings, tally)
        self.bots = BotTurns(self.store, self.tables, self.thinkers, self.supervisor, settings, tally)
        self.sweeps = Sweeps(self.store, self.tables, self.bots, tally)
        self.upkeep = Upkeep(self.store, self.tables, Retention(**settings.kept()))
        self.processes = Processes(self.store, self.tables, self.supervisor, settings.poll)
        self.lobbies = Lobbies(self.store, self.tables, settings.poll)
        self.people = People(self.store)
        self.gate = Gate(self.limits, settings.connections)
        self.bans = Bans(self.store)
        self.connections = Connections(self.processes, self.thinkers, self.secrets, self.limits, self.bans)
        self.roster = Roster(self.store, self.connections.visits, self.supervisor.spawn)
        self.processes.channels[online.CHANNEL] = self.roster.on_notification
        self.revocations = Revocations(self.store, self._end)
        self.processes.channels[revocations.CHANNEL] = self.revocations.on_notification
        self.connections.refused = self.metrics.refused
        self.chores: list[Callable[[], Coroutine[Any, Any, None]]] = []  # further background jobs

    @contextlib.asynccontextmanager
    async def open(self, app: Any = None) -> AsyncIterator[dict[str, Any]]:
        """Run until closed; yields the state for uvicorn's protocols (`protocols.py`)."""
        async with self.store.open(serving=True):
            try:
                await self._prepare()
                self._start()
                yield {"gate": self.gate}
            finally:
                await self._close()

    async def _prepare(self) -> None:
        """Read what must be known before anything happens."""
        await self.secrets.load(self.store)
        beat = await self.store.last_beat()
        self.upkeep.doubt(clock.doubt(beat, clock.system()))
        clock.begin(beat)
        if not self.store.shared:
            await self.store.release_all()
        await self.bans.refresh()

    def _start(self) -> None:
        """Start everything that runs by itself."""
        self.sweeps.start(self.supervisor)
        self.bots.start()
        self.tables.start(self.supervisor)
        self.upkeep.start(self.supervisor)
        self.processes.start()
        self.supervisor.every("bans", self.settings.poll, self.bans.refresh)
        if self.store.shared:
            self.supervisor.every("revocations", self.settings.poll, self.revocations.poll)
        self.supervisor.every("metrics", metrics.EVERY, self.measure)
        self.supervisor.forever("the lobby", self.lobbies.broadcast)
        for chore in self.chores:
            self.supervisor.forever(chore.__name__, chore)
        self.thinkers.warmup.start()
        self.supervisor.forever("the warm-up", self.thinkers.warmup.supervised)

    async def _close(self) -> None:
        try:
            await self.connections.close()
            self.thinkers.close()
            await asyncio.to_thread(self.thinkers.warmup.close)
        finally:
            await self.supervisor.close()

    def problems(self) -> list[str]:
        """This process's problems, one sentence each."""
        parts = self.supervisor, self.store, self.upkeep, self.thinkers.warmup
        return [problem for part in parts for problem in part.problems()]

    async def measure(self) -> None:
        """Update the gauges, since another worker may be asked for them."""
        gauges = {
            "tables": len(self.tables.loaded),
            "sockets": len(self.connections.sockets),
            "thinking": len(self.bots.thinking),
            "problems": len(self.problems()),
        }
        self.metrics.measure(gauges, {"commits": self.store.waiting, **self.thinkers.queues()})

    async def delete(self, person: Person, by: Presented) -> None:
        """Delete a person: revoke their credentials, disconnect them, and leave their tables."""
        await self.revocations.announce(person.id, await self.people.delete(person, by))
        for table in list(self.tables.loaded.values()):
            if table.knows(person):
                await table.refresh()
        await self.leave_tables(person)

    async def leave_tables(self, person: Person) -> None:
        """Leave all tables of a person, so that nobody waits for them."""
        for id in await self.store.moderation.unfinished_of(person.id):
            with contextlib.suppress(Refusal):
                await (await self.tables.get(id)).leave(person, None)

    async def revoke_key(self, person: Person, by: Presented, key: str) -> None:
        await self.revocations.announce(person.id, await self.people.revoke_key(person, by, key))

    def _end(self, person: str) -> None:
        """Close a person's connections after a credential was revoked; clients with another one reconnect."""
        self.people.forget(person)
        self.connections.end_person(person)
