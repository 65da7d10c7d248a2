"""The tables that this process has loaded: loaded on request, dropped when idle.

A bot's turn belongs to the process that wrote the action before it. If that process falls silent, its lease expires,
and the first process to notice takes over. Deadlines are in the database, so they survive every process.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any

from msgspec.structs import replace

from plenilune.bots import Bot
from plenilune.core.errors import Refusal
from plenilune.game import Game, load
from plenilune.server import clock, protocol
from plenilune.server.clock import now
from plenilune.server.protocol import DiceOffer, Invite, NewTable
from plenilune.server.protocol.refusals import Denied
from plenilune.server.settings import Settings
from plenilune.server.storage.database import CHANNEL
from plenilune.server.storage.failures import Taken
from plenilune.server.storage.quotas import Quota
from plenilune.server.storage.retention import Retention, retire
from plenilune.server.storage.rows import Person, commitment, new_id
from plenilune.server.storage.store import Due, Presence, Store, attempts, unfinished, unfinished_public, waiting_public
from plenilune.server.supervisor import Supervisor
from plenilune.server.tables import clocks, creating, daily
from plenilune.server.tables.creating import NewRows, Origin
from plenilune.server.tables.decide import TableState
from plenilune.server.tables.table import Table
from plenilune.server.thinking.fairness import Owner
from plenilune.server.thinking.thinkers import Thinkers, bot

log = logging.getLogger("plenilune")
IDLE = 60.0  # seconds after which a table without watchers is dropped from memory
SWEEP = 0.25  # seconds between two checks for deadlines and waiting bots
HEARTBEAT = 5.0  # seconds between two test writes to the database
MOST_UNFINISHED = 60  # tables of one host
ID = re.compile("[a-z0-9]{16}")
MOST_WAITING_PUBLIC = 10  # public tables from one network that wait for players
MOST_PUBLIC = 60  # of its public tables that are not over and at which something happened today
PRESENT, PRESENCE = 45_000, 20.0  # how long a sign of presence holds, in ms, and how often it is given, in s
MANY = 100  # rows per query
RETIRE, BREATHER = 300.0, 0.2  # seconds between two runs of retention, and between their steps
HANDLED = 2.0  # seconds that a deadline or a waiting bot of one match may take
PATIENCE = 60.0  # seconds before a match that could not be handled is tried again
FIRST_DUE = Due("", 0)
OFFERED, SKEW = 600_000, 60_000  # milliseconds: a ticket's life, and how far other machines' clocks may be ahead


class Tables:
    def __init__(self, store: Store, settings: Settings, thinkers: Thinkers, supervisor: Supervisor) -> None:
        self.store, self.settings, self.thinkers, self.supervisor = store, settings, thinkers, supervisor
        self.loaded: dict[str, Table] = {}
        self.thinking: dict[str, asyncio.Task[None]] = {}  # by match
        self.tally: Callable[[str, float], None] = lambda figure, amount: None  # for the metrics
        self.table_changed: Callable[[Table], None] = lambda table: None  # for the lobby
        self.channels: dict[str, Callable[[str], None]] = {}  # other handlers of notifications, by channel
        self.beat = time.monotonic()  # when the database was last known to accept writes
        self._secrets: dict[str, bytes] = {}
        self._opening: dict[str, asyncio.Task[Table | None]] = {}
        self._due_after, self._unclaimed_after = FIRST_DUE, ""  # where the next queries go on
        self._stuck: dict[str, float] = {}  # until when matches that could not be handled are skipped

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Tables]:
        for name in ("daily", "dice", "networks"):
            self._secrets[name] = bytes.fromhex(await self.store.fact(name, lambda: secrets.token_hex(32)))
        clock.not_before(await self.store.last_beat())
        if not self.store.shared:
            await self.store.release_all()
        self._start()
        try:
            yield self
        finally:
            await self.supervisor.close()

    def _start(self) -> None:
        every = self.supervisor.every
        every("deadlines", SWEEP, self._time_out)
        every("waiting bots", SWEEP, self._pick_up)
        every("idle tables", IDLE / 4, self._forget)
        every("claims", self.settings.lease / 3, self._renew)
        every("heartbeat", HEARTBEAT, self._beat)
        every("retention", RETIRE, self._retire)
        if self.store.shared:
            every("other processes", self.settings.poll, self._poll)
            every("presence", PRESENCE, self._present)
            self.supervisor.forever("notifications", self._listen)

    async def _beat(self) -> None:
        """Prove that the database can be written, and record the time (`clock.not_before`)."""
        await self.store.beat(now())
        self.beat = time.monotonic()

    async def _retire(self) -> None:
        """Apply the retention periods, in small steps with pauses in between."""
        keep = Retention(**self.settings.kept())
        while (gone := await retire(self.store, keep, now())).something:
            for id in gone.tables:
                if table := self.loaded.pop(id, None):
                    table.audience.dismiss("this table was deleted: nothing has happened at it for long")
            log.info("retention: deleted %d tables and %d guests", len(gone.tables), gone.people)
            await asyncio.sleep(BREATHER)

    # Loading and dropping

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
        table.used = time.monotonic()
        return table

    async def _open(self, id: str) -> Table | None:
        try:
            return await Table.open(self.store, id, self.thinkers.warmup.until_rules)
        except Refusal:
            raise
        except Exception as error:  # a damaged row may cause any error
            log.exception("table %s cannot be opened", id)
            raise Denied("table_damaged", f"table {id!r} is damaged and cannot be opened") from error

    def _add(self, table: Table) -> Table:
        warmup, row = self.thinkers.warmup, table.state.row
        table.lease = int(self.settings.lease * 1000)
        table.changed = self._changed
        table.bots_ready = lambda: warmup.has_bots(row.game, row.rules)
        if table.id not in self.loaded:
            warmup.on_bots(row.game, row.rules, table.tell_all)
        self.loaded[table.id] = table
        return table

    def _changed(self, table: Table, here: bool) -> None:
        self.table_changed(table)
        if here:
            self.attend(table)

    async def _forget(self) -> None:
        before = time.monotonic() - IDLE
        for table in list(self.loaded.values()):
            busy = table.audience.watchers or table.id in self.thinking or table.lock.locked()
            if not busy and table.used < before:
                del self.loaded[table.id]

    # New tables

    def network(self, address: str) -> str:
        """A keyed digest of an address: it is all that is stored, and enough to compare two."""
        return hmac.digest(self._secrets["networks"], address.encode(), "sha256").hex()[:16] if address else ""

    def offer(self) -> DiceOffer:
        """Commit to a seed before anybody contributes a nonce. The ticket begins with the time."""
        ticket = f"{now() // 1000:08x}{secrets.token_hex(12)}"
        return DiceOffer(ticket, commitment(self._offered(ticket)))

    def _offered(self, ticket: str) -> str:
        """The ticket's seed. Expired tickets are refused: a table that used one may have been deleted since, and its
        players know the seed."""
        if not -SKEW <= now() - 1000 * int(ticket[:8], 16) <= OFFERED:
            raise Denied("ticket_expired", "this ticket has expired: ask for a new one")
        return hmac.digest(self._secrets["dice"], ticket.encode(), "sha256").hex()[:32]

    def _origin(self, network: str) -> Origin:
        return Origin(new_id(), network, now())

    def _seed(self, ticket: str | None) -> str:
        return self._offered(ticket) if ticket else secrets.token_hex(16)

    async def create(self, person: Person, asked: NewTable, network: str = "") -> tuple[Table, Sequence[Invite]]:
        invited = [secrets.token_hex(16) for _ in asked.seats]
        made = creating.new_table(person, asked, self._origin(network), invited)
        limits = self._quotas(person, network, asked.public)
        try:
            table = await self._insert(made, self._seed(asked.ticket), asked.ticket, limits)
        except Taken:
            raise Denied("ticket_expired", "this ticket was used before: ask for a new one") from None
        return table, made.invites

    async def _insert(
        self,
        made: NewRows,
        seed: str,
        ticket: str | None = None,
        limits: Sequence[Quota] = (),
        ranked: Quota | None = None,
    ) -> Table:
        """Write a new table; the match begins at once if no seat is free."""
        row = replace(made.row, commitment=commitment(seed))
        await self.thinkers.warmup.until_rules(row.game, row.rules)
        state = TableState(row, made.seats, load(row.game), None, None)
        table = Table(self.store, state, seed, [], [])
        await table.insert(ticket, limits, ranked)
        self._add(table)
        self.tally("new_tables", 1)
        self._changed(table, True)
        return table

    def _quotas(self, person: Person, network: str, public: bool) -> list[Quota]:
        if not self.settings.limits:
            return []
        found = [unfinished(person.id, MOST_UNFINISHED)]
        if public:
            found.append(waiting_public(network, MOST_WAITING_PUBLIC))
            found.append(unfinished_public(network, MOST_PUBLIC, now() - clocks.DAY))
        return found

    async def rematch(self, person: Person, old: Table, asked: protocol.Rematch, network: str = "") -> Table:
        """Ask for a rematch, or accept one: it begins when everybody has accepted."""
        creating.check_rematch(old.state, person)
        if old.state.row.rematch is None:
            await self._new_rematch(person, old, asked, network)
        assert old.state.row.rematch
        table = await self.get(old.state.row.rematch)
        if table.state.row.status == "waiting" and not table.seats_of(person):
            await table.join(person, protocol.Join(nonce=asked.nonce))
        return table

    async def _new_rematch(self, person: Person, old: Table, asked: protocol.Rematch, network: str) -> None:
        made = creating.rematch_table(old.state, person, asked.nonce, self._origin(network))
        limits = self._quotas(person, network, made.row.public)
        try:
            table = await self._insert(made, self._seed(asked.ticket), asked.ticket, limits)
            follower: str | None = table.id
        except Taken:  # somebody else has asked at the same moment
            follower = await self.store.rematch_of(old.id)
        if follower is None:
            raise Denied("ticket_expired", "this ticket was used before: ask for a new one")
        await old.follow(follower)

    # The daily deal

    async def deal(self, person: Person, game: Game, network: str = "") -> Table:
        """The person's attempt at today's deal, begun if it has not been."""
        day = daily.today(now())
        daily.check(game, day, now())
        if mine := await self.store.lobby.deal_of(person.id, game.name, day):
            return await self.get(mine.id)
        since, _ = await self.store.people.created(person.id)
        made = creating.daily_table(person, since, game, day, self._origin(network))
        ranked = attempts(network, game.name, day, daily.RANKED_PER_NETWORK) if network else None
        try:
            return await self._insert(made, self.daily_seed(game, day), ranked=ranked)
        except Taken:
            mine = await self.store.lobby.deal_of(person.id, game.name, day)
            assert mine
            return await self.get(mine.id)

    def daily_seed(self, game: Game, day: str) -> str:
        return daily.seed(self._secrets["daily"].hex(), game, day)

    # Bots

    def attend(self, table: Table) -> None:
        """Let a bot think if it is its turn."""
        if table.bot_to_play() is not None and table.id not in self.thinking:
            task = self.supervisor.spawn(self._play_bots(table))
            self.thinking[table.id] = task
            task.add_done_callback(lambda _: self.thinking.pop(table.id, None))

    async def _play_bots(self, table: Table) -> None:
        """Play the bots' turns until it is a person's. In between, bots keep their search trees."""
        sitting: dict[tuple[int, str], Bot] = {}
        while (seat := table.bot_to_play()) is not None:
            try:
                await self._play_bot(table, seat, sitting)
            except Denied as denied:
                if denied.reason not in ("stale", "not_your_turn", "over"):
                    log.warning("bot at %s: %s", table.id, denied)
                    return  # the lease expires, and some process tries again
            except Exception:
                log.exception("bot at %s", table.id)
                return

    async def _play_bot(self, table: Table, seat: int, sitting: dict[tuple[int, str], Bot]) -> None:
        position, ply, began = table.state.position, table.state.row.ply, time.monotonic()
        name = table.bot_at(seat)
        assert position
        assert name
        thinker = sitting.setdefault((seat, name), self.thinkers.sit(bot(name, position.game)))
        owner = Owner(table.state.row.network, table.state.row.host)

        def stale() -> bool:
            return table.state.row.ply != ply or table.bot_to_play() != seat

        action = await self.thinkers.choose(owner, thinker, position.game, position.seen(seat), seat, stale)
        if table.audience.watchers:
            await asyncio.sleep(max(0.0, self.settings.bot_pause - (time.monotonic() - began)))
        await table.play_for_bot(seat, ply, action)
        self.tally("bot_actions", 1)

    async def _renew(self) -> None:
        """Renew the leases of the bots that this process plays for."""
        if self.thinking:
            await self.store.renew(list(self.thinking), now() + int(self.settings.lease * 1000))

    # Deadlines, and bots whose process has died

    async def _time_out(self) -> None:
        found = await self.store.due(now(), self._due_after, MANY)
        await self._handle([due.id for due in found], self._time_out_one)
        self._due_after = found[-1] if len(found) == MANY else FIRST_DUE  # the rest on the next run

    async def _time_out_one(self, id: str) -> None:
        table = await self.get(id)
        await table.time_out()
        if table.state.row.deadline is not None and table.state.row.deadline <= now():
            raise Denied("cannot_continue", table.state.problem or "its deadline cannot be handled")
        self.tally("time_outs", 1)

    async def _pick_up(self) -> None:
        found = await self.store.unclaimed(now(), self._unclaimed_after, MANY)
        await self._handle(found, self._pick_up_one)
        self._unclaimed_after = found[-1] if len(found) == MANY else ""

    async def _pick_up_one(self, id: str) -> None:
        """Play for the match's bots, if this process is the first to claim it."""
        if await self.store.claim(id, now(), now() + int(self.settings.lease * 1000)):
            table = await self.get(id)
            await table.refresh()
            self.attend(table)
            if table.bot_to_play() is None:
                raise Denied("cannot_continue", table.state.problem or "no bot can play")

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

    # Other processes

    async def _listen(self) -> None:
        """Listen for other processes' notifications."""
        await self.store.listen({CHANNEL: self._on_notification, **self.channels})

    def _on_notification(self, payload: str) -> None:
        if table := self.loaded.get(payload.partition(" ")[0]):
            self.supervisor.spawn(self._refresh(table))

    async def _refresh(self, table: Table) -> None:
        with contextlib.suppress(Denied):  # the next poll will retry
            await table.refresh()

    async def _poll(self) -> None:
        """Find changes whose notification was lost."""
        ids = list(self.loaded)
        for start in range(0, len(ids), 1000):
            for id, version in (await self.store.versions(ids[start : start + 1000])).items():
                table = self.loaded.get(id)
                if table and table.state.row.version < version and not table.lock.locked():
                    await self._refresh(table)

    # Presence

    def presence_changed(self, table: Table) -> None:
        """Tell other processes that somebody has connected or disconnected."""
        if self.store.shared:
            self.supervisor.spawn(self._tell_presence(table))

    async def _tell_presence(self, table: Table) -> None:
        here, until = table.audience.crowd().seats, now() + PRESENT
        found = [Presence(table.id, seat.seat, until if seat.seat in here else 0) for seat in table.persons()]
        with contextlib.suppress(Denied):
            await self.store.tell_presence(table.id, table.state.row.ply, found)

    async def _present(self) -> None:
        until, tables = now() + PRESENT, sorted(self.loaded.values(), key=lambda table: table.id)
        found = [Presence(table.id, seat, until) for table in tables for seat in sorted(table.audience.crowd().seats)]
        for start in range(0, len(found), MANY):  # in batches: other writes go in between
            await self.store.set_present(found[start : start + MANY])
