"""Tables without a server: no database, no sockets, no clock but the one given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from plenilune import load
from plenilune.core.dice import Dice
from plenilune.position import layout
from plenilune.server import protocol
from plenilune.server.protocol import Clock, NoClock
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import MatchRow, Person, SeatRow, with_seats
from plenilune.server.tables import clocks, decide
from plenilune.server.tables.decide import Draft, TableState

ADA, BEN, CAROL = Person("ada", "Ada"), Person("ben", "Ben"), Person("carol", "Carol")
DICE = Dice("apollo")
AT = 1_800_000_000_000
SECOND, LEASE = 1000, 10_000


def a_row(game: str = "moon-leap", seats: int = 2, clock: Clock | None = None, **more: Any) -> MatchRow:
    rules, clock = load(game), clock or NoClock()
    row = MatchRow(
        id="m", game=game, rules=rules.version, components=rules.components, layout=layout(rules),
        options=rules.choices(seats, {}), commitment=DICE.commitment, host="ada", network="", seating="as_listed",
        clock=clock, left=clocks.full(clock, seats), public=False, spectators=True, hints=True, chat=True,
        stand_in="greedy", created=AT, changed=AT,
    )  # fmt: skip
    return replace(row, **more)


def a_seat(number: int, who: Person | str | None) -> SeatRow:
    """A person's, a bot's, or an open one."""
    if isinstance(who, Person):
        return SeatRow("m", number, "person", who.id, who.name)
    return SeatRow("m", number, "bot", None, who, who) if who else SeatRow("m", number, opens=True)


def a_table(*who: Person | str | None, game: str = "moon-leap", at: int = AT, **row: Any) -> TableState:
    """A table with these people and bots; it has begun if no seat is open."""
    seats = tuple(a_seat(number, each) for number, each in enumerate(who))
    state = TableState(a_row(game, len(seats), **row), seats, load(game), None, None)
    return after(state, decide.seated(state, []), at)


def after(state: TableState, draft: Draft | None, at: int = AT) -> TableState:
    """The table once the draft is written."""
    assert draft
    settled = decide.settle(draft._replace(lease=LEASE), DICE, at)
    row = replace(settled.change.after, version=state.row.version + 1)
    seats = with_seats(state.seats, settled.change.seats)
    return state._replace(row=row, seats=seats, position=settled.position or state.position)


def a_play(state: TableState, *actions: str, seat: int | None = None) -> protocol.Play:
    texts = list(actions) or [state.position.legal_texts()[0]] if state.position else list(actions)
    return protocol.Play("id", state.row.ply, texts, seat=seat)


def played(state: TableState, person: Person, at: int) -> TableState:
    return after(state, decide.play(state, person, a_play(state), at), at)


def refused(why: str, ask: Callable[[], Any]) -> str:
    """The sentence of a refusal with that reason, or that detail."""
    with pytest.raises(Denied) as caught:
        ask()
    assert why in (caught.value.reason, caught.value.detail)
    return str(caught.value)
