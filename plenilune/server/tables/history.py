"""A match's past: every position as somebody may know it, its dice, its file."""

from __future__ import annotations

from collections.abc import Callable

from plenilune.dice import Dice
from plenilune.engine import standing
from plenilune.errors import Refusal
from plenilune.match import Match
from plenilune.record import CHANCE, OVER
from plenilune.replay import Replay
from plenilune.server.protocol import DiceRolls, Frame, History, Roll
from plenilune.server.protocol.refusals import Denied
from plenilune.server.tables.board import Board
from plenilune.server.tables.diff import Parts, Shown, changed, show, whole
from plenilune.server.tables.table import Table

MOST_FRAMES = 400  # in one answer


def history(table: Table, viewer: int, first: int, last: int | None) -> Callable[[], History]:
    """The positions from one ply to another, as the viewer saw them then; when the match is over, as it was. Reads the
    table now, and returns what may be done in a thread."""
    until = min(table.ply, first + MOST_FRAMES - 1, table.ply if last is None else last)
    begin, entries, eyes = _beginning(table), list(table.log), table.audience.eyes(viewer)
    told = [table.told(entry, viewer) for entry in entries[:until]]

    def make() -> History:
        board, frames = begin(), list[Frame]()
        before: Shown | None = None
        for ply in range(until + 1):
            if ply >= first:
                shown = show(board.game, board.seen(eyes), ply)
                view, parts = changed(before.view, shown.view) if before else (whole(shown.view), Parts())
                entry, to_play = told[ply - 1] if ply else None, board.to_play
                frames.append(Frame(ply, shown.hash, view, parts, entry, to_play, shown.scores, shown.places))
                before = shown
            if ply < until:
                board.play(entries[ply].text)
        return History(table.id, viewer, first, until, len(entries), frames)

    return make


def dice(table: Table) -> Callable[[], DiceRolls]:
    """Every roll, with all that could have been rolled."""
    _check_open(table)
    begin, entries = _beginning(table), list(table.log)

    def make() -> DiceRolls:
        board, rolls = begin(), list[Roll]()
        for entry in entries:
            if board.to_play == CHANCE:
                rolls.append(Roll(entry.ply, board.legal_texts(), entry.text))
            board.play(entry.text)
        seed = table.row["seed"]
        return DiceRolls(table.id, Dice(seed).commitment, seed, rolls)

    return make


def saved(table: Table) -> str:
    """The match as a file."""
    _check_open(table)
    row, board = table.row, table.board
    scores = standing(board.state)[0] if board and board.to_play == OVER else []
    standard = {
        "game": row["game"],
        "rules": str(row["rules"]),
        "components": row["components"],
        "seats": str(len(table.seats)),
        "options": " ".join(f"{name}={word}" for name, word in table.options.items()),
        "seed": row["seed"],
        "scores": " ".join(map(str, scores)),
        "resigned": " ".join(str(s["seat"] + 1) for s in table.seats if s["resigned"]),
    }
    return Replay({key: value for key, value in standard.items() if value}, [e.text for e in table.log]).text()


def match(table: Table) -> Callable[[], Match]:
    """To be reviewed."""
    text = saved(table)

    def make() -> Match:
        try:
            return Match.load(text)
        except Refusal as refusal:
            raise Denied("cannot_continue", f"this match cannot be replayed here: {refusal}") from refusal

    return make


def _beginning(table: Table) -> Callable[[], Board]:
    game, row = table.game, table.row
    if table.status == "waiting" or not table.log:
        raise Denied("not_started", "the match has not begun")
    if game is None or row["rules"] != game.version or row["components"] != game.components:
        raise Denied("cannot_continue", "this match was begun by other rules or components: it cannot be replayed here")
    seats, options, seed = len(table.seats), table.options, row["seed"]
    return lambda: Board.begin(game, seats, options, seed)


def _check_open(table: Table) -> None:
    if table.status != "over":
        raise Denied("not_over", "the seed and what follows from it are shown when the match is over")
    if not table.is_open():
        raise Denied("not_over", "the seed of a daily deal is shown when its ranking is closed")
