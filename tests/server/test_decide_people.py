"""No match is ever without a person, in whatever order people sit down, leave, begin, resign and ask for a rematch.

Every state that a small table can reach is visited. Twenty tables of bots alone used to keep everybody else's bots
waiting, so bots alone neither begin nor play on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations_with_replacement
from typing import Any

import pytest

from plenilune.server import protocol
from plenilune.server.protocol import BankClock, BotSeat, Friend, Mine, NewTable, Open, SeatWish
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import Person
from plenilune.server.tables import decide
from plenilune.server.tables.decide import Draft, NewRows, TableState, joining
from tests.server.attempts import Attempts
from tests.server.deciding import ADA, AT, BEN, LEASE, after, refused
from tests.server.test_creating import ORIGIN, SECRETS, state_of

WISHES: list[SeatWish] = [Mine(), BotSeat("greedy"), Friend(), Open()]
TABLES = [list(seats) for number in (2, 3) for seats in combinations_with_replacement(WISHES, number)]
LATE = AT + 10**9  # every clock has run out
Step = tuple[Callable[..., Any], tuple[Any, ...]]  # what is done at a table, and with which arguments


def made(seats: list[SeatWish], seating: protocol.Seating = "as_listed") -> TableState:
    """A table that Ada asks for; it has begun if no seat is free."""
    asked = NewTable("moon-leap", seats, seating=seating, clock=BankClock(60))
    return written(decide.new_table(ADA, asked, ORIGIN, SECRETS[: len(seats)]))


def written(rows: NewRows) -> TableState:
    state = state_of(rows)
    return after(state, decide.seated(state, []))


def steps(seats: int) -> Iterator[Step]:
    """Everything that people and time can do at a table, except playing."""
    yield decide.time_out, (LATE, LEASE)
    for person in (ADA, BEN):
        yield decide.start, (person, protocol.Start())
        yield again, (person,)
        yield decide.arrange, (person, protocol.Arrange("as_listed", [*range(1, seats), 0]))
        yield decide.leave, (person, None, AT, LEASE)
        yield decide.resign, (person, None, AT, LEASE)
        yield decide.come_back, (person, None, AT)
        yield decide.join, (person, protocol.Join(), AT)
        for seat in range(seats):
            yield decide.invite, (person, seat, SECRETS[seat])
            yield decide.join, (person, protocol.Join(secret=SECRETS[seat]), AT)


def again(state: TableState, person: Person) -> TableState:
    return written(decide.rematch_table(state, person, None, ORIGIN))


def reached(first: TableState) -> Iterator[tuple[TableState, str]]:
    """Every state that this one can lead to, with the last step on the way."""
    seen, waiting = set[object](), [(first, "made")]
    while waiting:
        state, how = waiting.pop()
        row = state.row
        key = (row.host, row.status, row.to_play, row.deadline, row.bot_turn, row.follows, state.seats)
        if key in seen:
            continue
        seen.add(key)
        yield state, how
        for do, arguments in steps(len(state.seats)):
            with suppress(Denied):
                if there := do(state, *arguments):
                    next = after(state, there) if isinstance(there, Draft) else there
                    waiting.append((next, f"{do.__name__} {arguments}"))


def everything_reached() -> Iterator[tuple[TableState, str]]:
    for seats in TABLES:
        if any(not isinstance(seat, BotSeat) for seat in seats):
            yield from reached(made(seats))


def without_a_person(state: TableState) -> bool:
    return state.row.status == "playing" and not any(seat.held_by == "person" for seat in state.seats)


def plays_for_nobody(state: TableState) -> bool:
    """Whether a bot is to play though no person does."""
    return decide.bot_to_play(state) is not None and not any(seat.plays for seat in state.seats)


def test_no_match_is_without_a_person_however_people_come_and_go(attempts: Attempts) -> None:
    seen = Counter[str]()
    for state, how in everything_reached():
        assert not without_a_person(state), how
        assert not plays_for_nobody(state), how
        seen[state.row.status] += 1
    assert min(seen[status] for status in ("waiting", "playing", "over")) > 100
    attempts.add(seen.total())


def test_a_server_that_lets_bots_begin_alone_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a host without a seat could do: keep it free, and fill it with a bot."""
    monkeypatch.setattr(joining, "check_people", lambda seats: None)
    assert any(without_a_person(state) for state in (found for found, _ in everything_reached()))


@pytest.mark.parametrize("seating", ["as_listed", "random"])
def test_a_host_without_a_seat_cannot_fill_the_table_with_bots(seating: protocol.Seating) -> None:
    state = made([Friend(), BotSeat("greedy")], seating)
    refused("bots_only", lambda: decide.start(state, ADA, protocol.Start()))
    seated = after(state, decide.join(state, BEN, protocol.Join(secret=SECRETS[0]), AT))
    assert seated.row.status == "playing"


def test_a_host_who_leaves_before_the_beginning_cannot_begin_with_bots_alone() -> None:
    state = made([Mine(), Open(), BotSeat("greedy")])
    left = after(state, decide.leave(state, ADA, None, AT, LEASE))
    assert left.row.status == "over"
    refused("over", lambda: decide.start(left, ADA, protocol.Start()))
