"""A table as decisions are made from it: who sits there, who may do what, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from plenilune.game import Game
from plenilune.position import Position
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import MatchRow, Person, SeatRow


class TableState(NamedTuple):
    """A table: its row, its seats, and the match's position."""

    row: MatchRow
    seats: tuple[SeatRow, ...]
    game: Game | None  # None: not installed here
    position: Position | None  # None: not begun, or this release cannot continue it
    problem: str | None  # why this release cannot continue it
    last_line: int = 0  # the number of the last chat line


# Permissions


def seats_of(state: TableState, person: Person | None) -> list[int]:
    return [seat.seat for seat in state.seats if person and seat.person == person.id]


def is_host(state: TableState, person: Person | None) -> bool:
    return bool(person and person.id == state.row.host)


def may_watch(state: TableState, person: Person | None) -> bool:
    return state.row.spectators or bool(seats_of(state, person)) or is_host(state, person)


def check_playing(state: TableState) -> Position:
    if state.row.status == "waiting":
        raise Denied("not_started", "the match has not begun: seats are free")
    if state.row.status == "over":
        raise Denied("over", "the match is over", state.row.ply)
    if state.problem or not state.position:
        raise Denied("cannot_continue", state.problem or "this match cannot go on here", state.row.ply)
    return state.position


def check_waiting(state: TableState) -> None:
    if state.row.status != "waiting":
        raise Denied("over" if state.row.status == "over" else "started", "the match has begun")


def check_mine(state: TableState, person: Person, seat: int | None) -> list[int]:
    """The seats that a request concerns: the given one, or all of the person's."""
    mine = seats_of(state, person)
    if not mine:
        raise Denied("no_seat", "you have no seat at this table")
    if seat is not None and seat not in mine:
        raise Denied("not_your_seat", f"seat {seat + 1} is not yours", seat=seat + 1)
    return mine if seat is None else [seat]


def check_host(state: TableState, person: Person, what: str) -> None:
    if not is_host(state, person):
        raise Denied("not_host", f"only the host of this table may {what}")


def check_turn(
    state: TableState, person: Person, seat: int | None = None, ply: int | None = None
) -> tuple[Position, int]:
    """The position and the seat to play, which must be the person's and must not have resigned."""
    mine, position = check_mine(state, person, seat), check_playing(state)
    if ply is not None:
        check_fresh(state, ply)
    to_play = state.row.to_play
    if to_play not in mine:
        raise Denied("not_your_turn", f"it is seat {to_play + 1}'s turn", state.row.ply)
    if state.seats[to_play].resigned:
        raise Denied("resigned", "you have resigned from this match", state.row.ply)
    return position, to_play


def check_fresh(state: TableState, ply: int) -> None:
    if ply != state.row.ply:
        raise Denied("stale", f"played at ply {ply}, and the match is at ply {state.row.ply}", state.row.ply)


# Bots


class BotTurn(NamedTuple):
    """A bot's turn, as its seat sees it."""

    game: Game
    seat: int
    ply: int
    seen: Any
    bot: str


def stand_in(row: MatchRow | Any, weakest: str) -> str:
    """The bot that plays for absent players. Without hints it is the weakest one: otherwise leaving the table would
    be a way to get a strong bot's help."""
    return str(row.stand_in) if row.hints else weakest


def weakest(game: Game | None) -> str:
    return next(iter(game.levels), "random") if game else "random"


def bot_of(state: TableState, seat: SeatRow) -> str | None:
    """The bot that plays at the seat now."""
    if seat.held_by == "bot":
        return seat.bot
    return stand_in(state.row, weakest(state.game)) if seat.absent or seat.resigned else None


def bot_plays(seats: Sequence[SeatRow], seat: int) -> bool:
    """Whether a bot is to play for the seat. When no person is playing, bots wait."""
    return seat >= 0 and not (seats[seat].plays) and any(other.plays for other in seats)


def bot_to_play(state: TableState) -> int | None:
    playing = state.row.status == "playing" and not state.problem and state.position is not None
    return state.row.to_play if playing and bot_plays(state.seats, state.row.to_play) else None


def bot_turn(state: TableState) -> BotTurn | None:
    seat, position = bot_to_play(state), state.position
    if seat is None or position is None:
        return None
    bot = bot_of(state, state.seats[seat])
    assert bot
    return BotTurn(position.game, seat, state.row.ply, position.seen(seat), bot)
