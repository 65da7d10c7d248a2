"""What may happen at a table: pure functions from a table's state and a request to a draft of the changes.

Nothing here does I/O, and nothing here knows the seed of the dice. A draft stops at the next chance node. `settle`
lets chance play, and is called only inside the transaction that writes the draft, so no refusal, preview or hint can
depend on a future roll. A request is refused by raising `Denied`; then nothing changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from plenilune.core.dice import Dice
from plenilune.core.engine import standing
from plenilune.core.errors import BadSetting, Refusal
from plenilune.core.record import CHANCE, OVER
from plenilune.game import Game, load
from plenilune.position import STOPS, Ahead, Position, Step, check_legal, layout, legal
from plenilune.server import protocol
from plenilune.server.protocol import AuditEntry, ChatLine, Nonce, ReportedLine, Result
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.names import tidy
from plenilune.server.storage.rows import By, Entry, MatchRow, Person, SeatRow, new_id, with_seats
from plenilune.server.storage.rows import digest as secret_digest
from plenilune.server.storage.store import Change
from plenilune.server.tables import clocks

MOST_NONCES, MOST_OF_ONE = 64, 3  # of a match, and of one person who leaves and returns


class TableState(NamedTuple):
    """A table: its row, its seats, and the match's position."""

    row: MatchRow
    seats: tuple[SeatRow, ...]
    game: Game | None  # None: not installed here
    position: Position | None  # None: not begun, or this release cannot continue it
    problem: str | None  # why this release cannot continue it
    last_line: int = 0  # the number of the last chat line


class Draft(NamedTuple):
    """The changes that a request makes, up to the next chance node."""

    before: MatchRow
    row: MatchRow
    seats: tuple[SeatRow, ...] = ()  # the changed ones
    all_seats: tuple[SeatRow, ...] = ()  # all of them, after the change
    steps: tuple[Step, ...] = ()  # the actions played
    position: Position | None = None  # after `steps`, if something is played or begins; chance may be to play
    by: By = "chance"
    request: str | None = None
    chat: tuple[ChatLine, ...] = ()
    deleted: tuple[ChatLine, ...] = ()  # by an operator
    audit: tuple[AuditEntry, ...] = ()
    lease: int = 0  # milliseconds for which the process that writes this will think for a bot


class Settled(NamedTuple):
    """A draft's changes after chance has played, and the position they lead to."""

    change: Change
    position: Position | None


class HintRequest(NamedTuple):
    """What a hint is asked for, all of it as the seat sees it."""

    game: Game
    seat: int
    ply: int
    seen: Any  # where the bot would play
    turn: tuple[Any, int] | None = None  # a complete one: before its last action, and that action


class BotTurn(NamedTuple):
    """A bot's turn, as its seat sees it."""

    game: Game
    seat: int
    ply: int
    seen: Any
    bot: str


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


# Playing


def play(state: TableState, person: Person, asked: protocol.Play, at: int) -> Draft:
    """A person's actions: either all of them are played, or none."""
    position, seat = check_turn(state, person, asked.seat, asked.ply)
    if asked.hash and asked.hash != position.digest(seat):
        raise Denied("stale", "the match is in another position than the one you played on", state.row.ply)
    if state.row.deadline is not None and state.row.deadline <= at:  # `time_out` will hand the turn to the stand-in
        raise Denied("out_of_time", "your time is used up", state.row.ply)
    returned = _returned(state, [seat], at)  # playing ends an absence
    draft = _played(state, position, seat, asked.actions, "person", request_id(person, asked.id), returned)
    return draft._replace(row=_taken_back(state.row)) if returned else draft


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


def settle(draft: Draft, dice: Dice | None, at: int, log: Sequence[Entry] = ()) -> Settled:
    """Let chance play, and complete the change. To be called only inside the transaction that writes it."""
    if draft.position is None:
        change = Change(draft.before, draft.row, (), draft.seats, draft.chat, draft.deleted, draft.audit)
        return Settled(change, None)
    assert dice
    after = draft.position
    if draft.row.seating == "random" and draft.row.status == "waiting":
        draft = _shuffled(draft, dice.order(len(draft.all_seats)))
    if after.to_play == CHANCE:
        after = after.copy()  # if the transaction is retried, the draft's own position must be unchanged
    steps = [*draft.steps, *after.roll(dice)]
    row = _row_after(draft, after, at)
    entries = _entries(draft, after, steps, at)
    if row.status == "over" and row.daily:
        row = replace(row, script=_script([*log, *entries]))
    return Settled(Change(draft.before, row, entries, draft.seats, draft.chat), after)


def _shuffled(draft: Draft, order: Sequence[int]) -> Draft:
    """The match begins: whoever sits there now, and each seat gets whom it has drawn."""
    seats = tuple(replace(draft.all_seats[drawn], seat=seat) for seat, drawn in enumerate(order))
    return draft._replace(seats=seats, all_seats=seats)


def _entries(draft: Draft, after: Position, steps: Sequence[Step], at: int) -> tuple[Entry, ...]:
    texts, first = after.game.actions.texts, draft.row.ply
    hash = after.digest(steps[0].actor) if draft.request else ""
    return tuple(
        Entry(
            ply=first + number,
            text=texts[step.number],
            actor=step.actor,
            by=draft.by if step.actor >= 0 else "chance",
            at=at,
            known=step.known,
            request=None if number else draft.request,
            last=after.ply,
            hash="" if number else hash,
        )
        for number, step in enumerate(steps)
    )


def _script(entries: Sequence[Entry]) -> str:
    """A digest of the player's actions, without the rolls."""
    played = "\n".join(entry.text for entry in entries if entry.actor >= 0)
    return hashlib.sha256(played.encode()).hexdigest()


def _row_after(draft: Draft, after: Position, at: int) -> MatchRow:
    row, seats, to_play = draft.row, draft.all_seats, after.to_play
    same_turn, left = to_play == row.to_play and row.status == "playing", list(row.left)
    if not same_turn and row.to_play >= 0 and row.status == "playing":
        left[row.to_play] = clocks.after_turn(row.clock, left[row.to_play], row.since, at, draft.by == "person")
    # With days per turn, every action restarts the clock.
    since = row.since if same_turn and not isinstance(row.clock, protocol.DaysClock) else None
    row = replace(
        row,
        state=after.state.tobytes(),
        layout=layout(after.game),
        ply=after.ply,
        to_play=to_play,
        turn=row.turn if same_turn else after.ply,
        left=left,
        since=since,
        status="playing",
        changed=at,
    )
    row = _waiting_for(row, seats, at, draft.lease)
    return _over(row, after, at) if to_play == OVER else row


def _waiting_for(row: MatchRow, seats: Sequence[SeatRow], at: int, lease: int) -> MatchRow:
    """Start the clock or the bot of the seat to play. The process that writes this gets the lease on a bot's turn. A
    clock that has started in this turn keeps its start, even if the seat has changed hands."""
    seat = row.to_play
    if seat < 0:
        return replace(row, since=None, deadline=None, bot_turn=False, claimed=0)
    if not seats[seat].plays:
        bot = bot_plays(seats, seat)
        return replace(row, deadline=None, bot_turn=bot, claimed=at + lease if bot else 0)
    since = at if row.since is None else row.since
    return replace(
        row, since=since, deadline=clocks.deadline(row.clock, row.left[seat], since), bot_turn=False, claimed=0
    )


def _over(row: MatchRow, after: Position, at: int) -> MatchRow:
    scores, places = standing(after.state)
    score = scores[0] if after.seats == 1 else None
    return replace(row, status="over", changed=at, result=Result(scores, places, False), score=score)


# Joining


def join(state: TableState, person: Person, asked: protocol.Join, at: int) -> Draft:
    if state.row.status != "waiting":
        raise Denied("table_full", "the match has begun: all seats are taken")
    if seats_of(state, person):
        raise Denied("already_seated", "you already sit at this table")
    seats = _reserved_for(state, person) if asked.secret is None and asked.seat is None else []
    taken = [_taken(seat, person) for seat in seats or [_seat_for(state, person, asked)]]
    return seated(state, taken, contribute(state.row, person, asked.nonce))


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
    """Seat people; the match begins when no seat is free."""
    row, seats = row or state.row, with_seats(state.seats, changed)
    draft = Draft(state.row, row, tuple(changed), seats)
    if any(seat.free for seat in seats):
        return draft
    if state.game is None:
        raise Denied("cannot_continue", state.problem or "this match cannot begin here")
    return draft._replace(position=Position.begin(state.game, len(seats), row.options))


def start(state: TableState, person: Person, bot: str) -> Draft:
    """The host fills the free seats with bots."""
    check_host(state, person, "start it")
    if state.row.status != "waiting":
        raise Denied("over" if state.row.status == "over" else "started", "the match has begun")
    free = [seat for seat in state.seats if seat.free]
    return seated(state, [replace(s, held_by="bot", bot=bot, name=bot, secret=None, reserved=None) for s in free])


def invite(state: TableState, person: Person, seat: int, secret: str) -> Draft:
    """A new invitation for a free seat; an older one stops working."""
    check_host(state, person, "invite")
    if seat >= len(state.seats):
        said = f"this table has {len(state.seats)} seats, and no seat {seat + 1}"
        raise Denied("wrong_seat", said, seat=seat + 1)
    if not state.seats[seat].free or state.row.status != "waiting":
        raise Denied("seat_taken", f"seat {seat + 1} is taken")
    held = replace(state.seats[seat], held_by="friend", name="", secret=secret_digest(secret), reserved=None)
    return _about_seats(state, state.row, [held])


def _about_seats(state: TableState, row: MatchRow, changed: Sequence[SeatRow]) -> Draft:
    return Draft(state.row, row, tuple(changed), with_seats(state.seats, changed))


# Leaving


def leave(state: TableState, person: Person, seat: int | None, at: int, lease: int) -> Draft | None:
    """Before the match begins the seat becomes free. Afterwards the stand-in plays, if another person still plays;
    otherwise the match waits."""
    mine = check_mine(state, person, seat)
    if state.row.status == "waiting":
        return _left_waiting(state, person, mine, at)
    check_playing(state)
    if not any(other.plays and other.person != person.id for other in state.seats):
        return None
    return _handed(state, [replace(state.seats[n], absent=True) for n in mine if state.seats[n].plays], at, lease)


def _left_waiting(state: TableState, person: Person, mine: list[int], at: int) -> Draft:
    """An open seat becomes open again. Any other is reserved for the person who left it, unless the host invites
    somebody else."""
    seats = [_freed(state.seats[n]) for n in mine]
    remaining = with_seats(state.seats, seats)
    row = state.row
    if not any(seat.held_by == "person" for seat in remaining):
        row = replace(row, status="over", changed=at)
    return _about_seats(state, row, seats)


def _freed(seat: SeatRow) -> SeatRow:
    if seat.opens:
        return replace(seat, held_by="open", person=None, name="", secret=None)
    return replace(seat, held_by="friend", person=None, secret=None, reserved=seat.person)


def _handed(state: TableState, changed: Sequence[SeatRow], at: int, lease: int) -> Draft | None:
    """Hand seats to the stand-in, or back to their players. A running clock runs on."""
    if not changed:
        return None
    seats = with_seats(state.seats, changed)
    return Draft(state.row, _waiting_for(state.row, seats, at, lease), tuple(changed), seats)


def come_back(state: TableState, person: Person, seat: int | None, at: int) -> Draft | None:
    mine = check_mine(state, person, seat)
    check_playing(state)
    if any(state.seats[n].resigned for n in mine):
        raise Denied("resigned", "players who have resigned cannot come back", state.row.ply)
    returned = _returned(state, mine, at)
    in_turn = any(seat.seat == state.row.to_play for seat in returned)
    draft = _handed(state._replace(row=_taken_back(state.row)) if in_turn else state, returned, at, 0)
    return draft._replace(before=state.row) if draft else None


def _taken_back(row: MatchRow) -> MatchRow:
    """A player who takes their turn back from the stand-in pays for the time since the last action: otherwise they
    could think for free while the bot does."""
    return replace(row, since=row.changed) if row.since is None and row.bot_turn else row


def _returned(state: TableState, mine: Sequence[int], at: int) -> tuple[SeatRow, ...]:
    """End the absence of these seats; refused if their time is used up."""
    absent = [state.seats[n] for n in mine if state.seats[n].absent]
    for seat in absent:
        since = _taken_back(state.row).since if seat.seat == state.row.to_play else None
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
    draft = _handed(state, [replace(state.seats[row.to_play], absent=True)], at, lease)
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
    draft = _handed(state, gone, at, lease)
    if draft is None:
        return None
    still = [seat for seat in draft.all_seats if not seat.resigned]
    if len(still) <= 1 or not any(seat.held_by == "person" for seat in still):
        return _given_up(draft, position, [seat.seat for seat in still], at)
    return draft


def _given_up(draft: Draft, position: Position, still: Sequence[int], at: int) -> Draft:
    scores = standing(position.state)[0]
    places = [1 if n in still else len(still) + 1 for n in range(len(draft.all_seats))]
    return draft._replace(row=_closed(draft.row, Result(scores, places, True), at))


def _closed(row: MatchRow, result: Result | None, at: int) -> MatchRow:
    row = replace(row, status="over", result=result, changed=at, score=None)
    return replace(row, since=None, deadline=None, bot_turn=False, claimed=0)


# Operators


def close(state: TableState, noted: AuditEntry) -> Draft:
    """End the match without a result."""
    if state.row.status == "over":
        raise Denied("over", "this match is over already", state.row.ply)
    return Draft(state.row, _closed(state.row, None, noted.at), (), state.seats, audit=(noted,))


def delete_line(state: TableState, chat: Sequence[ChatLine], number: int, noted: AuditEntry) -> Draft:
    """Delete the line's text; the line keeps its number."""
    found = next((line for line in chat if line.number == number), None)
    if found is None or found.deleted:
        raise Denied("no_line", f"there is no chat line {number} at this table, or it was deleted before")
    gone = replace(found, text="", phrase=None, deleted=True)
    return Draft(state.row, state.row, (), state.seats, deleted=(gone,), audit=(noted,))


# Chat
def say(state: TableState, person: Person, asked: protocol.Say, at: int) -> Draft:
    mine = check_mine(state, person, None)
    if not state.row.chat:
        raise Denied("no_chat", "there is no chat at this table")
    text = tidy(asked.text)
    if bool(text) == bool(asked.phrase):
        raise Denied("empty_message", "say a line of your own or a quick phrase")
    if asked.phrase and asked.phrase not in protocol.PHRASES:
        there = ", ".join(protocol.PHRASES)
        raise Denied("bad_request", f"there is no quick phrase {asked.phrase!r}; there are: {there}")
    line = ChatLine(state.last_line + 1, person.id, person.name, mine[0], text, asked.phrase, at)
    return Draft(state.row, state.row, (), state.seats, chat=(line,))


def report(
    state: TableState, chat: Sequence[ChatLine], person: Person, asked: protocol.Report, at: int
) -> ReportedLine:
    """A copy of the line for the operators. Everybody who sees the chat may report other people's lines."""
    if not may_watch(state, person):
        raise Denied("private_table", "only players at this table may watch it")
    line = next((line for line in chat if line.number == asked.line and not line.deleted), None)
    if line is None:
        raise Denied("no_line", f"there is no chat line {asked.line} at this table")
    if line.person == person.id:
        raise Denied("own_line", "this line is your own")
    text, note = line.text or line.phrase or "", tidy(asked.note)
    return ReportedLine(
        new_id(), state.row.id, line.number, line.person, line.name, text, person.id, note, at, closed=None
    )


# Previews and hints


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


# After the end


def follow(state: TableState, rematch: str) -> Draft | None:
    """Note which match follows this one."""
    if state.row.rematch:
        return None
    return Draft(state.row, replace(state.row, rematch=rematch), (), state.seats)


# From rows to states


def revive(row: MatchRow, seats: Sequence[SeatRow]) -> TableState:
    """A table from its rows. If the match cannot continue, `problem` says why, and the rows stay as they are."""
    try:
        game = game_of(row)
        return TableState(row, tuple(seats), game, _position(row, game), None)
    except Refusal as refusal:
        return TableState(row, tuple(seats), None, None, f"this match cannot go on here: {refusal}")


def game_of(row: MatchRow) -> Game:
    """The game with the rules that the match began with. If that version is gone, the match continues with today's
    rules, provided that the state's layout is the same."""
    game = load(row.game)
    try:
        return game.at_version(row.rules)
    except BadSetting:
        if row.state is not None and row.layout == layout(game):
            return game
        raise


def _position(row: MatchRow, game: Game) -> Position | None:
    """The position from the state's bytes, if their layout is the current one."""
    if row.state is None:
        return None
    game.check_components(row.components)
    if row.layout != layout(game):
        return None  # see `replayed`
    if len(row.state) != game.State.dtype.itemsize:
        raise Denied("table_damaged", "its state is damaged")
    return Position.at(game, row.state, row.ply)


def replayed(state: TableState, log: Sequence[Entry]) -> TableState:
    """The table, with its actions replayed if its state has another layout."""
    if state.position or state.problem or state.row.state is None or state.game is None:
        return state
    position = Position.begin(state.game, len(state.seats), state.row.options)
    try:
        for entry in log:
            position.play(entry.text)
    except Refusal as refusal:
        return state._replace(problem=f"this match cannot go on here: ply {position.ply}: {refusal}")
    return state._replace(position=position)
