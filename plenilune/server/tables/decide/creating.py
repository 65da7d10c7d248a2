"""New tables: pure functions from what is asked for to the rows of a table.

Ids, secrets and the time are given. The seed of the dice is unknown here: the caller, who writes the rows, commits to
one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from plenilune.game import Game, load
from plenilune.position import layout
from plenilune.server.protocol import BotSeat, Friend, Invite, Mine, NewTable, Seating, SeatWish
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.names import a_name
from plenilune.server.storage.rows import MatchRow, Person, SeatRow, digest
from plenilune.server.tables import clocks, daily
from plenilune.server.tables.decide.arranging import check_host_seated, starting_with
from plenilune.server.tables.decide.joining import BOTS_ONLY, contribute
from plenilune.server.tables.decide.settling import Draft
from plenilune.server.tables.decide.state import TableState, seats_of
from plenilune.server.thinking.thinkers import bot

STAND_IN = "greedy"


class Origin(NamedTuple):
    """What the server adds to what is asked for."""

    id: str  # of the new match
    network: str  # of the host: the keyed digest of an address
    at: int


class NewRows(NamedTuple):
    """A new table, and the invitations for its friends' seats."""

    row: MatchRow
    seats: tuple[SeatRow, ...]
    invites: tuple[Invite, ...] = ()


# A table as somebody wishes it


def new_table(person: Person, asked: NewTable, origin: Origin, secrets: Sequence[str]) -> NewRows:
    """`secrets`: one for each seat, in case it is held for a friend."""
    game = load(asked.game)
    options = game.choices(len(asked.seats), asked.options)
    _check_bots(game, asked)
    _check_people(asked)
    row = contribute(_row(person, game, options, asked, origin), person, asked.nonce)
    wishes = enumerate(zip(_in_order(asked), secrets, strict=True))
    made = [_seat(row, number, wish, person, secret) for number, (wish, secret) in wishes]
    return NewRows(row, tuple(seat for seat, _ in made), tuple(invite for _, invite in made if invite))


def _check_bots(game: Game, asked: NewTable) -> None:
    """Refuse bots that the game does not have, or that may not sit at tables."""
    for name in [asked.stand_in or STAND_IN, *(wish.bot for wish in asked.seats if isinstance(wish, BotSeat))]:
        bot(name, game)


def _check_people(asked: NewTable) -> None:
    if all(isinstance(wish, BotSeat) for wish in asked.seats):
        raise Denied("bots_only", BOTS_ONLY)
    if asked.seating == "host_first":
        check_host_seated(any(isinstance(wish, Mine) for wish in asked.seats))


def _row(person: Person, game: Game, options: Mapping[str, str], asked: NewTable, origin: Origin) -> MatchRow:
    return MatchRow(
        id=origin.id,
        game=game.name,
        rules=game.version,
        components=game.components,
        layout=layout(game),
        options=dict(options),
        host=person.id,
        network=origin.network,
        seating=asked.seating,
        clock=asked.clock,
        left=clocks.full(asked.clock, len(asked.seats)),
        public=asked.public,
        spectators=asked.spectators,
        hints=asked.hints,
        chat=asked.chat,
        stand_in=asked.stand_in or STAND_IN,
        created=origin.at,
        changed=origin.at,
    )


def _in_order(asked: NewTable) -> Sequence[SeatWish]:
    """The wishes by seat. Where the host starts, the others keep their order."""
    if asked.seating != "host_first":
        return asked.seats
    first = next(number for number, wish in enumerate(asked.seats) if isinstance(wish, Mine))
    return starting_with(first, asked.seats)


def _seat(row: MatchRow, number: int, wish: SeatWish, person: Person, secret: str) -> tuple[SeatRow, Invite | None]:
    """A seat's row, with the invitation if it is held for a friend."""
    if isinstance(wish, Mine):
        return _own_seat(row, number, person, wish.name), None
    if isinstance(wish, BotSeat):
        return SeatRow(row.id, number, "bot", None, wish.bot, wish.bot), None
    if isinstance(wish, Friend):
        return SeatRow(row.id, number, "friend", secret=digest(secret)), invitation(row.id, number, secret)
    return SeatRow(row.id, number, opens=True), None


def _own_seat(row: MatchRow, number: int, person: Person, name: str | None = None) -> SeatRow:
    return SeatRow(row.id, number, "person", person.id, a_name(name or person.name), opens=row.public)


def invitation(match: str, seat: int, secret: str) -> Invite:
    """The secret is in the fragment, after `#`, which browsers do not send."""
    return Invite(seat, secret, f"/table/{match}#{secret}")


# A rematch


def rematch_table(state: TableState, person: Person, nonce: str | None, origin: Origin) -> NewRows:
    """A table like the one whose match is over. It waits until everybody has accepted."""
    game = check_rematch(state, person)
    row = replace(_row(person, load(game.name), state.row.options, _alike(state), origin), follows=state.row.id)
    return NewRows(contribute(row, person, nonce), _moved_on(state.seats, row.id, person))


def check_rematch(state: TableState, person: Person) -> Game:
    if not seats_of(state, person):
        raise Denied("no_seat", "you have no seat at this table")
    if state.row.status != "over" or state.row.result is None:
        raise Denied("not_over", "the match is not over")
    if state.row.daily:
        raise Denied("daily_once", "nobody gets the same deal twice")
    if state.game is None:
        raise Denied("cannot_continue", state.problem or "this game is not here")
    return state.game


def _alike(state: TableState) -> NewTable:
    row = state.row
    return NewTable(
        game=row.game,
        seats=[Mine() for _ in state.seats],
        seating=_seating_again(row.seating),
        clock=row.clock,
        public=row.public,
        spectators=row.spectators,
        hints=row.hints,
        chat=row.chat,
        stand_in=row.stand_in,
    )


def _seating_again(seating: Seating) -> Seating:
    """A random order is drawn again. Otherwise the seats move on, so that nobody starts twice."""
    return "random" if seating == "random" else "as_listed"


def _moved_on(seats: Sequence[SeatRow], match: str, person: Person) -> tuple[SeatRow, ...]:
    """Everybody moves up one seat. Other people's seats are reserved until they accept."""
    order = enumerate(starting_with(1, seats))
    return tuple(_seat_again(seat, match, number, person) for number, seat in order)


def _seat_again(old: SeatRow, match: str, number: int, person: Person) -> SeatRow:
    seat = SeatRow(match, number, old.held_by, old.person, old.name, old.bot)
    if old.held_by != "person" or old.person == person.id:
        return seat
    return replace(seat, held_by="friend", person=None, reserved=old.person)


def follow(state: TableState, rematch: str) -> Draft | None:
    """Note which match follows this one."""
    if state.row.rematch:
        return None
    return Draft(state.row, replace(state.row, rematch=rematch), (), state.seats)


# The daily deal


def daily_table(person: Person, since: int, game: Game, day: str, origin: Origin) -> NewRows:
    """An attempt at the day's deal; `since`: when the person became a guest."""
    options = game.choices(1, {})
    asked = NewTable(game.name, [Mine()], options, "as_listed", spectators=False, hints=False, chat=False)
    row = _row(person, game, options, asked, origin)
    row = replace(row, daily=day, daily_of=person.id, unranked=daily.unranked(since, origin.at))
    return NewRows(row, (_own_seat(row, 0, person),))
