"""One live table: the shell around `decide`. Lock, decide, commit, acknowledge, broadcast; retry if overtaken.

What it holds is a cache of the match's rows, which another process may overtake.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from plenilune.core.dice import Dice
from plenilune.server import protocol
from plenilune.server.clock import now
from plenilune.server.protocol import AuditEntry, ChatLine, Play, Played, ReportedLine, TableInfo
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.failures import Overtaken
from plenilune.server.storage.people import still_there
from plenilune.server.storage.quotas import Quota
from plenilune.server.storage.rows import Entry, MatchRow, Person, with_seats
from plenilune.server.storage.store import CHAT_KEPT, Store
from plenilune.server.tables import decide, shown
from plenilune.server.tables.audience import Audience
from plenilune.server.tables.decide import Draft, Settled, TableState
from plenilune.server.tables.shown import TableView
from plenilune.server.thinking.fairness import Owner

TRIES = 5  # when another process is faster


def _nothing(*arguments: Any) -> None:
    pass


class Context(NamedTuple):
    """What a table needs of the process that has loaded it."""

    store: Store
    lease: int  # milliseconds for which this process gets a bot's turn
    bots_ready: Callable[[str, int], bool]  # those of a game, by the version of its rules
    changed: Callable[[Table, bool], None]  # called after every change; with whether it was made here


class Table:
    def __init__(self, context: Context, state: TableState, seed: str, log: list[Entry], chat: list[ChatLine]) -> None:
        self.id = state.row.id
        self._context, self._store, self._seed = context, context.store, seed
        self._state = decide.replayed(state, log)
        self._log: list[Entry] = []
        self._requests: dict[str, Entry] = {}  # by request id: its first entry
        self._chat = chat
        self._add(log)
        self._lock = asyncio.Lock()
        self._used, self._users = time.monotonic(), 0
        self.audience = Audience(self.view())

    @classmethod
    async def open(cls, context: Context, id: str, prepare: Callable[[str, int], Any]) -> Table | None:
        store = context.store
        row = await store.match(id)
        if row is None:
            return None
        await prepare(row.game, row.rules)
        seats = (await store.seats_of([id])).get(id, ())
        log = [entry for entry in await store.entries_of(id) if entry.ply < row.ply]
        return cls(context, decide.revive(row, seats), await store.seed(id), log, await store.chat_of(id))

    def view(self) -> TableView:
        seed = self._seed if shown.may_show_seed(self.row, now()) else None
        ready = self._context.bots_ready(self.row.game, self.row.rules)
        return TableView(self._state, self._log, self._chat, seed, ready)

    def _dice(self, row: MatchRow) -> Dice:
        return Dice(self._seed, [nonce.nonce for nonce in row.nonces])

    def _add(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._log.append(entry)
            if entry.request:
                self._requests[entry.request] = entry

    # In memory

    def touch(self) -> None:
        self._used = time.monotonic()

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """Keep the table in memory while it is worked with."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1

    def is_idle(self, seconds: float) -> bool:
        """Whether nobody watches, changes or keeps the table, and nobody has for so long."""
        busy = self.audience.watchers or self._users or self._lock.locked()
        return not busy and self._used < time.monotonic() - seconds

    def is_behind(self, version: int) -> bool:
        """Whether the row has another version, which is not being written or read here."""
        return self.row.version < version and not self._lock.locked()

    # Changes by other processes

    async def refresh(self) -> None:
        """Load what another process has written."""
        async with self._lock:
            await self._reload()

    async def _reload(self) -> None:
        row = await self._store.match(self.id)
        seats = (await self._store.seats_of([self.id])).get(self.id)
        if row is None or seats is None:
            return
        before, said = (self.row.version, self._state.seats), self._chat
        if row.version == self.row.version:
            self._state = self._state._replace(seats=seats)  # presence does not count as a change
        else:
            entries = await self._store.entries_of(self.id, len(self._log))
            self._chat = await self._store.chat_of(self.id)  # first: no await between the row and its actions
            self._add([entry for entry in entries if entry.ply < row.ply])
            self._state = decide.replayed(decide.revive(row, seats), self._log)
        if before != (self.row.version, self._state.seats):
            self._publish([line for line in self._chat if line not in said])
            self._context.changed(self, False)

    # The only path of changes

    async def _change(
        self,
        make: Callable[[TableState, int], Draft | None],
        acknowledge: Callable[[], None] = _nothing,
        limits: Sequence[Quota] = (),
    ) -> None:
        """Shielded: a client that disconnects does not cancel a change halfway."""
        await asyncio.shield(self._commit(make, acknowledge, limits))

    async def _commit(
        self,
        make: Callable[[TableState, int], Draft | None],
        acknowledge: Callable[[], None],
        limits: Sequence[Quota],
    ) -> None:
        async with self._lock:
            self.touch()
            for _ in range(TRIES):
                draft = make(self._current(), now())
                if draft is None:
                    return
                try:
                    settled = await self._write(draft, limits)
                except Overtaken:
                    await self._reload()
                    continue
                self._hold(settled)
                acknowledge()
                await asyncio.sleep(0)  # acknowledge everything in this transaction before broadcasting any of it
                self._broadcast(settled)
                return
        raise Denied("table_busy", "too much happens at this table at once; nothing has changed", self.row.ply)

    def _current(self) -> TableState:
        return self._state._replace(last_line=self._chat[-1].number if self._chat else 0)

    async def _write(self, draft: Draft, limits: Sequence[Quota]) -> Settled:
        """Chance is resolved only inside the transaction that writes the draft."""
        settled: list[Settled] = []

        def finish() -> Any:
            dice = self._dice(draft.row)
            settled[:] = [decide.settle(draft._replace(lease=self._context.lease), dice, now(), self._log)]
            return settled[0].change

        await self._store.commit(self.id, draft.before.version, finish, limits)
        return settled[0]

    async def insert(self, ticket: str | None, limits: Sequence[Quota], ranked: Quota | None) -> None:
        """Write a new table, and let the match begin if no seat is free."""
        draft = decide.seated(self._state, [])
        settled: list[Settled] = []

        def finish() -> Any:
            dice = self._dice(draft.row)
            settled[:] = [decide.settle(draft._replace(lease=self._context.lease), dice, now())]
            return settled[0].change

        begins = draft.position is not None
        row, seats = self.row, self._state.seats
        unranked = await self._store.insert(row, self._seed, ticket, seats, finish if begins else None, limits, ranked)
        if begins:
            self._hold(settled[0])
        self._state = self._state._replace(row=replace(self.row, unranked=unranked))
        if begins:
            self._publish()

    def _hold(self, settled: Settled) -> None:
        """Update the cache with what was committed."""
        change = settled.change
        row = replace(change.after, version=change.before.version + 1)
        seats = with_seats(self._state.seats, change.seats)
        self._state = self._state._replace(row=row, seats=seats, position=settled.position or self._state.position)
        self._add(change.entries)
        self._chat = [*self._chat, *change.chat][-CHAT_KEPT:] if change.chat else self._chat
        for gone in change.deleted:
            self._chat = [gone if line.number == gone.number else line for line in self._chat]

    def _broadcast(self, settled: Settled) -> None:
        change = settled.change
        more_than_the_board = bool(change.seats or not change.entries or self.row.status == "over")
        self._publish((*change.chat, *change.deleted), more_than_the_board)
        self._context.changed(self, True)

    def _publish(self, lines: Sequence[ChatLine] = (), table: bool = True) -> None:
        self.audience.publish(self.view(), lines, table)

    def tell_all(self) -> None:
        """Broadcast a change of something that is not in the rows, such as whether bots are ready."""
        self._publish()

    # Requests of people and bots

    async def play(self, person: Person, asked: Play, acknowledge: Callable[[Played], None] = _nothing) -> Played:
        """A person's actions: either all of them are played, or none; the same request is played only once."""
        request = decide.request_id(person, asked.id)

        def answer() -> Played:
            entry = self._requests[request]
            return Played(asked.id, entry.last, entry.hash)

        def make(state: TableState, at: int) -> Draft | None:
            return None if request in self._requests else decide.play(state, person, asked, at)

        told: list[Played] = []

        def acknowledged() -> None:
            told.append(answer())
            acknowledge(told[0])

        await self._change(make, acknowledged)
        if not told:
            acknowledged()
        return told[0]

    async def play_for_bot(self, seat: int, ply: int, action: str) -> None:
        await self._change(lambda state, at: decide.play_for_bot(state, seat, ply, action))

    async def join(self, person: Person, asked: protocol.Join, limits: Sequence[Quota] = ()) -> None:
        await self._change(lambda state, at: decide.join(state, person, asked, at), limits=limits)

    async def start(self, person: Person, asked: protocol.Start) -> None:
        await self._change(lambda state, at: decide.start(state, person, asked))

    async def arrange(self, person: Person, asked: protocol.Arrange) -> None:
        await self._change(lambda state, at: decide.arrange(state, person, asked))

    async def invite(self, person: Person, seat: int) -> str:
        """The new invitation's secret."""
        secret = secrets.token_hex(16)
        await self._change(lambda state, at: decide.invite(state, person, seat, secret))
        return secret

    async def leave(self, person: Person, seat: int | None) -> None:
        await self._change(lambda state, at: decide.leave(state, person, seat, at, self._context.lease))

    async def come_back(self, person: Person, seat: int | None) -> None:
        await self._change(lambda state, at: decide.come_back(state, person, seat, at))

    async def resign(self, person: Person, seat: int | None) -> None:
        await self._change(lambda state, at: decide.resign(state, person, seat, at, self._context.lease))

    async def time_out(self) -> None:
        await self._change(lambda state, at: decide.time_out(state, at, self._context.lease))

    async def close(self, noted: AuditEntry) -> None:
        await self._change(lambda state, at: decide.close(state, noted))

    async def delete_line(self, number: int, noted: AuditEntry) -> ChatLine:
        await self._change(lambda state, at: decide.delete_line(state, self._chat, number, noted))
        return next(line for line in self._chat if line.number == number)

    async def follow(self, rematch: str) -> None:
        await self._change(lambda state, at: decide.follow(state, rematch))

    async def say(self, person: Person, asked: protocol.Say) -> ChatLine:
        lines: list[ChatLine] = []

        def make(state: TableState, at: int) -> Draft:
            draft = decide.say(state, person, asked, at)
            lines[:] = draft.chat
            return draft

        await self._change(make, limits=[still_there(person.id)])
        return lines[0]

    # Queries; what `decide` and `shown` make of the state alone is asked of them

    @property
    def state(self) -> TableState:
        """The table as it was last committed, for `decide`."""
        return self._state

    @property
    def row(self) -> MatchRow:
        return self._state.row

    @property
    def owner(self) -> Owner:
        """The host, who is charged for the bots' CPU time."""
        return Owner(self.row.network, self.row.host)

    def report(self, person: Person, asked: protocol.Report) -> ReportedLine:
        return decide.report(self._state, self._chat, person, asked, now())

    def info(self, person: Person | None) -> TableInfo:
        return shown.info(self.view(), person, self.audience.crowd(), now())

    def update(self, viewer: int) -> protocol.Update:
        shown.check_begun(self._state)
        return self.audience.update(viewer)

    def knows(self, person: Person) -> bool:
        """Whether the person has a seat, or wrote a chat line that is still shown."""
        return bool(decide.seats_of(self._state, person)) or any(line.person == person.id for line in self._chat)
