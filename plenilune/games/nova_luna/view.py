"""What everybody sees of Nova Luna: as plain data, and as the record from which it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plenilune.core.engine import rule
from plenilune.core.record import OVER, i8, i32
from plenilune.core.shape import RecordView, Shape, entry, flag, optional, several
from plenilune.games.nova_luna.rules import (
    ACTIONS,
    CELLS,
    MOST_LAID,
    MOST_OPEN,
    PHASE_1,
    PLACE,
    PLACE_AT,
    SEATS,
    SLOTS,
    WITHIN_REACH,
    State,
    apply,
    cell_xy,
    clockwise,
    first_laid,
    first_open,
    may_stop,
    places,
    score,
    score_sum_1,
    score_sum_2,
)
from plenilune.games.nova_luna.tables import COLOUR, COLOURS, DESIGNS, NAMES, NO_TILE, NUMBER, TASKS, TILES

STEPS = ("stack", "fill", "choose", "take", "place", "over")  # as the rules number them
SPACES = 24  # of the track
NOBODY = -1
MOST_TOKENS = 21  # of a seat (RULES 2.2 to 2.4)
TASK_COUNT = np.array([len(design.tasks) for design in DESIGNS], np.int32)  # by tile
XY = np.array([cell_xy(cell) for cell in range(CELLS)], np.int32)  # by cell


@dataclass(frozen=True)
class Tile:
    id: str  # its name, as in `r4d`: no two tiles share one
    colour: str  # r, b, t or y
    number: int
    tasks: list[str]  # what each asks for, as in `rrt`


@dataclass(frozen=True)
class Covered:
    tile: str
    task: int  # the tile's first, second or third: 1, 2 or 3
    asks: str


# Printed things by the rules' numbers: tiles with None for NO_TILE, and tasks, of which each tile is given TASKS.
PRINTED = [*(Tile(design.name, design.colour, design.number, list(design.tasks)) for design in DESIGNS), None]
ASKS = [(*design.tasks, "", "", "")[task] for design in DESIGNS for task in range(TASKS)]
COVERED = [Covered(NAMES[i // TASKS], i % TASKS + 1, asks) for i, asks in enumerate(ASKS)]


class Task(Shape):
    asks: str = entry(ASKS)
    done: bool = flag()  # a token lies on it


class LaidTile(Shape):
    id: str = entry(NAMES)
    colour: str = entry(COLOURS)
    number: int = i8()
    x: int = i8()  # to the right of the seat's first tile
    y: int = i8()  # upwards of it
    tasks: list[Task] = several(Task, TASKS)


class Tableau(Shape):
    seat: int = i8()
    tiles: list[LaidTile] = several(LaidTile, max(MOST_LAID))  # in the order in which they were laid
    tokens_placed: int = i8()
    tokens_left: int = i8()


class TrackToken(Shape):
    seat: int = i8()
    distance: int = i32()  # gone since the start, without ever wrapping
    space: int = i8()  # 0, the new moon, to 23
    height: int = i8()  # 0 for the token that lies on the board, 1 for the one on top of it …


class Placement(Shape):
    action: str = entry(ACTIONS.texts[PLACE_AT : PLACE_AT + CELLS])  # as in `place -1,0`
    x: int = i8()
    y: int = i8()
    covers: list[Covered] = several(entry(COVERED), MOST_TOKENS)  # the tasks that would get a token


class Solo(Shape):
    phase: int = i8()  # 1 or 2
    sum_1: int = i32()  # as if a phase that is still on ended now
    sum_2: int = i32()
    may_stop: bool = flag()


class View(Shape):
    to_play: int = i32()
    step: str = entry(STEPS)  # what is to be done: stack, fill, choose (refill or keep), take, place; or over
    mover: int = i32()  # the seat whose turn it is, also while the wheel is filled; -1: the stack is built, or over
    wheel: list[Tile | None] = entry(PRINTED, SLOTS)  # by slot, 0 to 11
    moon: int = i8()  # its slot
    takes: list[int] = several(i8(), WITHIN_REACH)  # the slots whose tiles `take 1`, `take 2` and `take 3` mean
    hand: Tile | None = entry(PRINTED)  # taken and not yet laid
    supply: list[str] = several(entry(NAMES), TILES)  # the tiles chance may still draw; they have no order
    track: list[TrackToken] = several(TrackToken, SEATS)  # who would move soonest comes first; nothing in solo
    tableaux: list[Tableau] = several(Tableau, SEATS)  # by seat
    placements: list[Placement] = several(Placement, max(MOST_OPEN))  # where the tile in hand may go
    solo: Solo | None = optional(Solo)
    scores: list[int] = several(i32(), SEATS)  # tokens placed; in solo the two sums together
    places: list[int] = several(i32(), SEATS)  # as if the match ended now


@rule
def fill(s: State, v: Any, spare: Any) -> None:
    v.to_play, v.step, v.mover, v.moon, v.hand = s.to_play, s.step, mover(s), s.moon, s.hand
    fill_wheel(s, v)
    fill_seats(s, v)
    if s.phase == 0:
        fill_track(s, v.track)
    else:
        v.solo.n = 1
        fill_solo(s, v.solo.at[0])
    if s.step == PLACE:
        fill_placements(s, v.placements, spare)


@rule
def mover(s: State) -> int:
    if s.to_play == OVER or s.on_track < s.seats:
        return NOBODY
    return s.to_play if s.step == PLACE else int(s.order[0])


@rule
def fill_wheel(s: State, v: Any) -> None:
    for slot in range(SLOTS):
        v.wheel[slot] = s.wheel[slot]
    v.supply.n = s.in_supply
    for i in range(s.in_supply):
        v.supply.at[i] = s.supply[i]
    slot = clockwise(s.moon)
    while slot != s.moon and v.takes.n < WITHIN_REACH:
        if s.wheel[slot] != NO_TILE:
            v.takes.at[v.takes.n] = slot
            v.takes.n += 1
        slot = clockwise(slot)


@rule
def fill_seats(s: State, v: Any) -> None:
    v.scores.n = v.places.n = v.tableaux.n = s.seats
    places(s, v.places.at)
    for seat in range(s.seats):
        v.scores.at[seat] = score(s, seat)
        fill_tableau(s, seat, v.tableaux.at[seat])


@rule
def fill_tableau(s: State, seat: int, tableau: Any) -> None:
    left, first = s.tokens[seat], first_laid(s, seat)
    tableau.seat, tableau.tokens_placed, tableau.tokens_left = seat, s.goal - left, left
    tableau.tiles.n = s.laid[seat]
    for i in range(s.laid[seat]):
        fill_tile(s, s.tiles[first + i], tableau.tiles.at[i])


@rule
def fill_tile(s: State, tile: int, laid: Any) -> None:
    laid.id, laid.colour, laid.number = tile, COLOUR[tile], NUMBER[tile]
    laid.x, laid.y = XY[s.cell[tile], 0], XY[s.cell[tile], 1]
    laid.tasks.n = TASK_COUNT[tile]
    for i in range(TASK_COUNT[tile]):
        laid.tasks.at[i].asks, laid.tasks.at[i].done = int(tile) * TASKS + i, s.covered[tile] >> i & 1


@rule
def fill_track(s: State, track: Any) -> None:
    track.n = s.on_track
    for i in range(s.on_track):
        token, seat = track.at[i], s.order[i]
        token.seat, token.distance, token.space = seat, s.distance[seat], s.distance[seat] % SPACES
        for j in range(i + 1, s.on_track):
            if s.distance[s.order[j]] == s.distance[seat]:
                token.height += 1


@rule
def fill_solo(s: State, solo: Any) -> None:
    solo.phase = 1 if s.phase == PHASE_1 else 2
    solo.sum_1, solo.sum_2, solo.may_stop = score_sum_1(s), score_sum_2(s), may_stop(s)


@rule
def fill_placements(s: State, placements: Any, spare: Any) -> None:
    placements.n = s.opened[s.to_play]
    sort_cells(s, placements.at)
    for i in range(placements.n):
        placement = placements.at[i]
        cell = int(placement.action)
        placement.x, placement.y = XY[cell, 0], XY[cell, 1]
        spare[0] = s
        apply(spare[0], PLACE_AT + cell)
        fill_covers(s, spare[0], placement.covers)


@rule
def sort_cells(s: State, placements: Any) -> None:
    """The open cells in the order of their numbers, by insertion."""
    first = first_open(s, s.to_play)
    for i in range(s.opened[s.to_play]):
        cell, j = s.open_cells[first + i], i
        while j > 0 and placements[j - 1].action > cell:
            placements[j].action = placements[j - 1].action
            j -= 1
        placements[j].action = cell


@rule
def fill_covers(before: State, after: State, covers: Any) -> None:
    """The tasks covered in between."""
    first = first_laid(after, before.to_play)
    for i in range(first, first + after.laid[before.to_play]):
        tile = int(after.tiles[i])
        fresh = after.covered[tile] & ~before.covered[tile]
        for task in range(TASK_COUNT[tile]):
            if fresh >> task & 1:
                covers.at[covers.n] = tile * TASKS + task
                covers.n += 1


view = RecordView(View, fill)
