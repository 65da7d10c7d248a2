"""From the database's rows to a table. A new release continues the matches that an older one began, where it can."""

from __future__ import annotations

from collections.abc import Sequence

from plenilune.core.errors import Refusal
from plenilune.game import Game, load
from plenilune.position import Position, layout
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import Entry, MatchRow, SeatRow
from plenilune.server.tables.decide.state import TableState


def revive(row: MatchRow, seats: Sequence[SeatRow]) -> TableState:
    """A table from its rows. If the match cannot continue, `problem` says why, and the rows stay as they are."""
    try:
        game = game_of(row)
        return TableState(row, tuple(seats), game, _position(row, game), None)
    except Refusal as refusal:
        return TableState(row, tuple(seats), None, None, f"this match cannot go on here: {refusal}")


def game_of(row: MatchRow) -> Game:
    """The game with the rules and the components that the match was created with. If that version of the rules is gone,
    the match continues with today's, provided that the state's layout is the same."""
    game = load(row.game)
    gone = row.rules not in game.versions
    continues = gone and row.state is not None and row.layout == layout(game)
    return game.as_played(game.version if continues else row.rules, row.components)


def _position(row: MatchRow, game: Game) -> Position | None:
    """The position from the state's bytes, if their layout is the current one."""
    if row.state is None:
        return None
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
