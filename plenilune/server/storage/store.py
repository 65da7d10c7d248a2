"""Every query about matches, by name. The database is the truth: what a process holds in memory is a cache.

A change of a match says which version of its row it was made from, and is refused when another process was faster.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import sqlalchemy as sa
from msgspec.structs import asdict
from sqlalchemy.ext.asyncio import AsyncConnection

from plenilune.server.protocol import AuditEntry, ChatLine
from plenilune.server.storage.database import CHANNEL, NOTIFY, Connection, Database, within
from plenilune.server.storage.failures import Overtaken, Taken
from plenilune.server.storage.lobby import LobbyQueries
from plenilune.server.storage.moderation import ADDED, ModerationQueries
from plenilune.server.storage.people import PeopleQueries
from plenilune.server.storage.rows import MATCH_FIELDS as FIELDS
from plenilune.server.storage.rows import (
    SEATED,
    Entry,
    MatchRow,
    Row,
    SeatRow,
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

CHAT_KEPT = 200  # lines of a table; older ones are deleted


class Change(NamedTuple):
    """What is to be written about one match, all of it or nothing."""

    before: MatchRow
    after: MatchRow
    entries: tuple[Entry, ...] = ()
    seats: tuple[SeatRow, ...] = ()  # those that changed
    chat: tuple[ChatLine, ...] = ()
    deleted: tuple[ChatLine, ...] = ()  # lines that are marked as deleted
    audit: tuple[AuditEntry, ...] = ()


class Commit(NamedTuple):
    """A change that is finished inside the transaction that writes it: only there may chance be resolved."""

    match: str
    version: int  # of the row it is made from
    finish: Callable[[], Change]


class Beat(NamedTuple):
    """Proof that the writers can write."""

    at: int


class Due(NamedTuple):
    id: str
    deadline: int


class Store(Database):
    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.people = PeopleQueries(self)
        self.lobby = LobbyQueries(self)
        self.moderation = ModerationQueries(self)

    # Changing a match

    async def commit(self, match: str, version: int, finish: Callable[[], Change]) -> Change:
        """Returns the change once it is written; raises `Overtaken` if the row has another version by now."""
        change: Change = await self.write_together(Commit(match, version, finish))
        return change

    async def _write_batch(self, works: list[Any], held: AsyncConnection | None, until: float) -> list[Any]:
        async with self.writing(held, until) as connection:
            versions = await self._lock(connection, [work.match for work in works if isinstance(work, Commit)])
            results = [await within(connection, work) if callable(work) else _finish(work, versions) for work in works]
            pairs = zip(works, results, strict=True)
            good = [change for work, change in pairs if isinstance(work, Commit) and isinstance(change, Change)]
            for statement, rows in _statements(good):
                await connection.execute(statement, rows)
            if self.shared and good:
                await connection.execute(NOTIFY, [_payload(change.after.id, change.after.ply) for change in good])
            for beat in (result for result in results if isinstance(result, Beat)):
                await connection.execute(BEAT, {"value": str(beat.at)})
        self.tally("changes", len(good))
        self.tally("actions", sum(len(change.entries) for change in good))
        return results

    async def _lock(self, connection: Connection, ids: list[str]) -> dict[str, int]:
        """The rows' versions, which stay what they are until the end of the transaction."""
        return {row.id: row.version for row in await connection.execute(VERSIONS, {"ids": ids})} if ids else {}

    async def insert(
        self, row: MatchRow, seed: str, ticket: str | None, rows: Sequence[SeatRow], finish: Callable[[], Change] | None
    ) -> Change:
        """Write a new match; one that begins at once does so in the same transaction. Raises `Taken` if its ticket, its
        daily deal or the match it follows is."""

        async def work(connection: Connection) -> Change:
            columns = match_columns(row, FIELDS) | {"seed": seed, "ticket": ticket}
            await connection.execute(matches.insert(), columns)
            await connection.execute(seats.insert(), [seat_columns(seat) for seat in rows])
            change = finish() if finish else Change(row, row)
            for statement, found in _statements([change]) if finish else []:
                await connection.execute(statement, found)
            return change

        change: Change = await self.run(work)
        return change

    # Reading a match

    async def match(self, id: str) -> MatchRow | None:
        row = await self.one(sa.select(matches).where(matches.c.id == id))
        return read_match(row) if row else None

    async def seed(self, id: str) -> str:
        """The secret of the match's dice."""
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
        """Every match that was begun, oldest first."""
        where = matches.c.state.is_not(None)
        return [row["id"] for row in await self.all(sa.select(matches.c.id).where(where).order_by(matches.c.created))]

    async def versions(self, ids: Sequence[str]) -> Mapping[str, int]:
        rows = await self.all(sa.select(matches.c.id, matches.c.version).where(matches.c.id.in_(ids)))
        return {row["id"]: row["version"] for row in rows}

    async def rematch_of(self, id: str) -> str | None:
        row = await self.one(sa.select(matches.c.id).where(matches.c.follows == id))
        return row["id"] if row else None

    async def unfinished(self, person: str) -> int:
        """How many tables of one host are not over."""
        where = (matches.c.host == person) & (matches.c.status != "over")
        return await self.count(where)

    async def waiting_public(self, network: str) -> int:
        """How many public tables from one network wait for players."""
        return await self.count((matches.c.network == network) & (matches.c.status == "waiting") & matches.c.public)

    async def count(self, where: Any) -> int:
        row = await self.one(sa.select(sa.func.count().label("n")).select_from(matches).where(where))
        return int(row["n"]) if row else 0

    # Deadlines and bots

    async def due(self, at: int, after: Due, limit: int) -> list[Due]:
        """Matches whose seat to play is out of time, in order of their deadlines, from `after` on."""
        later = (matches.c.deadline > after.deadline) | (
            (matches.c.deadline == after.deadline) & (matches.c.id > after.id)
        )
        where = (matches.c.status == "playing") & (matches.c.deadline <= at) & later
        query = sa.select(matches.c.id, matches.c.deadline).where(where).order_by(matches.c.deadline, matches.c.id)
        return [Due(row["id"], row["deadline"]) for row in await self.all(query.limit(limit))]

    async def unclaimed(self, at: int, after: str, limit: int) -> list[str]:
        """Matches in which a bot is to play and no process thinks for it, from one id on."""
        query = sa.select(matches.c.id).where(_unclaimed(at) & (matches.c.id > after)).order_by(matches.c.id)
        return [row["id"] for row in await self.all(query.limit(limit))]

    async def claim(self, id: str, at: int, until: int) -> bool:
        """Whether it was still free."""
        where = (matches.c.id == id) & _unclaimed(at)
        return bool(await self.execute(matches.update().where(where).values(claimed=until)))

    async def renew(self, ids: Sequence[str], until: int) -> None:
        where = matches.c.id.in_(ids) & matches.c.bot_turn
        await self.execute(matches.update().where(where).values(claimed=until))

    async def release_all(self) -> None:
        """Nobody else is there: whatever was claimed is free."""
        await self.execute(matches.update().where(matches.c.bot_turn).values(claimed=0))

    async def beat(self, at: int) -> None:
        """Proof that the writers can write; remembers how late it is."""
        await self.write_together(Beat(at))

    async def last_beat(self) -> int:
        return int(await self.fact("beat", lambda: "0"))

    # Presence, across processes

    async def set_present(self, rows: Sequence[Row]) -> None:
        """`rows` have `of`, `at_seat` and `present`."""
        if rows:
            await self.execute(SEATED_AT, rows)

    async def tell_presence(self, id: str, ply: int, rows: Sequence[Row]) -> None:
        async def work(connection: Connection) -> None:
            if rows:
                await connection.execute(SEATED_AT, rows)
            await connection.execute(NOTIFY, _payload(id, ply))

        await self.run(work)

    # Reviews

    async def review(self, id: str) -> str | None:
        row = await self.one(sa.select(reviews.c.remarks).where(reviews.c.match == id))
        return row["remarks"] if row else None

    async def add_review(self, id: str, remarks: str) -> None:
        """The first one is kept."""
        with contextlib.suppress(Taken):
            await self.execute(reviews.insert().values(match=id, remarks=remarks))


def _finish(work: Commit | Beat, versions: dict[str, int]) -> Change | Beat | Exception:
    """Of several commits to one match only the first is based on what is there."""
    if isinstance(work, Beat):
        return work
    if versions.pop(work.match, None) != work.version:
        return Overtaken(work.match)
    try:
        return work.finish()
    except Exception as error:  # its own fault, and nobody else's
        return error


def _unclaimed(at: int) -> Any:
    return (matches.c.status == "playing") & matches.c.bot_turn & (matches.c.claimed < at)


def _payload(id: str, ply: int) -> dict[str, str]:
    return {"channel": CHANNEL, "payload": f"{id} {ply}"}


# Statements that come with every change are made once: to make one takes longer than to have it carried out.
SEATS = (
    sa.select(seats).where(seats.c.match.in_(sa.bindparam("ids", expanding=True))).order_by(seats.c.match, seats.c.seat)
)
VERSIONS = (
    sa.select(matches.c.id, matches.c.version)
    .where(matches.c.id.in_(sa.bindparam("ids", expanding=True)))
    .order_by(matches.c.id)
    .with_for_update()
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
    """One for all changes that write the same columns."""
    columns = [(change, changed_columns(change.before, change.after, bool(change.entries))) for change in changes]
    by_names = sorted(columns, key=lambda pair: sorted(pair[1]))
    groups = groupby(by_names, key=lambda pair: sorted(pair[1]))
    return [(CHANGED, [{"of": change.after.id, **row} for change, row in group]) for _, group in groups]


def _seat(seat: SeatRow) -> dict[str, Any]:
    return {"of": seat.match, "at_seat": seat.seat, **{name: getattr(seat, name) for name in SEATED}}
