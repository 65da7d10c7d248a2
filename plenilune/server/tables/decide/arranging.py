"""Who starts: seat 1 does. So this is about who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from plenilune.server.protocol import Arrange
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import Person
from plenilune.server.tables.decide.settling import Draft
from plenilune.server.tables.decide.state import TableState, check_host, check_waiting, seats_of

T = TypeVar("T")


def starting_with(first: int, seats: Sequence[T]) -> Sequence[T]:
    """The others keep their order."""
    return [*seats[first:], *seats[:first]]


def check_host_seated(seated: bool) -> None:
    if not seated:
        raise Denied("host_not_seated", "the host can start only at a seat of their own")


def arrange(state: TableState, person: Person, asked: Arrange) -> Draft:
    """The host changes who starts, while the table waits. A random order is drawn when the match begins."""
    check_host(state, person, "say who starts")
    check_waiting(state)
    order = list(range(len(state.seats))) if asked.order is None else asked.order
    if sorted(order) != list(range(len(state.seats))):
        raise Denied("bad_setting", f"an order names each of the {len(state.seats)} seats once, and not {order}")
    if asked.seating == "host_first":
        mine = seats_of(state, person)
        check_host_seated(bool(mine))
        order = list(starting_with(min(map(order.index, mine)), order))
    seats = tuple(replace(state.seats[old], seat=new) for new, old in enumerate(order))
    return Draft(state.row, replace(state.row, seating=asked.seating), seats, seats)
