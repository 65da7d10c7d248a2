"""Sitting down before the match begins: by the lobby, by an invitation, or as a bot."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from plenilune.position import Position
from plenilune.server import protocol
from plenilune.server.protocol import Nonce
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import MatchRow, Person, SeatRow, with_seats
from plenilune.server.storage.rows import digest as secret_digest
from plenilune.server.tables.decide.settling import Draft
from plenilune.server.tables.decide.state import TableState, check_host, check_waiting, seats_of

MOST_NONCES, MOST_OF_ONE = 64, 3  # of a match, and of one person who leaves and returns
BOTS_ONLY = "at least one seat must be for a person: bots alone do not play here"


def join(state: TableState, person: Person, asked: protocol.Join, at: int) -> Draft:
    if state.row.status != "waiting":
        raise Denied("table_full", "the match has begun: all seats are taken")
    if seats_of(state, person):
        raise Denied("already_seated", "you already sit at this table")
    _check_seen(state, asked.seen)
    seats = _reserved_for(state, person) if asked.secret is None and asked.seat is None else []
    taken = [_taken(seat, person) for seat in seats or [_seat_for(state, person, asked)]]
    return seated(state, taken, contribute(state.row, person, asked.nonce))


def _check_seen(state: TableState, seen: protocol.Seen | None) -> None:
    """A player who sits down with a nonce knows which ones stand before it. The one who takes the last free seat knows
    the whole list: that browser accepts no other, or the server could still choose the dice by adding a nonce."""
    now = protocol.Seen(len(state.row.nonces), sum(seat.free for seat in state.seats))
    if seen not in (None, now):
        raise Denied("table_changed", "somebody sat down or left at the same moment: look again, and use a new nonce")


def _taken(seat: SeatRow, person: Person) -> SeatRow:
    """Players who return keep the seat's name: on a shared screen, each seat has a name of its own."""
    name = seat.name if seat.reserved == person.id and seat.name else person.name
    return replace(seat, held_by="person", person=person.id, name=name, secret=None, reserved=None)


def _reserved_for(state: TableState, person: Person) -> list[SeatRow]:
    """People who share a screen return to all of their seats at once."""
    return [seat for seat in state.seats if seat.free and seat.reserved == person.id]


def _seat_for(state: TableState, person: Person, asked: protocol.Join) -> SeatRow:
    if asked.secret:
        found = [seat for seat in state.seats if seat.free and seat.secret == secret_digest(asked.secret)]
        if not found:
            raise Denied("bad_secret", "this invitation is invalid or has been used")
        return found[0]
    wanted = [seat for seat in state.seats if seat.free and asked.seat in (None, seat.seat)]
    free = [seat for seat in wanted if seat.reserved == person.id] + [seat for seat in wanted if seat.held_by == "open"]
    if not free:
        raise Denied("seat_taken", "no such seat is free at this table")
    return free[0]


def contribute(row: MatchRow, person: Person, nonce: str | None) -> MatchRow:
    """Append the person's nonce."""
    return row if nonce is None else with_nonce(row, Nonce(person.id, nonce))


def with_nonce(row: MatchRow, nonce: Nonce) -> MatchRow:
    """Nonces are only ever added. Those of people who leave stay: otherwise somebody who knows all other nonces could
    choose between two sequences of dice by leaving."""
    if sum(other.person == nonce.person for other in row.nonces) >= MOST_OF_ONE:
        said = f"you have sat down at this table {MOST_OF_ONE} times: watch, or make another"
        raise Denied("sat_too_often", said, n=MOST_OF_ONE)
    if len(row.nonces) >= MOST_NONCES:
        raise Denied("table_worn_out", "too many people have come and gone at this table: make another")
    return replace(row, nonces=[*row.nonces, nonce])


def seated(state: TableState, changed: Sequence[SeatRow], row: MatchRow | None = None) -> Draft:
    """Seat people; the match begins when no seat is free. Every match begins here, so none begins with bots alone."""
    row, seats = row or state.row, with_seats(state.seats, changed)
    draft = Draft(state.row, row, tuple(changed), seats)
    if any(seat.free for seat in seats):
        return draft
    check_people(seats)
    if state.game is None:
        raise Denied("cannot_continue", state.problem or "this match cannot begin here")
    return draft._replace(position=Position.begin(state.game, len(seats), row.options))


def check_people(seats: Sequence[SeatRow]) -> None:
    if not any(seat.held_by == "person" for seat in seats):
        raise Denied("bots_only", BOTS_ONLY)


def start(state: TableState, person: Person, asked: protocol.Start) -> Draft:
    """The host fills the free seats with bots. This happens once, so a nonce is added however many there are."""
    check_host(state, person, "start it")
    check_waiting(state)
    _check_seen(state, asked.seen)
    bots = [_filled(seat, asked.bot) for seat in state.seats if seat.free]
    nonces = [] if asked.nonce is None else [Nonce(person.id, asked.nonce)]
    return seated(state, bots, replace(state.row, nonces=[*state.row.nonces, *nonces]))


def _filled(seat: SeatRow, bot: str) -> SeatRow:
    return replace(seat, held_by="bot", bot=bot, name=bot, secret=None, reserved=None)


def invite(state: TableState, person: Person, seat: int, secret: str) -> Draft:
    """A new invitation for a free seat; an older one stops working."""
    check_host(state, person, "invite")
    if seat >= len(state.seats):
        said = f"this table has {len(state.seats)} seats, and no seat {seat + 1}"
        raise Denied("wrong_seat", said, seat=seat + 1)
    if not state.seats[seat].free or state.row.status != "waiting":
        raise Denied("seat_taken", f"seat {seat + 1} is taken")
    held = replace(state.seats[seat], held_by="friend", name="", secret=secret_digest(secret), reserved=None)
    return about_seats(state, state.row, [held])


def about_seats(state: TableState, row: MatchRow, changed: Sequence[SeatRow]) -> Draft:
    return Draft(state.row, row, tuple(changed), with_seats(state.seats, changed))
