"""Chat, reports and operators, without a server."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from plenilune.server import protocol
from plenilune.server.protocol import AuditEntry, ChatLine
from plenilune.server.tables import decide
from plenilune.server.tables.decide import TableState
from tests.server.deciding import ADA, AT, BEN, CAROL, a_table, after, refused

NOTED = AuditEntry("id", AT, "olga", "close_table", "m", "")


def a_line(number: int, text: str = "hello", **more: object) -> ChatLine:
    return replace(ChatLine(number, "ben", "Ben", 1, text, None, AT), **more)


def said(state: TableState, text: str = "", phrase: str | None = None) -> ChatLine:
    (line,) = decide.say(state, ADA, protocol.Say(text, phrase), AT).chat
    return line


def test_chat_lines_are_numbered_on_even_when_old_ones_are_gone() -> None:
    assert said(a_table(ADA, BEN)._replace(last_line=777), "hello").number == 778


def test_a_line_says_who_said_it_where_and_when() -> None:
    assert said(a_table(BEN, ADA), " Good evening! ") == ChatLine(1, "ada", "Ada", 1, "Good evening!", None, AT)
    assert said(a_table(ADA, BEN), phrase="good_luck").phrase == "good_luck"


def test_talking_changes_nothing_else() -> None:
    state = a_table(ADA, BEN)
    draft = decide.say(state, ADA, protocol.Say("hello"), AT)
    assert (draft.row, draft.seats, draft.position) == (state.row, (), None)


@pytest.mark.parametrize("asked", [protocol.Say(), protocol.Say(" \u200b "), protocol.Say("hello", "good_luck")])
def test_a_line_is_either_of_ones_own_or_a_quick_phrase(asked: protocol.Say) -> None:
    refused("empty_message", lambda: decide.say(a_table(ADA, BEN), ADA, asked, AT))


def test_who_may_not_talk_is_refused() -> None:
    hello = protocol.Say("hello")
    refused("no_seat", lambda: decide.say(a_table(ADA, BEN), CAROL, hello, AT))
    refused("no_chat", lambda: decide.say(a_table(ADA, BEN, chat=False), ADA, hello, AT))
    assert "good_luck" in refused(
        "bad_request", lambda: decide.say(a_table(ADA, BEN), ADA, protocol.Say(phrase="boo"), AT)
    )


# Reports


def test_a_report_has_a_copy_of_the_line() -> None:
    lines = [a_line(1), a_line(2, "you rascal")]
    found = decide.report(a_table(ADA, BEN), lines, ADA, protocol.Report(2, " rude "), AT)
    assert (found.match, found.line, found.author, found.text) == ("m", 2, "ben", "you rascal")
    assert (found.person, found.note, found.at, found.closed) == ("ada", "rude", AT, None)


def test_a_quick_phrase_is_reported_by_its_name() -> None:
    line = a_line(1, "", phrase="good_luck")
    assert decide.report(a_table(ADA, BEN), [line], ADA, protocol.Report(1), AT).text == "good_luck"


def test_what_cannot_be_reported_is_refused() -> None:
    state, lines = a_table(ADA, BEN), [a_line(1), a_line(2, "", deleted=True)]
    refused("no_line", lambda: decide.report(state, lines, ADA, protocol.Report(3), AT))
    refused("no_line", lambda: decide.report(state, lines, ADA, protocol.Report(2), AT))
    refused("own_line", lambda: decide.report(state, lines, BEN, protocol.Report(1), AT))


def test_a_line_that_one_cannot_see_cannot_be_reported() -> None:
    line, asked = a_line(1), protocol.Report(1)
    refused("private_table", lambda: decide.report(a_table(ADA, BEN, spectators=False), [line], CAROL, asked, AT))
    assert decide.report(a_table(ADA, BEN), [line], CAROL, asked, AT).person == "carol"


# Operators


def test_a_line_that_an_operator_deletes_keeps_its_number_but_not_its_text() -> None:
    lines = [a_line(1), a_line(2, "", phrase="good_luck")]
    for line in lines:
        draft = decide.delete_line(a_table(ADA, BEN), lines, line.number, NOTED)
        assert draft.deleted == (replace(line, text="", phrase=None, deleted=True),)
        assert draft.audit == (NOTED,)


def test_a_line_is_deleted_once() -> None:
    state, lines = a_table(ADA, BEN), [a_line(1, "", deleted=True)]
    refused("no_line", lambda: decide.delete_line(state, lines, 1, NOTED))
    refused("no_line", lambda: decide.delete_line(state, lines, 2, NOTED))


def test_a_table_that_an_operator_closes_is_over_without_a_result() -> None:
    state = after(a_table(ADA, BEN), decide.close(a_table(ADA, BEN), NOTED))
    assert (state.row.status, state.row.result, state.row.deadline, state.row.changed) == ("over", None, None, AT)
    refused("over", lambda: decide.close(state, NOTED))
