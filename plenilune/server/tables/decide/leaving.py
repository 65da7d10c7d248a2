"""Leaving and coming back, running out of time, resigning; and the end that may follow."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from plenilune.core.engine import standing
from plenilune.position import Position
from plenilune.server import protocol
from plenilune.server.protocol import AuditEntry, Result
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import MatchRow, Person, SeatRow, with_seats
from plenilune.server.tables import clocks
from plenilune.server.tables.decide.joining import about_seats
from plenilune.server.tables.decide.settling import Draft, waiting_for
from plenilune.server.tables.decide.state import TableState, check_mine, check_playing


def leave(state: TableState, person: Person, seat: int | None, at: int, lease: int) -> Draft | None:
    """Before the match begins the seat becomes free. Afterwards the stand-in plays, if another person still plays;
    otherwise the match waits."""
    mine = check_mine(state, person, seat)
    if state.row.status == "waiting":
        return _left_waiting(state, person, mine, at)
    check_playing(state)
    if not any(other.plays and other.person != person.id for other in state.seats):
        return None
    return handed(state, [replace(state.seats[n], absent=True) for n in mine if state.seats[n].plays], at, lease)


def _left_waiting(state: TableState, person: Person, mine: list[int], at: int) -> Draft:
    """An open seat becomes open again. Any other is reserved for the person who left it, unless the host invites
    somebody else."""
    seats = [_freed(state.seats[n]) for n in mine]
    remaining = with_seats(state.seats, seats)
    row = state.row
    if not any(seat.held_by == "person" for seat in remaining):
        row = replace(row, status="over", changed=at)
    return about_seats(state, row, seats)


def _freed(seat: SeatRow) -> SeatRow:
    if seat.opens:
        return replace(seat, held_by="open", person=None, name="", secret=None)
    return replace(seat, held_by="friend", person=None, secret=None, reserved=seat.person)


def handed(state: TableState, changed: Sequence[SeatRow], at: int, lease: int) -> Draft | None:
    """Hand seats to the stand-in, or back to their players. A running clock runs on."""
    if not changed:
        return None
    seats = with_seats(state.seats, changed)
    return Draft(state.row, waiting_for(state.row, seats, at, lease), tuple(changed), seats)


def come_back(state: TableState, person: Person, seat: int | None, at: int) -> Draft | None:
    mine = check_mine(state, person, seat)
    check_playing(state)
    if any(state.seats[n].resigned for n in mine):
        raise Denied("resigned", "players who have resigned cannot come back", state.row.ply)
    returned = end_absence(state, mine, at)
    in_turn = any(seat.seat == state.row.to_play for seat in returned)
    draft = handed(state._replace(row=taken_back(state.row)) if in_turn else state, returned, at, 0)
    return draft._replace(before=state.row) if draft else None


def taken_back(row: MatchRow) -> MatchRow:
    """A player who takes their turn back from the stand-in pays for the time since the last action: otherwise they
    could think for free while the bot does."""
    return replace(row, since=row.changed) if row.since is None and row.bot_turn else row


def end_absence(state: TableState, mine: Sequence[int], at: int) -> tuple[SeatRow, ...]:
    """These seats are their players' again; refused if their time is used up."""
    absent = [state.seats[n] for n in mine if state.seats[n].absent]
    for seat in absent:
        since = taken_back(state.row).since if seat.seat == state.row.to_play else None
        if not clocks.may_return(state.row.clock, state.row.left[seat.seat], since, at):
            raise Denied("out_of_time", "your time is used up: the bot plays on", state.row.ply)
    return tuple(replace(seat, absent=False) for seat in absent)


def time_out(state: TableState, at: int, lease: int) -> Draft | None:
    """If the seat to play has run out of time, the stand-in takes over. If no person can play any more, the match
    ends."""
    row = state.row
    if row.status != "playing" or state.problem or row.deadline is None or row.deadline > at:
        return None
    left: list[int | None] = list(row.left)
    if left[row.to_play] is not None:
        left[row.to_play] = 0
    state = state._replace(row=replace(row, left=left))
    draft = handed(state, [replace(state.seats[row.to_play], absent=True)], at, lease)
    assert draft
    draft = draft._replace(before=row)
    if any(_could_play(state.row, seat) for seat in draft.all_seats):
        return draft
    still = [seat.seat for seat in draft.all_seats if seat.held_by == "bot"]
    return _given_up(draft, check_playing(state), still, at)


def _could_play(row: MatchRow, seat: SeatRow) -> bool:
    """Whether the seat's person plays or may still come back."""
    out_of_time = isinstance(row.clock, protocol.BankClock) and not row.left[seat.seat]
    return seat.held_by == "person" and not seat.resigned and not (seat.absent and out_of_time)


def resign(state: TableState, person: Person, seat: int | None, at: int, lease: int) -> Draft | None:
    """The stand-in plays on, unless only one seat or no person is left: then the match ends."""
    mine, position = check_mine(state, person, seat), check_playing(state)
    gone = [replace(state.seats[n], absent=True, resigned=True) for n in mine if not state.seats[n].resigned]
    draft = handed(state, gone, at, lease)
    if draft is None:
        return None
    still = [seat for seat in draft.all_seats if not seat.resigned]
    if len(still) <= 1 or not any(seat.held_by == "person" for seat in still):
        return _given_up(draft, position, [seat.seat for seat in still], at)
    return draft


def _given_up(draft: Draft, position: Position, still: Sequence[int], at: int) -> Draft:
    scores = standing(position.state)[0]
    places = [1 if n in still else len(still) + 1 for n in range(len(draft.all_seats))]
    return draft._replace(row=closed(draft.row, Result(scores, places, True), at))


# The end


def close(state: TableState, noted: AuditEntry) -> Draft:
    """End the match without a result."""
    if state.row.status == "over":
        raise Denied("over", "this match is over already", state.row.ply)
    return Draft(state.row, closed(state.row, None, noted.at), (), state.seats, audit=(noted,))


def closed(row: MatchRow, result: Result | None, at: int) -> MatchRow:
    row = replace(row, status="over", result=result, changed=at, score=None)
    return replace(row, since=None, deadline=None, bot_turn=False, claimed=0)
