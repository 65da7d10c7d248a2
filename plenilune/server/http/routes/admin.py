"""The operators' endpoints: who is online, tables, chat, bans, reports, and the audit log."""

from __future__ import annotations

from typing import cast

from plenilune.server import protocol
from plenilune.server.clock import now
from plenilune.server.http.bans import new_ban
from plenilune.server.http.call import Call, Handlers
from plenilune.server.protocol import ADMIN, AuditedAction, AuditEntry
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.moderation import entry
from plenilune.server.storage.names import tidy
from plenilune.server.storage.rows import Person, Status

STATUSES = ("waiting", "playing", "over")


def _noted(call: Call, action: AuditedAction, target: str, note: str | None = None) -> AuditEntry:
    """An entry for the audit log, with the note in the request."""
    note = call.body.note if note is None else note
    return entry(call.operator, action, target, tidy(note))


def _query(call: Call, name: str) -> str:
    return call.request.query_params.get(name, "")


def _moment(call: Call, name: str) -> int | None:
    """A point in time, in milliseconds."""
    word = _query(call, name)
    if not word:
        return None
    if not (word.isascii() and word.isdigit() and len(word) < 16):
        raise Denied("bad_request", f"{name} is a time in milliseconds, not {word[:40]!r}")
    return int(word)


# People


async def online(call: Call) -> protocol.Online:
    return await call.server.roster.online()


async def bans(call: Call) -> protocol.Bans:
    return protocol.Bans(await call.server.store.moderation.bans(now()))


async def ban(call: Call) -> protocol.Ban:
    """Ban a person or a network. A banned person is disconnected at once and leaves their tables."""
    asked: protocol.NewBan = call.body
    moderation = call.server.store.moderation
    made = new_ban(asked, await moderation.name_of(asked.person) if asked.person else None, now())
    await moderation.ban(made, _noted(call, "ban", made.person or made.network or "", made.reason))
    await call.server.bans.refresh()
    if made.person:
        await call.server.leave_tables(Person(made.person, made.name))
    return made


async def lift_ban(call: Call) -> protocol.Ban:
    moderation, id = call.server.store.moderation, call.request.path_params["ban"]
    found = next((ban for ban in await moderation.bans(now()) if ban.id == id), None)
    if found is None or not await moderation.lift_ban(
        id, _noted(call, "lift_ban", found.person or found.network or "")
    ):
        raise Denied("not_found", f"there is no ban {id[:40]!r}")
    await call.server.bans.refresh()
    return found


# Tables


async def tables(call: Call) -> protocol.OperatorTables:
    status = _query(call, "status")
    if status and status not in STATUSES:
        raise Denied("bad_request", f"a table is {', '.join(STATUSES)}, not {status[:40]!r}")
    search, before = tidy(_query(call, "search")), _moment(call, "before")
    found = await call.server.store.moderation.tables(search, cast(Status, status) or None, before)
    return protocol.OperatorTables(found)


async def close_table(call: Call) -> protocol.TableInfo:
    table = await call.table()
    await table.close(_noted(call, "close_table", table.id))
    return table.info(None)


async def chat(call: Call) -> protocol.Chat:
    table = await call.table()
    return protocol.Chat(await call.server.store.moderation.chat(table.id, _noted(call, "read_chat", table.id, "")))


async def delete_line(call: Call) -> protocol.ChatLine:
    table, word = await call.table(), call.request.path_params["line"]
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise Denied("not_found", f"a chat line has a number, not {word[:40]!r}")
    return await table.delete_line(int(word), _noted(call, "delete_line", f"{table.id} {int(word)}"))


# Reports and the audit log


async def reports(call: Call) -> protocol.Reports:
    closed = _query(call, "closed") == "true"
    return protocol.Reports(await call.server.store.moderation.reports(closed, _moment(call, "before")))


async def close_report(call: Call) -> protocol.ReportedLine:
    moderation, id = call.server.store.moderation, call.request.path_params["report"]
    closed = await moderation.close_report(id, _noted(call, "close_report", id))
    found = await moderation.report(id)
    if not closed or found is None:
        raise Denied("not_found", f"there is no open report {id[:40]!r}")
    return found


async def audit(call: Call) -> protocol.Audit:
    return protocol.Audit(await call.server.store.moderation.audit(_moment(call, "before")))


HANDLERS: Handlers = {
    ("GET", f"{ADMIN}/online"): online,
    ("GET", f"{ADMIN}/tables"): tables,
    ("POST", f"{ADMIN}/tables/{{match}}/close"): close_table,
    ("GET", f"{ADMIN}/tables/{{match}}/chat"): chat,
    ("POST", f"{ADMIN}/tables/{{match}}/chat/{{line}}/delete"): delete_line,
    ("GET", f"{ADMIN}/bans"): bans,
    ("POST", f"{ADMIN}/bans"): ban,
    ("POST", f"{ADMIN}/bans/{{ban}}/lift"): lift_ban,
    ("GET", f"{ADMIN}/reports"): reports,
    ("POST", f"{ADMIN}/reports/{{report}}/close"): close_report,
    ("GET", f"{ADMIN}/audit"): audit,
}
