"""The lobby: open tables, live tables and a person's own; and the daily deal with its ranking.

A watcher is sent the whole lobby once, and then changes. What is the same for everybody is made once for all.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from plenilune.core.dice import Dice
from plenilune.core.errors import Refusal
from plenilune.game import Game, load
from plenilune.server.clock import now
from plenilune.server.protocol import DailyDeal, Lobby, LobbyChanges, Rank, TableRow
from plenilune.server.protocol.encoding import encode
from plenilune.server.storage.lobby import Deal, Listed
from plenilune.server.storage.rows import Person, SeatRow
from plenilune.server.storage.store import Store
from plenilune.server.tables import daily, decide
from plenilune.server.tables.audience import Watcher
from plenilune.server.tables.clocks import DAY
from plenilune.server.tables.registry import Tables
from plenilune.server.tables.server_secrets import ServerSecrets
from plenilune.server.tables.shown import seat_infos
from plenilune.server.tables.table import Table

MOST = 50  # tables in each list
RANKED = 100
BREATH = 1.0  # seconds between two broadcasts
FRESH = 1.0  # seconds for which the common part is cached, unless a public table changes in this process
PACE = 0.1  # seconds between two reads of the common part
AT_ONCE = 50  # watchers served before the event loop does other work
WAITS = DAY  # milliseconds for which an open table is listed
IDLES = DAY  # and a live one without activity


class Common(NamedTuple):
    """The part of the lobby that is the same for everybody."""

    open: list[Listed]
    live: list[Listed]
    seats: Mapping[str, tuple[SeatRow, ...]]
    rows: Mapping[str, TableRow]  # as seen by people who have no seat there
    people: frozenset[str]  # those with a seat, or a reserved seat, at one of them
    for_others: tuple[list[TableRow], list[TableRow]]  # the open and the live tables as all others see them


class Lobbies:
    """Sends changes to the watchers of the lobby, at most once a second."""

    def __init__(self, store: Store, tables: Tables, poll: float) -> None:
        self.store, self.tables = store, tables
        self._poll = poll if store.shared else None  # seconds between two polls for changes by other processes
        self.watchers: set[Watcher] = set()
        self._sent: dict[Watcher, Lobby] = {}
        self._dirty = asyncio.Event()
        self._stale: set[str] = set()  # people whose own tables may have changed
        self._changed: set[str] = set()  # tables that have changed: somebody may have left one
        self._polled_at = -math.inf  # when everybody's own tables were last read, by the monotonic clock
        self._shown: Common | None = None  # to everybody, until a public table changes,
        self._read_at = -FRESH  # or for FRESH seconds after this, by the monotonic clock
        self._changes = 0  # of public tables
        self._reading = asyncio.Lock()
        self._next: asyncio.Task[Common] | None = None  # the next read, which callers share
        tables.listeners.append(self._on_change)

    def _on_change(self, table: Table, here: bool) -> None:
        if table.row.public:
            self._shown = None
            self._changes += 1
        if self.watchers:
            seats = table.state.seats
            self._stale |= {person for seat in seats for person in (seat.person, seat.reserved) if person}
            self._changed.add(table.id)
            self._dirty.set()

    def enter(self, watcher: Watcher, lobby: Lobby) -> None:
        watcher.send(encode(lobby))
        self._sent[watcher] = lobby
        self.watchers.add(watcher)

    def exit(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)
        self._sent.pop(watcher, None)

    async def broadcast(self) -> None:
        """Send changes as long as the server runs; those by other processes are found by polling."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._dirty.wait(), self._poll)
            self._dirty.clear()
            if self._poll is not None and time.monotonic() >= self._polled_at + self._poll:
                self._polled_at = time.monotonic()
                self._stale |= {watcher.person.id for watcher in self.watchers if watcher.person}
            if self.watchers:
                await self._broadcast()
            await asyncio.sleep(BREATH)

    async def _broadcast(self) -> None:
        common = await self._common()
        stale, self._stale = self._stale | common.people, set()
        changed, self._changed = self._changed, set()
        alike, own = Alike(common), dict[str, Lobby]()
        for number, watcher in enumerate(list(self.watchers), 1):
            before = self._sent.get(watcher)
            if watcher.person and before and (watcher.person.id in stale or _sat(before, changed)):
                await self._send_changes(watcher, common, own)
            elif before:
                self._sent[watcher], said = alike.after(before)
                if said:
                    watcher.send(said)
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)

    async def _send_changes(self, watcher: Watcher, common: Common, own: dict[str, Lobby]) -> None:
        """Send one person's changes, made once however many pages they have open."""
        assert watcher.person
        if watcher.person.id not in own:
            own[watcher.person.id] = await self._for(watcher.person, common)
        after = own[watcher.person.id]
        if before := self._sent.get(watcher):  # they may have gone in the meantime
            self._sent[watcher] = after
            if changes := changed(before, after):
                watcher.send(encode(changes))

    async def lobby(self, person: Person | None) -> Lobby:
        return await self._for(person, await self._common())

    async def _for(self, person: Person | None, common: Common) -> Lobby:
        open, live = self._shared(person, common)
        return Lobby(open, live, await self._mine(person) if person else [], now())

    def _shared(self, person: Person | None, common: Common) -> tuple[list[TableRow], list[TableRow]]:
        if person is None or person.id not in common.people:
            return common.for_others

        def row(listed: Listed) -> TableRow:
            seats = common.seats[listed.id]
            sits = any(seat.person == person.id for seat in seats)
            return self._row(listed, seats, person) if sits else common.rows[listed.id]

        return [row(listed) for listed in common.open], [row(listed) for listed in common.live]

    async def _common(self) -> Common:
        """The common part: read after this call, or cached if no public table has changed since. Calls that wait for
        the same read share it."""
        if self._shown and time.monotonic() < self._read_at + FRESH:
            return self._shown
        if self._next is None:
            self._next = asyncio.create_task(self._read_next())
        return await asyncio.shield(self._next)

    async def _read_next(self) -> Common:
        async with self._reading:
            await asyncio.sleep(max(0.0, self._read_at + PACE - time.monotonic()))
            self._next, changes = None, self._changes
            self._read_at = time.monotonic()
            found = await self._make_common()
            self._shown = found if changes == self._changes else None
            return found

    async def _make_common(self) -> Common:
        at = now()
        open = await self.store.lobby.open(at - WAITS, MOST)
        live = await self.store.lobby.live(at - IDLES, MOST)
        seats = await self._seats([*open, *live])
        rows = {listed.id: self._row(listed, seats[listed.id], None) for listed in [*open, *live]}
        people = {person for each in seats.values() for seat in each for person in (seat.person, seat.reserved)}
        for_others = [rows[listed.id] for listed in open], [rows[listed.id] for listed in live]
        return Common(open, live, seats, rows, frozenset(filter(None, people)), for_others)

    async def _mine(self, person: Person) -> list[TableRow]:
        asked = await self.store.lobby.reserved_for(person.id, MOST)
        mine = [*asked, *await self.store.lobby.mine(person.id, MOST)]
        seats = await self._seats(mine)
        return [self._row(listed, seats[listed.id], person) for listed in mine]

    async def _seats(self, listed: Sequence[Listed]) -> Mapping[str, tuple[SeatRow, ...]]:
        return await self.store.seats_of({row.id for row in listed}) if listed else {}

    def _row(self, listed: Listed, seats: Sequence[SeatRow], person: Person | None) -> TableRow:
        table = self.tables.loaded.get(listed.id)
        here = table.audience.crowd().seats if table else frozenset[int]()
        return TableRow(
            id=listed.id,
            game=listed.game,
            options=listed.options,
            status=listed.status,
            seats=seat_infos(seats, decide.stand_in(listed, _weakest(listed.game)), now(), here),
            mine=[seat.seat for seat in seats if person and seat.person == person.id],
            clock=listed.clock,
            to_play=listed.to_play,
            ply=listed.ply,
            created=listed.created,
            changed=listed.changed,
            deadline=listed.deadline,
            daily=listed.daily,
            result=listed.result,
        )


def _sat(before: Lobby, changed: set[str]) -> bool:
    """Whether one of the changed tables was among the person's own."""
    return any(row.id in changed for row in before.mine)


class Alike:
    """Changes for people without a seat at a listed table: made once for all who were sent the same before."""

    def __init__(self, common: Common) -> None:
        self._open, self._live = common.for_others
        self._said: dict[tuple[int, int], tuple[Lobby, bytes]] = {}  # holds the lists, so that their ids stay unique

    def after(self, before: Lobby) -> tuple[Lobby, bytes]:
        """What they see now, and the message with the changes; empty if nothing has changed."""
        key = (id(before.open), id(before.live))
        if key not in self._said:
            changes = changed(replace(before, mine=[]), Lobby(self._open, self._live, [], 0))
            self._said[key] = before, encode(changes) if changes else b""
        return Lobby(self._open, self._live, before.mine, before.now), self._said[key][1]


@functools.cache  # loading a game searches the disk
def _weakest(game: str) -> str:
    try:
        return decide.weakest(load(game))
    except Refusal:
        return decide.weakest(None)


def changed(before: Lobby, after: Lobby) -> LobbyChanges | None:
    """The differences, or None."""
    known = {row.id: row for row in [*before.open, *before.live, *before.mine]}
    rows = {row.id: row for row in [*after.open, *after.live, *after.mine] if known.get(row.id) != row}
    open, live = _order(before.open, after.open), _order(before.live, after.live)
    mine = _order(before.mine, after.mine)
    if not rows and open is live is mine is None:
        return None
    return LobbyChanges(list(rows.values()), open, live, mine, now())


def _order(before: Sequence[TableRow], after: Sequence[TableRow]) -> list[str] | None:
    ids = [row.id for row in after]
    return None if ids == [row.id for row in before] else ids


# The daily deal


async def deal(store: Store, known: ServerSecrets, game: Game, day: str, person: Person | None) -> DailyDeal:
    daily.check(game, day, now())
    seed, lists = known.daily_seed(game, day), store.lobby
    mine = await lists.deal_of(person.id, game.name, day, daily.closes(day)) if person else None
    return DailyDeal(
        game=game.name,
        day=day,
        options=game.choices(1, {}),
        commitment=Dice(seed).commitment,
        seed=seed if daily.closes(day) <= now() else None,
        opens=daily.opens(day),
        ends=daily.ends(day),
        closes=daily.closes(day),
        match=mine.id if mine else None,
        score=mine.score if mine else None,
        unranked=mine.unranked if mine else None,
        ranking=await _ranking(store, game, day, person, mine),
        finished=await lists.ranked(game.name, day, daily.closes(day)),
    )


async def _ranking(store: Store, game: Game, day: str, person: Person | None, mine: Deal | None) -> list[Rank]:
    closes, found = daily.closes(day), list[Rank]()
    for number, ranked in enumerate(await store.lobby.ranking(game.name, day, closes, RANKED), 1):
        rank = found[-1].rank if found and found[-1].score == ranked.score else number
        found.append(Rank(rank, ranked.name, ranked.score, bool(person and ranked.person == person.id)))
    counts = mine and mine.score is not None and mine.changed < closes and not mine.unranked
    if person and mine and counts and not any(rank.mine for rank in found):
        assert mine.score is not None
        above = await store.lobby.ranked(game.name, day, closes, mine.score)
        found.append(Rank(1 + above, person.name, mine.score, True))
    return found
