"""One live table: the shell around `decide`. Lock, decide, commit, acknowledge, broadcast; retry if overtaken.

What it holds is a cache of the match's rows, which another process may overtake.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from plenilune.core.dice import Dice
from plenilune.server import protocol
from plenilune.server.clock import now
from plenilune.server.protocol import AuditEntry, ChatLine, Play, Played, Preview, Previewed, TableInfo
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.failures import Overtaken
from plenilune.server.storage.quotas import Quota
from plenilune.server.storage.rows import Entry, Person, SeatRow, with_seats
from plenilune.server.storage.store import CHAT_KEPT, Store
from plenilune.server.tables import decide, shown
from plenilune.server.tables.audience import Audience, Watcher
from plenilune.server.tables.decide import Draft, HintRequest, Settled, TableState
from plenilune.server.tables.shown import TableView

TRIES = 5  # when another process is faster


def _nothing(*arguments: Any) -> None:
    pass


class Table:
    def __init__(self, store: Store, state: TableState, seed: str, log: list[Entry], chat: list[ChatLine]) -> None:
        self.store, self.id, self._seed = store, state.row.id, seed
        self.state = decide.replayed(state, log)
        self.log: list[Entry] = []
        self.requests: dict[str, Entry] = {}  # by request id: its first entry
        self.chat = chat
        self._add(log)
        self.lock = asyncio.Lock()
        self.used = time.monotonic()
        self.lease = 10_000  # milliseconds
        self.network = state.row.network  # of the host, who is charged for the bots' CPU time
        self.bots_ready: Callable[[], bool] = lambda: True
        self.changed: Callable[[Table, bool], None] = _nothing  # after every change; whether it was made here
        self.audience = Audience(self.view())

    @classmethod
    async def open(cls, store: Store, id: str, prepare: Callable[[str, int], Any]) -> Table | None:
        row = await store.match(id)
        if row is None:
            return None
        await prepare(row.game, row.rules)
        seats = (await store.seats_of([id])).get(id, ())
        log = [entry for entry in await store.entries_of(id) if entry.ply < row.ply]
        return cls(store, decide.revive(row, seats), await store.seed(id), log, await store.chat_of(id))

    def view(self) -> TableView:
        seed = self._seed if shown.may_show_seed(self.state.row, now()) else None
        return TableView(self.state, self.log, self.chat, seed, self.bots_ready())

    @property
    def dice(self) -> Dice:
        return Dice(self._seed, [nonce.nonce for nonce in self.state.row.nonces])

    def _add(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self.log.append(entry)
            if entry.request:
                self.requests[entry.request] = entry

    # Changes by other processes
    async def refresh(self) -> None:
        """Load what another process has written."""
        async with self.lock:
            await self._reload()

    async def _reload(self) -> None:
        row = await self.store.match(self.id)
        seats = (await self.store.seats_of([self.id])).get(self.id)
        if row is None or seats is None:
            return
        before, said = (self.state.row.version, self.state.seats), self.chat
        if row.version == self.state.row.version:
            self.state = self.state._replace(seats=seats)  # presence does not count as a change
        else:
            entries = await self.store.entries_of(self.id, len(self.log))
            self.chat = await self.store.chat_of(self.id)  # first: no await between the row and its actions
            self._add([entry for entry in entries if entry.ply < row.ply])
            self.state = decide.replayed(decide.revive(row, seats), self.log)
        if before != (self.state.row.version, self.state.seats):
            self._publish([line for line in self.chat if line not in said])
            self.changed(self, False)

    # The only path of changes

    async def _change(
        self, make: Callable[[TableState, int], Draft | None], acknowledge: Callable[[], None] = _nothing
    ) -> None:
        """Shielded: a client that disconnects does not cancel a change halfway."""
        await asyncio.shield(self._commit(make, acknowledge))

    async def _commit(self, make: Callable[[TableState, int], Draft | None], acknowledge: Callable[[], None]) -> None:
        async with self.lock:
            self.used = time.monotonic()
            for _ in range(TRIES):
                draft = make(self._current(), now())
                if draft is None:
                    return
                try:
                    settled = await self._write(draft)
                except Overtaken:
                    await self._reload()
                    continue
                self._hold(settled)
                acknowledge()
                await asyncio.sleep(0)  # acknowledge everything in this transaction before broadcasting any of it
                self._broadcast(settled)
                return
        raise Denied("table_busy", "too much happens at this table at once; nothing has changed", self.state.row.ply)

    def _current(self) -> TableState:
        return self.state._replace(last_line=self.chat[-1].number if self.chat else 0)

    async def _write(self, draft: Draft) -> Settled:
        """Chance is resolved only inside the transaction that writes the draft."""
        settled: list[Settled] = []
        nonces = [nonce.nonce for nonce in draft.row.nonces]

        def finish() -> Any:
            dice = Dice(self._seed, nonces)
            settled[:] = [decide.settle(draft._replace(lease=self.lease), dice, now(), self.log)]
            return settled[0].change

        await self.store.commit(self.id, draft.before.version, finish)
        return settled[0]

    async def insert(self, ticket: str | None, limits: Sequence[Quota], ranked: Quota | None) -> None:
        """Write a new table, and let the match begin if no seat is free."""
        draft = decide.seated(self.state, [])
        settled: list[Settled] = []

        def finish() -> Any:
            settled[:] = [decide.settle(draft._replace(lease=self.lease), self.dice, now())]
            return settled[0].change

        begins = draft.position is not None
        row, seats = self.state.row, self.state.seats
        unranked = await self.store.insert(row, self._seed, ticket, seats, finish if begins else None, limits, ranked)
        if begins:
            self._hold(settled[0])
        self.state = self.state._replace(row=replace(self.state.row, unranked=unranked))
        if begins:
            self._publish()

    def _hold(self, settled: Settled) -> None:
        """Update the cache with what was committed."""
        change = settled.change
        row = replace(change.after, version=change.before.version + 1)
        seats = with_seats(self.state.seats, change.seats)
        self.state = self.state._replace(row=row, seats=seats, position=settled.position or self.state.position)
        self._add(change.entries)
        self.chat = [*self.chat, *change.chat][-CHAT_KEPT:] if change.chat else self.chat
        for gone in change.deleted:
            self.chat = [gone if line.number == gone.number else line for line in self.chat]

    def _broadcast(self, settled: Settled) -> None:
        change = settled.change
        more_than_the_board = bool(change.seats or not change.entries or self.state.row.status == "over")
        self._publish((*change.chat, *change.deleted), more_than_the_board)
        self.changed(self, True)

    def _publish(self, lines: Sequence[ChatLine] = (), table: bool = True) -> None:
        self.audience.publish(self.view(), lines, table)

    def welcome(self, watcher: Watcher, wanted: int | None, ply: int | None) -> None:
        self.audience.welcome(self.view(), watcher, wanted, ply)

    def tell_all(self) -> None:
        """Broadcast a change of something that is not in the rows, such as whether bots are ready."""
        self._publish()

    # Requests of people and bots

    async def play(self, person: Person, asked: Play, acknowledge: Callable[[Played], None] = _nothing) -> Played:
        """A person's actions: either all of them are played, or none; the same request is played only once."""
        request = decide.request_id(person, asked.id)

        def answer() -> Played:
            entry = self.requests[request]
            return Played(asked.id, entry.last, entry.hash)

        def make(state: TableState, at: int) -> Draft | None:
            return None if request in self.requests else decide.play(state, person, asked, at)

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

    async def join(self, person: Person, asked: protocol.Join) -> None:
        await self._change(lambda state, at: decide.join(state, person, asked, at))

    async def start(self, person: Person, bot: str) -> None:
        await self._change(lambda state, at: decide.start(state, person, bot))

    async def invite(self, person: Person, seat: int) -> str:
        """The new invitation's secret."""
        secret = secrets.token_hex(16)
        await self._change(lambda state, at: decide.invite(state, person, seat, secret))
        return secret

    async def leave(self, person: Person, seat: int | None) -> None:
        await self._change(lambda state, at: decide.leave(state, person, seat, at, self.lease))

    async def come_back(self, person: Person, seat: int | None) -> None:
        await self._change(lambda state, at: decide.come_back(state, person, seat, at))

    async def resign(self, person: Person, seat: int | None) -> None:
        await self._change(lambda state, at: decide.resign(state, person, seat, at, self.lease))

    async def time_out(self) -> None:
        await self._change(lambda state, at: decide.time_out(state, at, self.lease))

    async def close(self, noted: AuditEntry) -> None:
        await self._change(lambda state, at: decide.close(state, noted))

    async def delete_line(self, number: int, noted: AuditEntry) -> ChatLine:
        await self._change(lambda state, at: decide.delete_line(state, self.chat, number, noted))
        return next(line for line in self.chat if line.number == number)

    async def follow(self, rematch: str) -> None:
        await self._change(lambda state, at: decide.follow(state, rematch))

    async def say(self, person: Person, asked: protocol.Say) -> ChatLine:
        lines: list[ChatLine] = []

        def make(state: TableState, at: int) -> Draft:
            draft = decide.say(state, person, asked, at)
            lines[:] = draft.chat
            return draft

        await self._change(make)
        return lines[0]

    # Queries

    def preview(self, person: Person, asked: Preview) -> Previewed:
        return shown.previewed(self.state, asked.id, decide.preview(self.state, person, asked))

    def hint(self, person: Person, actions: Sequence[str]) -> HintRequest:
        return decide.hint(self.state, person, actions)

    def bot_to_play(self) -> int | None:
        return decide.bot_to_play(self.state)

    def bot_at(self, seat: int) -> str | None:
        return decide.bot_of(self.state, self.state.seats[seat])

    def info(self, person: Person | None) -> TableInfo:
        return shown.info(self.view(), person, self.audience.crowd(), now())

    def update(self, viewer: int) -> protocol.Update:
        return self.audience.update(viewer)

    def viewer(self, person: Person | None, wanted: int | None) -> int:
        return shown.viewer(self.state, person, wanted)

    def check_watching(self, person: Person | None) -> None:
        shown.check_watching(self.state, person)

    def knows(self, person: Person) -> bool:
        """Whether the person has a seat, or wrote a chat line that is still shown."""
        return bool(self.seats_of(person)) or any(line.person == person.id for line in self.chat)

    def seats_of(self, person: Person | None) -> list[int]:
        return decide.seats_of(self.state, person)

    def persons(self) -> list[SeatRow]:
        return [seat for seat in self.state.seats if seat.held_by == "person"]
