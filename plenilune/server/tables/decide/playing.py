"""Playing, and what only looks ahead: previews and hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from plenilune.game import Game
from plenilune.position import STOPS, Ahead, Position, check_legal, legal
from plenilune.server import protocol
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import By, Person, SeatRow, with_seats
from plenilune.server.tables.decide.leaving import end_absence, taken_back
from plenilune.server.tables.decide.settling import Draft
from plenilune.server.tables.decide.state import TableState, bot_to_play, check_fresh, check_playing, check_turn


def play(state: TableState, person: Person, asked: protocol.Play, at: int) -> Draft:
    """A person's actions: either all of them are played, or none."""
    position, seat = check_turn(state, person, asked.seat, asked.ply)
    if asked.hash and asked.hash != position.digest(seat):
        raise Denied("stale", "the match is in another position than the one you played on", state.row.ply)
    if state.row.deadline is not None and state.row.deadline <= at:  # `time_out` will hand the turn to the stand-in
        raise Denied("out_of_time", "your time is used up", state.row.ply)
    returned = end_absence(state, [seat], at)  # playing ends an absence
    draft = _played(state, position, seat, asked.actions, "person", request_id(person, asked.id), returned)
    return draft._replace(row=taken_back(state.row)) if returned else draft


def request_id(person: Person, id: str) -> str:
    return f"{person.id}:{id}"


def play_for_bot(state: TableState, seat: int, ply: int, action: str) -> Draft:
    """A bot's action. It is refused if it comes too late, as a person's is."""
    position = check_playing(state)
    check_fresh(state, ply)
    if bot_to_play(state) != seat:
        raise Denied("not_your_turn", f"no bot is to play for seat {seat + 1}", state.row.ply)
    by: By = "bot" if state.seats[seat].held_by == "bot" else "stand-in"
    return _played(state, position, seat, [action], by, None, ())


def _played(
    state: TableState,
    position: Position,
    seat: int,
    texts: Sequence[str],
    by: By,
    request: str | None,
    returned: tuple[SeatRow, ...],
) -> Draft:
    first = check_actions(position, seat, texts, state.row.ply)
    after = position.copy()
    steps = (after.apply(first), *map(after.play, texts[1:]))
    seats = with_seats(state.seats, returned)
    return Draft(state.row, state.row, returned, seats, steps, after, by, request)


def check_actions(position: Position, seat: int, texts: Sequence[str], ply: int) -> int:
    """Check that the seat to play may play all of them, judged only by what it has seen, so that a refusal reveals
    nothing. After each but the last, the seat must be able to tell what is legal. Returns the first one's number."""
    number = position.check(texts[0])
    if len(texts) > 1:
        ahead = position.ahead(seat, texts[:-1])
        if ahead.stopped:
            raise Denied("action_not_next", f"{texts[ahead.done]!r} cannot come next: {STOPS[ahead.stopped]}", ply)
        last = position.game.actions.parse(texts[-1])
        check_legal(position.game, legal(position.game, ahead.seen), last, "then")
    return number


# Previews and hints


class HintRequest(NamedTuple):
    """What a hint is asked for, all of it as the seat sees it."""

    game: Game
    seat: int
    ply: int
    seen: Any  # where the bot would play
    turn: tuple[Any, int] | None = None  # a complete one: before its last action, and that action


def preview(state: TableState, person: Person, asked: protocol.Preview) -> Ahead:
    """Where a seat's actions would lead, as far as it can tell."""
    position, seat = check_turn(state, person, asked.seat, asked.ply)
    return position.ahead(seat, asked.actions)


def hint(state: TableState, person: Person, actions: Sequence[str]) -> HintRequest:
    """Where a hint starts from: after these actions or, if they complete the turn, before all of them."""
    position, seat = check_turn(state, person)
    if not state.row.hints:
        raise Denied("no_hints", "there are no hints at this table")
    ahead = position.ahead(seat, actions)
    if not ahead.stopped:
        return HintRequest(position.game, seat, state.row.ply, ahead.seen)
    before = position.ahead(seat, actions[:-1])
    if before.stopped:
        said = f"there is no hint for what follows {actions[before.done]!r}: {STOPS[before.stopped]}"
        raise Denied("hint_stops", said, state.row.ply)
    turn = (before.seen, position.game.actions.parse(actions[-1]))
    return HintRequest(position.game, seat, state.row.ply, position.seen(seat), turn)
