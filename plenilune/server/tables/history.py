"""A match's history: every position as a viewer may know it, its dice, and its file."""

from __future__ import annotations

from collections.abc import Callable

from plenilune.core.dice import Dice
from plenilune.core.errors import Refusal
from plenilune.core.record import CHANCE
from plenilune.game import load
from plenilune.match import Match
from plenilune.position import Position
from plenilune.server.protocol import DiceRolls, Frame, History, Roll
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.export import replay
from plenilune.server.tables import shown
from plenilune.server.tables.diff import Parts, Shown, changed, rendered, whole
from plenilune.server.tables.shown import TableView

MOST_FRAMES = 400  # per answer


def history(view: TableView, viewer: int, first: int, last: int | None) -> Callable[[], History]:
    """The positions from one ply to another as the viewer saw them, or with everything shown once the match is over.
    This reads the table and returns a function with the slow part, which may run in a thread."""
    ply = view.row.ply
    until = min(ply, first + MOST_FRAMES - 1, ply if last is None else last)
    begin, eyes, entries = _beginning(view), shown.eyes(view, viewer), view.log[: max(0, until)]
    texts = [entry.text for entry in entries]
    log = [shown.log_entry(view.state, entry, viewer) for entry in entries]

    def make() -> History:
        frames = list[Frame]()
        before: Shown | None = None
        for position in begin().walk(texts):
            if not first <= position.ply <= until:
                continue
            found = rendered(position.game, position.seen(eyes), position.ply)
            fields, parts = changed(before.view, found.view) if before else (whole(found.view), Parts())
            entry, to_play = log[position.ply - 1] if position.ply else None, position.to_play
            frames.append(Frame(found.ply, found.hash, fields, parts, entry, to_play, found.scores, found.places))
            before = found
        return History(view.row.id, viewer, first, until, ply, frames)

    return make


def dice(view: TableView) -> Callable[[], DiceRolls]:
    """Every roll, with all possible outcomes."""
    seed = _open_seed(view)
    begin, entries, row = _beginning(view), list(view.log), view.row
    nonces = [nonce.nonce for nonce in row.nonces]
    order = Dice(seed, nonces).order(len(view.state.seats)) if row.seating == "random" else None

    def make() -> DiceRolls:
        positions = begin().walk(entry.text for entry in entries)
        rolls = [
            Roll(entry.ply, position.legal_texts(), entry.text)
            for entry, position in zip(entries, positions, strict=False)  # `walk` also yields the final position
            if position.to_play == CHANCE
        ]
        return DiceRolls(row.id, row.commitment, seed, nonces, order, rolls)

    return make


def saved(view: TableView) -> str:
    """The match as the text of a `.match` file."""
    seed, position = _open_seed(view), view.state.position
    scores = position.standing()[0] if position and position.over else []
    return replay(view.row, seed, view.state.seats, view.log, scores).text()


def match(view: TableView) -> Callable[[], Match]:
    """The match, for a review."""
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
        game = load(row.game).as_played(row.rules, row.components)
    except Refusal as refusal:
        raise Denied("cannot_continue", f"this match cannot be replayed here: {refusal}") from refusal
    return lambda: Position.begin(game, len(view.state.seats), row.options)


def _open_seed(view: TableView) -> str:
    if view.row.status != "over":
        raise Denied("seed_hidden", "the seed and what follows from it are shown when the match is over")
    if view.seed is None:
        raise Denied("seed_hidden_daily", "the seed of a daily deal is shown when its ranking is closed")
    return view.seed
