"""Queries for operators: keys, bans, reports, and the audit log.

Every change by an operator is written in one transaction with its entry in the audit log.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa
from msgspec.structs import asdict

from plenilune.server.clock import now
from plenilune.server.protocol import AuditedAction, AuditEntry, Ban, ChatLine, OperatorTable, Player, ReportedLine
from plenilune.server.storage import quotas
from plenilune.server.storage.quotas import Quota
from plenilune.server.storage.rows import Row, Status, new_id
from plenilune.server.storage.schema import audit, bans, chat, facts, matches, operators, people, reports, seats

if TYPE_CHECKING:
    from plenilune.server.storage.database import Connection, Database

MOST = 100  # rows of an answer
ADDED = audit.insert()


class Operator(NamedTuple):
    name: str
    created: int


def entry(operator: str, action: AuditedAction, target: str, note: str = "") -> AuditEntry:
    """An entry for the audit log."""
    return AuditEntry(new_id(), now(), operator, action, target, note)


class ModerationQueries:
    def __init__(self, database: Database) -> None:
        self._database = database

    # Operators

    async def operator(self, digest: str) -> str | None:
        """The name of the operator with this key, if any."""
        row = await self._database.one(sa.select(operators.c.name).where(operators.c.digest == digest))
        return row["name"] if row else None

    async def operators(self) -> list[Operator]:
        rows = await self._database.all(sa.select(operators).order_by(operators.c.created))
        return [Operator(row["name"], row["created"]) for row in rows]

    async def add_operator(self, name: str, digest: str, noted: AuditEntry, replace: bool = False) -> bool:
        """Add an operator; returns False if the name is taken, unless its key is to be replaced."""

        async def work(connection: Connection) -> bool:
            if replace:
                await connection.execute(operators.delete().where(operators.c.name == name))
            elif (await connection.execute(sa.select(operators).where(operators.c.name == name))).first():
                return False
            await connection.execute(operators.insert().values(digest=digest, name=name, created=noted.at))
            await connection.execute(ADDED, asdict(noted))
            return True

        return bool(await self._database.run(work))

    async def remove_operator(self, name: str, noted: AuditEntry) -> bool:
        """Whether there was one."""
        statement = operators.delete().where(operators.c.name == name)
        return await self._noted(statement, noted)

    # Bans

    async def bans_version(self) -> str:
        """A value that changes with every change of the bans."""
        return await self._database.fact("bans", new_id)

    async def bans(self, at: int) -> list[Ban]:
        """The bans in force, the newest first."""
        joined = bans.outerjoin(people, people.c.id == bans.c.person)
        query = sa.select(bans, people.c.name).select_from(joined).where(_in_force(at))
        return [_ban(row) for row in await self._database.all(query.order_by(bans.c.at.desc()))]

    async def ban(self, ban: Ban, noted: AuditEntry) -> None:
        """Ban a person or network, which replaces an earlier ban of the same one; expired bans are deleted."""

        async def work(connection: Connection) -> None:
            same = bans.c.person == ban.person if ban.person else bans.c.network == ban.network
            await connection.execute(bans.delete().where(same | (bans.c.until <= ban.at)))
            values = {name: value for name, value in asdict(ban).items() if name != "name"}
            await connection.execute(bans.insert().values(**values))
            await _bans_changed(connection)
            await connection.execute(ADDED, asdict(noted))

        await self._database.run(work)

    async def lift_ban(self, id: str, noted: AuditEntry) -> bool:
        """Whether there was one."""

        async def work(connection: Connection) -> bool:
            if not (await connection.execute(bans.delete().where(bans.c.id == id))).rowcount:
                return False
            await _bans_changed(connection)
            await connection.execute(ADDED, asdict(noted))
            return True

        return bool(await self._database.run(work))

    async def unfinished_of(self, person: str) -> list[str]:
        """Unfinished matches in which the person has a seat."""
        joined = seats.join(matches, matches.c.id == seats.c.match)
        where = (seats.c.person == person) & (matches.c.status != "over")
        rows = await self._database.all(sa.select(matches.c.id).select_from(joined).where(where).distinct())
        return [row["id"] for row in rows]

    async def name_of(self, person: str) -> str | None:
        """The person's name; None if there is no such person."""
        row = await self._database.one(sa.select(people.c.name).where(people.c.id == person))
        return row["name"] if row else None

    # Reports

    async def add_report(self, report: ReportedLine, most: int, near: int) -> None:
        """Store a report; refused if its author has too many open ones, or all who came from the same network as they.
        Raises `Taken` if it repeats an earlier one."""
        limits = [_open_reports(report.person, most), _open_reports_near(report.person, near)]

        async def work(connection: Connection) -> None:
            await quotas.check(connection, self._database.shared, limits)
            await connection.execute(reports.insert().values(**_report_columns(report)))

        await self._database.run(work)

    async def reports(self, closed: bool, before: int | None) -> list[ReportedLine]:
        """Reports, the newest first; closed ones only on request."""
        query = sa.select(reports).order_by(reports.c.at.desc(), reports.c.id).limit(MOST)
        query = query if closed else query.where(reports.c.closed.is_(None))
        query = query if before is None else query.where(reports.c.at < before)
        return [_report(row) for row in await self._database.all(query)]

    async def report(self, id: str) -> ReportedLine | None:
        row = await self._database.one(sa.select(reports).where(reports.c.id == id))
        return _report(row) if row else None

    async def close_report(self, id: str, noted: AuditEntry) -> bool:
        """Whether it was open."""
        where = (reports.c.id == id) & reports.c.closed.is_(None)
        return await self._noted(reports.update().where(where).values(closed=noted.at), noted)

    # Tables

    async def tables(self, search: str, status: Status | None, before: int | None) -> list[OperatorTable]:
        """Tables, the latest change first; `search` is the id of a match or a person, or part of a player's name."""
        query = sa.select(matches).order_by(matches.c.changed.desc(), matches.c.id).limit(MOST)
        query = query.where(_found(search)) if search else query
        query = query.where(matches.c.status == status) if status else query
        query = query.where(matches.c.changed < before) if before is not None else query
        rows = await self._database.all(query.with_only_columns(*TABLE_COLUMNS))
        players = await self._players([row["id"] for row in rows])
        return [OperatorTable(players=players.get(row["id"], []), **row) for row in rows]

    async def _players(self, ids: list[str]) -> Mapping[str, list[Player]]:
        query = sa.select(seats.c.match, seats.c.name, seats.c.person).where(seats.c.match.in_(ids))
        rows = await self._database.all(query.order_by(seats.c.match, seats.c.seat))
        groups = groupby(rows, key=lambda row: row["match"])
        return {match: [Player(row["name"], row["person"]) for row in group] for match, group in groups}

    async def chat(self, match: str, noted: AuditEntry) -> list[ChatLine]:
        """All stored lines, with the text of deleted ones."""
        await self._database.execute(ADDED.values(**asdict(noted)))
        rows = await self._database.all(sa.select(chat).where(chat.c.match == match).order_by(chat.c.number))
        return [ChatLine(**{name: row[name] for name in ChatLine.__struct_fields__}) for row in rows]

    # The audit log

    async def audit(self, before: int | None) -> list[AuditEntry]:
        """Entries of the audit log, the newest first."""
        query = sa.select(audit).order_by(audit.c.at.desc(), audit.c.id).limit(MOST)
        query = query if before is None else query.where(audit.c.at < before)
        return [AuditEntry(**row) for row in await self._database.all(query)]

    async def _noted(self, statement: Any, noted: AuditEntry) -> bool:
        """Whether the statement changed something; only then is it logged."""

        async def work(connection: Connection) -> bool:
            if not (await connection.execute(statement)).rowcount:
                return False
            await connection.execute(ADDED, asdict(noted))
            return True

        return bool(await self._database.run(work))


TABLE_COLUMNS = [matches.c[name] for name in OperatorTable.__struct_fields__ if name != "players"]


def _in_force(at: int) -> Any:
    return bans.c.until.is_(None) | (bans.c.until > at)


async def _bans_changed(connection: Connection) -> None:
    """Change `bans_version`, which processes poll because they hold the bans in memory."""
    await connection.execute(facts.update().where(facts.c.name == "bans").values(value=new_id()))


def _found(search: str) -> Any:
    sits = sa.select(seats.c.match).where((seats.c.person == search) | seats.c.name.icontains(search, autoescape=True))
    return (matches.c.id == search) | (matches.c.host == search) | matches.c.id.in_(sits)


def _ban(row: Row) -> Ban:
    return Ban(**{**row, "name": row["name"] or ""})


def _report_columns(report: ReportedLine) -> dict[str, Any]:
    columns = asdict(report)
    columns["number"] = columns.pop("line")
    return columns


def _open_reports(person: str, most: int) -> Quota:
    where = (reports.c.person == person) & reports.c.closed.is_(None)
    refusal = f"{most} reports of yours wait for an operator: that is enough for now"
    return Quota(f"reports of {person}", reports, where, most, "too_many_reports", refusal)


def _open_reports_near(person: str, most: int) -> Quota:
    """Reports stay until an operator closes them, and one more guest costs nothing. What counts is where people first
    came from, since anybody may report from anywhere; nobody knows that of guests of 0.1."""
    them = people.alias()
    network = sa.select(them.c.network).where((them.c.id == person) & (them.c.network != "")).scalar_subquery()
    joined = reports.join(people, people.c.id == reports.c.person)
    where = reports.c.closed.is_(None) & (people.c.network == network)
    refusal = f"{most} reports from your address wait for an operator: that is enough for now"
    return Quota("reports", joined, where, most, "too_many", refusal)


def _report(row: Row) -> ReportedLine:
    columns = dict(row)
    return ReportedLine(line=columns.pop("number"), **columns)
