"""Chat: saying something, and what operators do about it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from plenilune.server import protocol
from plenilune.server.protocol import AuditEntry, ChatLine, ReportedLine
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.names import tidy
from plenilune.server.storage.rows import Person, new_id
from plenilune.server.tables.decide.settling import Draft
from plenilune.server.tables.decide.state import TableState, check_mine, may_watch


def say(state: TableState, person: Person, asked: protocol.Say, at: int) -> Draft:
    mine = check_mine(state, person, None)
    if not state.row.chat:
        raise Denied("no_chat", "there is no chat at this table")
    text = tidy(asked.text)
    if bool(text) == bool(asked.phrase):
        raise Denied("empty_message", "say a line of your own or a quick phrase")
    if asked.phrase and asked.phrase not in protocol.PHRASES:
        there = ", ".join(protocol.PHRASES)
        raise Denied("bad_request", f"there is no quick phrase {asked.phrase!r}; there are: {there}")
    line = ChatLine(state.last_line + 1, person.id, person.name, mine[0], text, asked.phrase, at)
    return Draft(state.row, state.row, (), state.seats, chat=(line,))


def report(
    state: TableState, chat: Sequence[ChatLine], person: Person, asked: protocol.Report, at: int
) -> ReportedLine:
    """A copy of the line for the operators. Everybody who sees the chat may report other people's lines."""
    if not may_watch(state, person):
        raise Denied("private_table", "only players at this table may watch it")
    line = next((line for line in chat if line.number == asked.line and not line.deleted), None)
    if line is None:
        raise Denied("no_line", f"there is no chat line {asked.line} at this table")
    if line.person == person.id:
        raise Denied("own_line", "this line is your own")
    text, note = line.text or line.phrase or "", tidy(asked.note)
    return ReportedLine(
        new_id(), state.row.id, line.number, line.person, line.name, text, person.id, note, at, closed=None
    )


def delete_line(state: TableState, chat: Sequence[ChatLine], number: int, noted: AuditEntry) -> Draft:
    """Delete the line's text; the line keeps its number."""
    found = next((line for line in chat if line.number == number), None)
    if found is None or found.deleted:
        raise Denied("no_line", f"there is no chat line {number} at this table, or it was deleted before")
    gone = replace(found, text="", phrase=None, deleted=True)
    return Draft(state.row, state.row, (), state.seats, deleted=(gone,), audit=(noted,))
