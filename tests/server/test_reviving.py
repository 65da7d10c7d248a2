"""From rows to tables, without a server: what of an older release's matches goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from plenilune.core.errors import Refusal
from plenilune.core.record import OVER
from plenilune.server import protocol
from plenilune.server.storage.rows import Entry, with_seats
from plenilune.server.tables import decide
from plenilune.server.tables.decide import TableState
from tests.server.deciding import ADA, AT, BEN, DICE, a_play, a_table

PLIES = 6


def a_match(plies: int = PLIES) -> tuple[TableState, list[Entry]]:
    """A match, and what has been played: so many plies, or all of it."""
    state, log = a_table(ADA, None), list[Entry]()
    draft = decide.join(state, BEN, protocol.Join(), AT)
    while True:
        settled = decide.settle(draft, DICE, AT)
        log += settled.change.entries
        seats = with_seats(state.seats, settled.change.seats)
        state = state._replace(row=settled.change.after, seats=seats, position=settled.position)
        if len(log) >= plies or state.row.status == "over":
            return state, log
        draft = decide.play(state, (ADA, BEN)[state.row.to_play], a_play(state), AT)


def revived(state: TableState, log: Sequence[Entry] = (), /, **changes: Any) -> TableState:
    """The table as another process reads it, with changes in its row."""
    return decide.replayed(decide.revive(replace(state.row, **changes), state.seats), log)


def bytes_of(state: TableState) -> bytes:
    assert state.position
    return bytes(state.position.state.tobytes())


def test_a_table_is_read_as_it_was_written() -> None:
    state, log = a_match()
    again = revived(state, log)
    assert bytes_of(again) == bytes_of(state)
    assert (again.row, again.seats, again.problem) == (state.row, state.seats, None)
    assert again.position
    assert again.position.ply == state.row.ply >= PLIES


def test_a_table_that_waits_has_no_position() -> None:
    waiting = revived(a_table(ADA, None))
    assert (waiting.position, waiting.problem) == (None, None)
    assert waiting.game


def test_a_table_that_waits_does_not_begin_with_other_components_than_it_was_created_with() -> None:
    """Its match could not be checked: its file names components that it was not played with."""
    waiting = revived(a_table(ADA, None), components="other")
    assert waiting.problem
    assert "components" in waiting.problem
    with pytest.raises(Refusal, match="components"):
        decide.join(waiting, BEN, protocol.Join(), AT)


def test_where_only_the_layout_is_another_the_actions_are_replayed() -> None:
    state, log = a_match()
    again = revived(state, log, layout="other")
    assert bytes_of(again) == bytes_of(state)
    assert again.problem is None


def test_a_match_whose_actions_are_no_longer_legal_says_at_which_ply() -> None:
    state, log = a_match()
    at = next(entry.ply for entry in log if entry.actor >= 0)
    spoilt = [replace(entry, text="fly home") if entry.ply == at else entry for entry in log]
    again = revived(state, spoilt, layout="other")
    assert again.position is None
    assert again.problem
    assert f"this match cannot go on here: ply {at}: " in again.problem
    assert "fly home" in again.problem


def test_where_a_version_of_the_rules_is_gone_todays_go_on_if_the_layout_is_the_same() -> None:
    state, log = a_match()
    assert bytes_of(revived(state, log, rules=99)) == bytes_of(state)
    gone = revived(state, log, rules=99, layout="other")
    assert (gone.game, gone.position) == (None, None)
    assert gone.problem
    assert "this match cannot go on here" in gone.problem


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "chess"}, "no such game"),
        ({"components": "other"}, "components"),
        ({"state": b"short"}, "its state is damaged"),
    ],
)
def test_what_cannot_go_on_keeps_its_rows_and_says_why(changes: Any, said: str) -> None:
    state, log = a_match()
    again = revived(state, log, **changes)
    assert again.problem
    assert said in again.problem
    assert (again.row, again.seats) == (replace(state.row, **changes), state.seats)
    assert (again.game, again.position) == (None, None)


def test_a_match_that_is_over_stays_over() -> None:
    state, log = a_match(plies=10_000)
    again = revived(state, log)
    assert again.position
    assert (again.row.status, again.position.to_play) == ("over", OVER)
