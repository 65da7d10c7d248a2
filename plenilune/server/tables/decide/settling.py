"""Drafts of changes, and their completion: chance plays, clocks run, and the match may end."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from plenilune.core.dice import Dice
from plenilune.core.engine import standing
from plenilune.core.record import CHANCE, OVER
from plenilune.position import Position, Step, layout
from plenilune.server import protocol
from plenilune.server.protocol import AuditEntry, ChatLine, Result
from plenilune.server.storage.rows import By, Change, Entry, MatchRow, SeatRow
from plenilune.server.tables import clocks
from plenilune.server.tables.decide.state import bot_plays

LEAST_PLAYED = 10  # actions of people; a match that ends early with fewer is not kept for long


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


def settle(draft: Draft, dice: Dice | None, at: int, log: Sequence[Entry] = ()) -> Settled:
    """Let chance play, and complete the change. To be called only inside the transaction that writes it."""
    if draft.position is None:
        row = _ended_early(draft, log)
        return Settled(Change(draft.before, row, (), draft.seats, draft.chat, draft.deleted, draft.audit), None)
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


def _ended_early(draft: Draft, log: Sequence[Entry]) -> MatchRow:
    """Nothing is played: whatever ends now is given up, out of time, or closed. Note whether it was played at all:
    otherwise making tables and resigning would fill the database forever."""
    if draft.row.status != "over" or draft.before.status != "playing":
        return draft.row
    return replace(draft.row, brief=sum(entry.by == "person" for entry in log) < LEAST_PLAYED)


def _shuffled(draft: Draft, order: Sequence[int]) -> Draft:
    """The match begins: each seat gets the person or bot that it has drawn."""
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
    row = waiting_for(row, seats, at, draft.lease)
    return _over(row, after, at) if to_play == OVER else row


def waiting_for(row: MatchRow, seats: Sequence[SeatRow], at: int, lease: int) -> MatchRow:
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
