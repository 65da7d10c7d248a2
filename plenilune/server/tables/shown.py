"""What a viewer is shown of a table: pure functions from a table to the protocol's messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plenilune.core.record import OVER, SPECTATOR
from plenilune.position import Ahead, Position
from plenilune.server import protocol
from plenilune.server.protocol import ChatLine, Clocks, LogEntry, Previewed, SeatInfo, TableInfo
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import Entry, MatchRow, Person, SeatRow
from plenilune.server.tables import daily, decide
from plenilune.server.tables.decide import TableState
from plenilune.server.tables.diff import Parts, Shown, changed, rendered, whole


class TableView(NamedTuple):
    """Everything about a table that viewers may be shown, each their part of it."""

    state: TableState
    log: Sequence[Entry]
    chat: Sequence[ChatLine]
    seed: str | None  # None until it is published
    bots_ready: bool

    @property
    def row(self) -> MatchRow:
        return self.state.row

    @property
    def has_secrets(self) -> bool:
        return bool(self.state.game and self.state.game.secrets)


class Crowd(NamedTuple):
    """The watchers who are connected."""

    seats: frozenset[int] = frozenset()
    spectators: int = 0


# Viewers


def check_watching(state: TableState, person: Person | None) -> None:
    if not decide.may_watch(state, person):
        raise Denied("private_table", "only players at this table may watch it")


def check_seeing(state: TableState, person: Person | None) -> None:
    """While a table waits for players, everybody with the link may see who sits there: they may be invited."""
    if state.row.status != "waiting":
        check_watching(state, person)


def check_begun(state: TableState) -> None:
    """Refused unless there is a position to show."""
    if state.row.status == "waiting":
        raise Denied("not_started", "the match has not begun: seats are free")
    if not state.position:
        raise Denied("cannot_continue", state.problem or "nothing was played at this table")


def viewer(state: TableState, person: Person | None, wanted: int | None) -> int:
    """The seat whose view a person is shown: one of their own, or a spectator's view."""
    check_watching(state, person)
    mine = decide.seats_of(state, person)
    if wanted is None:
        return mine[0] if len(mine) == 1 else SPECTATOR
    if wanted != SPECTATOR and wanted not in mine:
        raise Denied("not_your_seat", f"seat {wanted + 1} is not yours", seat=wanted + 1)
    return wanted


def eyes(view: TableView, viewer: int) -> int:
    """The viewer, or SPECTATOR in games without secrets, where everybody sees the same."""
    return viewer if view.has_secrets else SPECTATOR


# The board


def scene(view: TableView, eyes: int) -> Shown:
    """The position as this viewer sees it."""
    position = view.state.position
    assert position
    return rendered(position.game, position.seen(eyes), view.row.ply)


def legal(view: TableView, viewer: int) -> list[str]:
    """The viewer's legal actions."""
    position, row = view.state.position, view.row
    if not position or row.status != "playing" or viewer != row.to_play or view.state.seats[viewer].resigned:
        return []
    return position.legal_for(viewer)


def update(
    view: TableView, viewer: int, found: Shown, at: int, log_from: int = 0, base: Shown | None = None
) -> protocol.Update:
    """The position: whole, or as a diff from `base`."""
    first = base.ply if base else min(log_from, view.row.ply)
    fields, parts = changed(base.view, found.view) if base else (whole(found.view), Parts())
    return protocol.Update(
        match=view.row.id,
        viewer=viewer,
        ply=view.row.ply,
        hash=found.hash,
        base=base.ply if base else None,
        base_hash=base.hash if base else None,
        view=fields,
        parts=parts,
        log=[log_entry(view.state, entry, viewer) for entry in view.log[first:]],
        log_from=first,
        to_play=view.row.to_play,
        legal=legal(view, viewer),
        turn=view.row.turn,
        scores=found.scores,
        places=found.places,
        clocks=clocks(view.row),
        now=at,
    )


def log_entry(state: TableState, entry: Entry, viewer: int) -> LogEntry:
    """The action as far as the viewer may know it; all of it once the match is over."""
    verb, _, rest = entry.text.partition(" ")
    args = rest.split()
    if entry.known and state.game and state.position and state.position.to_play != OVER:
        number = state.game.actions.parse(entry.text)
        args = state.game.actions.text(number, entry.known[viewer + 1]).split()[1:]
    return LogEntry(entry.ply, entry.actor, f"{state.row.game}.{verb}", args, entry.by, entry.at)


def previewed(state: TableState, id: str, ahead: Ahead) -> Previewed:
    assert state.game
    found = rendered(state.game, ahead.seen, state.row.ply)
    return Previewed(
        id=id,
        ply=state.row.ply,
        done=ahead.done,
        stopped=ahead.stopped,
        view=whole(found.view),
        to_play=int(ahead.seen.to_play),
        legal=Position(state.game, ahead.seen, state.row.ply + ahead.done).legal_for(state.row.to_play),
        scores=found.scores,
        places=found.places,
    )


# The table around it


def clocks(row: MatchRow) -> Clocks:
    running = row.to_play if row.deadline is not None or (row.since is not None and not row.bot_turn) else None
    return Clocks(row.left, running, row.since if running is not None else None, row.deadline)


def info(view: TableView, person: Person | None, crowd: Crowd, at: int) -> TableInfo:
    state, row = view.state, view.row
    return TableInfo(
        id=row.id,
        game=row.game,
        rules=row.rules,
        components=row.components,
        options=row.options,
        status=row.status,
        seats=seat_infos(state.seats, state_stand_in(state), at, crowd.seats),
        mine=decide.seats_of(state, person),
        host=row.host,
        am_host=decide.is_host(state, person),
        seating=row.seating,
        clock=row.clock,
        clocks=clocks(row),
        public=row.public,
        spectators=row.spectators,
        hints=row.hints,
        bots_ready=view.bots_ready,
        chat=row.chat,
        stand_in=state_stand_in(state),
        ply=row.ply,
        to_play=row.to_play,
        created=row.created,
        changed=row.changed,
        fairness=protocol.Fairness(row.commitment, row.nonces, view.seed),
        daily=deal_of(row),
        result=row.result,
        rematch=row.rematch,
        watching=crowd.spectators,
        problem=state.problem,
    )


def state_stand_in(state: TableState) -> str:
    return decide.stand_in(state.row, decide.weakest(state.game))


def deal_of(row: MatchRow) -> protocol.Daily | None:
    """The daily deal that the match is an attempt at, if any."""
    return protocol.Daily(row.daily, daily.closes(row.daily)) if row.daily else None


def may_show_seed(row: MatchRow, at: int) -> bool:
    """A daily deal's seed is shared by everybody, so it stays secret until the ranking is closed."""
    return row.status == "over" and (row.daily is None or daily.closes(row.daily) <= at)


def told_apart(names: Sequence[str]) -> list[str]:
    """Number people who have the same name, such as several at one screen.

    >>> told_apart(["Ada", "Ben", "Ada", "", "Ada", ""])
    ['Ada', 'Ben', 'Ada 2', '', 'Ada 3', '']
    >>> told_apart(["Ada", "Ada", "Ada 2"])
    ['Ada', 'Ada 3', 'Ada 2']
    """
    found: list[str] = []
    for name in names:
        number, called = 1, name
        while name and (called in found or (number > 1 and called in names)):
            number += 1
            called = f"{name} {number}"
        found.append(called)
    return found


def seat_infos(seats: Sequence[SeatRow], stand_in: str, at: int, here: frozenset[int] = frozenset()) -> list[SeatInfo]:
    names = told_apart([seat.name if seat.held_by == "person" else "" for seat in seats])
    return [_seat_info(seat, name, stand_in, at, here) for seat, name in zip(seats, names, strict=True)]


def _seat_info(seat: SeatRow, name: str, stand_in: str, at: int, here: frozenset[int]) -> SeatInfo:
    return SeatInfo(
        seat=seat.seat,
        held_by=seat.held_by,
        name=name or seat.name,
        person=seat.person,
        bot=seat.bot if seat.held_by == "bot" else stand_in if seat.absent else None,
        connected=seat.seat in here or seat.present > at,
        absent=seat.absent,
        resigned=seat.resigned,
        reserved=seat.reserved,
    )
