"""Queries for matches. The database is the truth; what a process holds in memory is a cache.

A change names the version of the match's row that it was made from, and is refused if another process was faster
(optimistic locking).
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import sqlalchemy as sa
from msgspec.structs import asdict
from sqlalchemy.ext.asyncio import AsyncConnection

from plenilune.server.protocol import ChatLine
from plenilune.server.storage import quotas
from plenilune.server.storage.database import CHANNEL, NOTIFY, Connection, Database, within
from plenilune.server.storage.failures import Overtaken, Taken
from plenilune.server.storage.lobby import LobbyQueries
from plenilune.server.storage.moderation import ADDED, ModerationQueries
from plenilune.server.storage.people import PeopleQueries
from plenilune.server.storage.quotas import Quota
from plenilune.server.storage.rows import MATCH_FIELDS as FIELDS
from plenilune.server.storage.rows import (
    SEATED,
    Change,
    Entry,
    MatchRow,
    SeatRow,
    Unranked,
    changed_columns,
    entry_columns,
    line_columns,
    match_columns,
    read_entry,
    read_line,
    read_match,
    read_seat,
    seat_columns,
)
from plenilune.server.storage.schema import actions, chat, facts, matches, reviews, seats

CHAT_KEPT = 200  # lines per table; older ones are deleted


class Commit(NamedTuple):
    """A change that is completed inside the transaction that writes it: only there may chance be resolved."""

    match: str
    version: int  # of the row that it is made from
    finish: Callable[[], Change]
    limits: Sequence[Quota] = ()  # each of which it adds one to


class Beat(NamedTuple):
    """A test write, which proves that the writers work."""

    at: int


class Due(NamedTuple):
    id: str
    deadline: int


class Presence(NamedTuple):
    """Until when a seat's person counts as connected to some process."""

    match: str
    seat: int
    until: int


class Store(Database):
    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.people = PeopleQueries(self)
        self.lobby = LobbyQueries(self)
        self.moderation = ModerationQueries(self)

    # Changing a match

    async def commit(
        self, match: str, version: int, finish: Callable[[], Change], limits: Sequence[Quota] = ()
    ) -> Change:
        """Write a change, and return it; raises `Overtaken` if the row's version has changed."""
        change: Change = await self.write_together(Commit(match, version, finish, limits))
        return change

    async def _write_batch(self, works: list[Any], held: AsyncConnection | None, until: float) -> list[Any]:
        async with self.writing(held, until) as connection:
            commits = [work for work in works if isinstance(work, Commit)]
            done = await self._finish(connection, commits)
            good = [change for change in done if isinstance(change, Change)]
            for statement, rows in _statements(good):
                await connection.execute(statement, rows)
            # After these, so that quotas count what the changes have added.
            finished = iter(done)
            results = [await self._do(connection, work, finished) for work in works]
            if self.shared and good:
                await connection.execute(NOTIFY, [_payload(change.after.id, change.after.ply) for change in good])
            for beat in (result for result in results if isinstance(result, Beat)):
                await connection.execute(BEAT, {"value": str(beat.at)})
        self.tally("changes", len(good))
        self.tally("actions", sum(len(change.entries) for change in good))
        return results

    async def _do(self, connection: Connection, work: Any, finished: Iterator[Change | Exception]) -> Any:
        if isinstance(work, Commit):
            return next(finished)
        return work if isinstance(work, Beat) else await within(connection, work)

    async def _finish(self, connection: Connection, commits: Sequence[Commit]) -> list[Change | Exception]:
        """Lock what they change, and complete those that are based on the current version and exceed no quota."""
        await quotas.lock(connection, self.shared, [quota for commit in commits for quota in commit.limits])
        versions, added = await self._lock(connection, [commit.match for commit in commits]), Counter[tuple[str, str]]()
        return [await _finish(connection, commit, versions, added) for commit in commits]

    async def _lock(self, connection: Connection, ids: list[str]) -> dict[str, int]:
        """Lock the rows until the end of the transaction; returns their versions."""
        return {row.id: row.version for row in await connection.execute(VERSIONS, {"ids": ids})} if ids else {}

    async def insert(
        self,
        row: MatchRow,
        seed: str,
        ticket: str | None,
        rows: Sequence[SeatRow],
        finish: Callable[[], Change] | None,
        limits: Sequence[Quota] = (),
        ranked: Quota | None = None,
    ) -> Unranked | None:
        """Write a new match; one that begins at once does so in the same transaction. Raises `Taken` if its ticket, its
        daily deal or the match it follows is. Where `ranked` is used up, a daily deal is written as one that does not
        count. Returns why it does not, if so."""

        async def work(connection: Connection) -> Unranked | None:
            await quotas.lock(connection, self.shared, [*limits, ranked] if ranked else limits)
            await quotas.check(connection, self.shared, limits)
            crowded = ranked and await quotas.count(connection, ranked) >= ranked.most
            unranked: Unranked | None = row.unranked or ("same_address" if crowded else None)
            columns = match_columns(row, FIELDS) | {"seed": seed, "ticket": ticket, "unranked": unranked}
            await connection.execute(matches.insert(), columns)
            await connection.execute(seats.insert(), [seat_columns(seat) for seat in rows])
            for statement, found in _statements([finish()]) if finish else []:
                await connection.execute(statement, found)
            return unranked

        written: Unranked | None = await self.run(work)
        return written

    # Reading a match

    async def match(self, id: str) -> MatchRow | None:
        row = await self.one(sa.select(matches).where(matches.c.id == id))
        return read_match(row) if row else None

    async def seed(self, id: str) -> str:
        """The seed of the match's dice."""
        row = await self.one(sa.select(matches.c.seed).where(matches.c.id == id))
        assert row
        return str(row["seed"])

    async def seats_of(self, ids: Iterable[str]) -> dict[str, tuple[SeatRow, ...]]:
        rows = await self.all(SEATS, ids=list(ids))
        return {match: tuple(map(read_seat, group)) for match, group in groupby(rows, key=lambda row: row["match"])}

    async def entries_of(self, id: str, first: int = 0) -> list[Entry]:
        where = (actions.c.match == id) & (actions.c.ply >= first)
        return [read_entry(row) for row in await self.all(sa.select(actions).where(where).order_by(actions.c.ply))]

    async def chat_of(self, id: str) -> list[ChatLine]:
        found = await self.all(sa.select(chat).where(chat.c.match == id).order_by(chat.c.number))
        return [read_line(row) for row in found[-CHAT_KEPT:]]

    async def begun(self) -> list[str]:
        """All matches that have begun, oldest first."""
        where = matches.c.state.is_not(None)
        return [row["id"] for row in await self.all(sa.select(matches.c.id).where(where).order_by(matches.c.created))]

    async def finished(self, game: str, until: int, these: range | None = None) -> list[str]:
        """The game's matches that were over at that time, in the order of their ids; all, or these of the list."""
        where = (matches.c.game == game) & (matches.c.status == "over") & (matches.c.changed <= until)
        query = sa.select(matches.c.id).where(where).order_by(matches.c.id)
        if these is not None:
            query = query.offset(these.start).limit(len(these))
        return [row["id"] for row in await self.all(query)]

    async def versions(self, ids: Sequence[str]) -> Mapping[str, int]:
        rows = await self.all(sa.select(matches.c.id, matches.c.version).where(matches.c.id.in_(ids)))
        return {row["id"]: row["version"] for row in rows}

    async def rematch_of(self, id: str) -> str | None:
        row = await self.one(sa.select(matches.c.id).where(matches.c.follows == id))
        return row["id"] if row else None

    # Deadlines and bots

    async def due(self, at: int, after: Due, limit: int) -> list[Due]:
        """Matches whose deadline has passed, in order of deadline, from `after` on."""
        found = await self.all(DUE, at=at, deadline=after.deadline, id=after.id, limit=limit)
        return [Due(row["id"], row["deadline"]) for row in found]

    async def unclaimed(self, at: int, after: str, limit: int) -> list[str]:
        """Matches in which it is a bot's turn and no process has a lease on it, from one id on."""
        return [row["id"] for row in await self.all(UNCLAIMED, at=at, after=after, limit=limit)]

    async def claim(self, id: str, at: int, until: int) -> bool:
        """Take the lease on a bot's turn; returns whether it was free."""
        where = (matches.c.id == id) & _unclaimed(at)
        return bool(await self.execute(matches.update().where(where).values(claimed=until)))

    async def renew(self, ids: Sequence[str], until: int) -> None:
        where = matches.c.id.in_(ids) & matches.c.bot_turn
        await self.execute(matches.update().where(where).values(claimed=until))

    async def release_all(self) -> None:
        """Release all leases, when this is the only process."""
        await self.execute(matches.update().where(matches.c.bot_turn).values(claimed=0))

    async def beat(self, at: int) -> None:
        """Make a test write, which records the time."""
        await self.write_together(Beat(at))

    async def last_beat(self) -> int:
        return int(await self.fact("beat", lambda: "0"))

    # Presence, across processes

    async def set_present(self, found: Sequence[Presence]) -> None:
        if found:
            await self.execute(SEATED_AT, [_present(presence) for presence in found])

    async def tell_presence(self, id: str, ply: int, found: Sequence[Presence]) -> None:
        async def work(connection: Connection) -> None:
            if found:
                await connection.execute(SEATED_AT, [_present(presence) for presence in found])
            await connection.execute(NOTIFY, _payload(id, ply))

        await self.run(work)

    # Reviews

    async def review(self, id: str) -> str | None:
        row = await self.one(sa.select(reviews.c.remarks).where(reviews.c.match == id))
        return row["remarks"] if row else None

    async def add_review(self, id: str, remarks: str) -> None:
        """Store a review, unless there is one."""
        with contextlib.suppress(Taken):
            await self.execute(reviews.insert().values(match=id, remarks=remarks))


async def _finish(
    connection: Connection, commit: Commit, versions: dict[str, int], added: Counter[tuple[str, str]]
) -> Change | Exception:
    """Of several commits to one match in a batch, only the first is based on the current version. `added`: what the
    batch's earlier commits add to quotas, which cannot be counted in the database yet."""
    if versions.get(commit.match) != commit.version:
        return Overtaken(commit.match)
    for quota in commit.limits:
        if await quotas.count(connection, quota) + added[quota.key] >= quota.most:
            return quotas.used_up(quota)
    del versions[commit.match]
    try:
        change = commit.finish()
    except Exception as error:  # must not fail the others of the batch
        return error
    added.update(quota.key for quota in commit.limits if quota.adds)
    return change


def _unclaimed(at: Any) -> Any:
    """The condition for a bot's turn without a lease."""
    return (matches.c.status == "playing") & matches.c.bot_turn & (matches.c.claimed < at)


def _payload(id: str, ply: int) -> dict[str, str]:
    return {"channel": CHANNEL, "payload": f"{id} {ply}"}


# Frequent statements are built once: building one takes longer than executing it.
SEATS = (
    sa.select(seats).where(seats.c.match.in_(sa.bindparam("ids", expanding=True))).order_by(seats.c.match, seats.c.seat)
)
VERSIONS = (
    sa.select(matches.c.id, matches.c.version)
    .where(matches.c.id.in_(sa.bindparam("ids", expanding=True)))
    .order_by(matches.c.id)
    .with_for_update()
)
_DEADLINE = sa.bindparam("deadline", type_=matches.c.deadline.type)
DUE = (
    sa.select(matches.c.id, matches.c.deadline)
    .where((matches.c.status == "playing") & (matches.c.deadline <= sa.bindparam("at")))
    .where(sa.tuple_(matches.c.deadline, matches.c.id) > sa.tuple_(_DEADLINE, sa.bindparam("id")))
    .order_by(matches.c.deadline, matches.c.id)
    .limit(sa.bindparam("limit"))
)
UNCLAIMED = (
    sa.select(matches.c.id)
    .where(_unclaimed(sa.bindparam("at")) & (matches.c.id > sa.bindparam("after")))
    .order_by(matches.c.id)
    .limit(sa.bindparam("limit"))
)
CHANGED = matches.update().where(matches.c.id == sa.bindparam("of")).values(version=matches.c.version + 1)
SEATED_AT = seats.update().where((seats.c.match == sa.bindparam("of")) & (seats.c.seat == sa.bindparam("at_seat")))
ACTED, SAID = actions.insert(), chat.insert()
BEAT = facts.update().where(facts.c.name == "beat")
DELETED = chat.update().where((chat.c.match == sa.bindparam("of")) & (chat.c.number == sa.bindparam("line")))
FORGOTTEN = chat.delete().where((chat.c.match == sa.bindparam("of")) & (chat.c.number <= sa.bindparam("up_to")))


def _statements(changes: Sequence[Change]) -> list[tuple[Any, list[dict[str, Any]]]]:
    found: list[tuple[Any, list[dict[str, Any]]]] = []
    if rows := [entry_columns(change.after.id, entry) for change in changes for entry in change.entries]:
        found.append((ACTED, rows))
    found += _match_statements(changes)
    if rows := [_seat(seat) for change in changes for seat in change.seats]:
        found.append((SEATED_AT, rows))
    if lines := [(change.after.id, line) for change in changes for line in change.chat]:
        found.append((SAID, [line_columns(*line) for line in lines]))
        old = [{"of": id, "up_to": line.number - CHAT_KEPT} for id, line in lines if line.number > CHAT_KEPT]
        found += [(FORGOTTEN, old)] if old else []
    return found + _moderation_statements(changes)


def _moderation_statements(changes: Sequence[Change]) -> list[tuple[Any, list[dict[str, Any]]]]:
    found: list[tuple[Any, list[dict[str, Any]]]] = []
    if rows := [{"of": c.after.id, "line": line.number, "deleted": True} for c in changes for line in c.deleted]:
        found.append((DELETED, rows))
    if rows := [asdict(noted) for change in changes for noted in change.audit]:
        found.append((ADDED, rows))
    return found


def _match_statements(changes: Sequence[Change]) -> list[tuple[Any, list[dict[str, Any]]]]:
    """One statement for all changes that write the same columns."""
    columns = [(change, changed_columns(change.before, change.after, bool(change.entries))) for change in changes]
    by_names = sorted(columns, key=lambda pair: sorted(pair[1]))
    groups = groupby(by_names, key=lambda pair: sorted(pair[1]))
    return [(CHANGED, [{"of": change.after.id, **row} for change, row in group]) for _, group in groups]


def _present(presence: Presence) -> dict[str, Any]:
    return {"of": presence.match, "at_seat": presence.seat, "present": presence.until}


def _seat(seat: SeatRow) -> dict[str, Any]:
    return {"of": seat.match, "at_seat": seat.seat, **{name: getattr(seat, name) for name in SEATED}}
