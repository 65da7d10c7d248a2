"""A match's past: every position as somebody may know it, its dice, its file."""

from __future__ import annotations

from collections.abc import Callable

from plenilune.engine import standing
from plenilune.errors import Refusal
from plenilune.game import load
from plenilune.match import Match
from plenilune.position import Position
from plenilune.record import CHANCE, OVER
from plenilune.replay import Replay
from plenilune.server.protocol import DiceRolls, Frame, History, Roll
from plenilune.server.protocol.refusals import Denied
from plenilune.server.tables import shown
from plenilune.server.tables.diff import Parts, Shown, changed, show, whole
from plenilune.server.tables.shown import TableView

MOST_FRAMES = 400  # in one answer


def history(view: TableView, viewer: int, first: int, last: int | None) -> Callable[[], History]:
    """The positions from one ply to another, as the viewer saw them then; when the match is over, as it was. Reads the
    table now, and returns what may be done in a thread."""
    ply = view.row.ply
    until = min(ply, first + MOST_FRAMES - 1, ply if last is None else last)
    begin, entries, eyes = _beginning(view), list(view.log), shown.eyes(view, viewer)
    told = [shown.told(view.state, entry, viewer) for entry in entries[:until]]

    def make() -> History:
        position, frames = begin(), list[Frame]()
        before: Shown | None = None
        for ply in range(until + 1):
            if ply >= first:
                found = show(position.game, position.seen(eyes), ply)
                fields, parts = changed(before.view, found.view) if before else (whole(found.view), Parts())
                entry, to_play = told[ply - 1] if ply else None, position.to_play
                frames.append(Frame(ply, found.hash, fields, parts, entry, to_play, found.scores, found.places))
                before = found
            if ply < until:
                position.play(entries[ply].text)
        return History(view.row.id, viewer, first, until, len(entries), frames)

    return make


def dice(view: TableView) -> Callable[[], DiceRolls]:
    """Every roll, with all that could have been rolled."""
    seed = _open_seed(view)
    begin, entries, row = _beginning(view), list(view.log), view.row

    def make() -> DiceRolls:
        position, rolls = begin(), list[Roll]()
        for entry in entries:
            if position.to_play == CHANCE:
                rolls.append(Roll(entry.ply, position.legal_texts(), entry.text))
            position.play(entry.text)
        return DiceRolls(row.id, row.commitment, seed, [nonce.nonce for nonce in row.nonces], rolls)

    return make


def saved(view: TableView) -> str:
    """The match as a file."""
    seed, row, position = _open_seed(view), view.row, view.state.position
    scores = standing(position.state)[0] if position and position.to_play == OVER else []
    standard = {
        "game": row.game,
        "rules": str(row.rules),
        "components": row.components,
        "seats": str(len(view.state.seats)),
        "options": " ".join(f"{name}={word}" for name, word in row.options.items()),
        "seed": seed,
        "nonces": " ".join(nonce.nonce for nonce in row.nonces),
        "scores": " ".join(map(str, scores)),
        "resigned": " ".join(str(seat.seat + 1) for seat in view.state.seats if seat.resigned),
    }
    return Replay({key: value for key, value in standard.items() if value}, [e.text for e in view.log]).text()


def match(view: TableView) -> Callable[[], Match]:
    """To be reviewed."""
    text = saved(view)

    def make() -> Match:
        try:
            return Match.load(text)
        except Refusal as refusal:
            raise Denied("cannot_continue", f"this match cannot be replayed here: {refusal}") from refusal

    return make


def _beginning(view: TableView) -> Callable[[], Position]:
    row = view.row
    if row.status == "waiting" or not view.log:
        raise Denied("not_started", "the match has not begun")
    try:
        game = load(row.game).at_version(row.rules)
    except Refusal as refusal:
        raise Denied("cannot_continue", f"this match cannot be replayed here: {refusal}") from refusal
    if row.components != game.components:
        raise Denied("cannot_continue", "this match was begun with other components: it cannot be replayed here")
    return lambda: Position.begin(game, len(view.state.seats), row.options)


def _open_seed(view: TableView) -> str:
    if view.row.status != "over":
        raise Denied("not_over", "the seed and what follows from it are shown when the match is over")
    if view.seed is None:
        raise Denied("not_over", "the seed of a daily deal is shown when its ranking is closed")
    return view.seed
