"""What everybody sees of Nova Luna, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plenilune.games.nova_luna.rules import (
    ACTIONS,
    PHASE_1,
    PLACE,
    PLACE_AT,
    SLOTS,
    WITHIN_REACH,
    State,
    apply,
    cell_xy,
    first_laid,
    first_open,
    may_stop,
    places,
    reckon_sum_1,
    reckon_sum_2,
    score,
)
from plenilune.games.nova_luna.tables import DESIGNS, NAMES, NO_TILE
from plenilune.record import OVER, Ints

STEPS = ("stack", "fill", "choose", "take", "place", "over")  # as the rules number them
SPACES = 24  # of the track
NOBODY = -1


@dataclass(frozen=True)
class Tile:
    id: str  # its name, as in `r4d`: no two tiles share one
    colour: str  # r, b, t or y
    number: int
    tasks: list[str]  # what each asks for, as in `rrt`


@dataclass(frozen=True)
class Task:
    asks: str
    done: bool  # a token lies on it


@dataclass(frozen=True)
class LaidTile:
    id: str
    colour: str
    number: int
    x: int  # to the right of the seat's first tile
    y: int  # upwards of it
    tasks: list[Task]


@dataclass(frozen=True)
class Tableau:
    seat: int
    tiles: list[LaidTile]  # in the order in which they were laid
    tokens_placed: int
    tokens_left: int


@dataclass(frozen=True)
class TrackToken:
    seat: int
    distance: int  # gone since the start, without ever wrapping
    space: int  # 0, the new moon, to 23
    height: int  # 0 for the token that lies on the board, 1 for the one on top of it …


@dataclass(frozen=True)
class Covered:
    tile: str
    task: int  # the tile's first, second or third: 1, 2 or 3
    asks: str


@dataclass(frozen=True)
class Placement:
    action: str  # as in `place -1,0`
    x: int
    y: int
    covers: list[Covered]  # the tasks that would get a token


@dataclass(frozen=True)
class Solo:
    phase: int  # 1 or 2
    sum_1: int  # as if a phase that is still on ended now
    sum_2: int
    may_stop: bool


@dataclass(frozen=True)
class View:
    to_play: int
    step: str  # what is to be done: stack, fill, choose (refill or keep), take, place; or over
    mover: int  # the seat whose turn it is, also while the wheel is filled; -1 while the stack is built and when over
    wheel: list[Tile | None]  # by slot, 0 to 11
    moon: int  # its slot
    takes: list[int]  # the slots whose tiles `take 1`, `take 2` and `take 3` mean, as the wheel is now
    hand: Tile | None  # taken and not yet laid
    supply: list[str]  # the tiles chance may still draw; they have no order
    track: list[TrackToken]  # who would move soonest comes first; nothing in solo
    tableaux: list[Tableau]  # by seat
    placements: list[Placement]  # where the tile in hand may go
    solo: Solo | None
    scores: list[int]  # tokens placed; in solo the two sums together
    places: list[int]  # as if the match ended now


TILES = [Tile(design.name, design.colour, design.number, list(design.tasks)) for design in DESIGNS]


def view(s: State) -> View:
    seats = range(s.seats)
    return View(
        to_play=int(s.to_play),
        step=STEPS[s.step],
        mover=_mover(s),
        wheel=[_tile(int(tile)) for tile in s.wheel],
        moon=int(s.moon),
        takes=_takes(s),
        hand=_tile(int(s.hand)),
        supply=[NAMES[tile] for tile in s.supply[: s.in_supply]],
        track=_track(s),
        tableaux=[_tableau(s, seat) for seat in seats],
        placements=_placements(s) if s.step == PLACE else [],
        solo=_solo(s) if s.phase else None,
        scores=[int(score(s, seat)) for seat in seats],
        places=_places(s),
    )


def _mover(s: State) -> int:
    if s.to_play == OVER or s.on_track < s.seats:
        return NOBODY
    return int(s.to_play) if s.step == PLACE else int(s.order[0])


def _tile(number: int) -> Tile | None:
    return None if number == NO_TILE else TILES[number]


def _takes(s: State) -> list[int]:
    moon, wheel = int(s.moon), s.wheel
    slots = [(moon + i) % SLOTS for i in range(1, SLOTS)]
    return [slot for slot in slots if wheel[slot] != NO_TILE][:WITHIN_REACH]


def _track(s: State) -> list[TrackToken]:
    if s.phase:
        return []
    order = [int(seat) for seat in s.order[: s.on_track]]
    distances = [int(s.distance[seat]) for seat in order]
    return [
        TrackToken(seat, distance, distance % SPACES, distances[i + 1 :].count(distance))
        for i, (seat, distance) in enumerate(zip(order, distances, strict=True))
    ]


def _tableau(s: State, seat: int) -> Tableau:
    cells, covered, left = s.cell, s.covered, int(s.tokens[seat])
    tiles = [_laid_tile(tile, int(cells[tile]), int(covered[tile])) for tile in _laid(s, seat)]
    return Tableau(seat, tiles, int(s.goal) - left, left)


def _laid(s: State, seat: int) -> list[int]:
    first = first_laid(s, seat)
    return [int(tile) for tile in s.tiles[first : first + s.laid[seat]]]


def _laid_tile(number: int, cell: int, covered: int) -> LaidTile:
    tile = TILES[number]
    tasks = [Task(asks, bool(covered >> i & 1)) for i, asks in enumerate(tile.tasks)]
    return LaidTile(tile.id, tile.colour, tile.number, *cell_xy(cell), tasks)


def _placements(s: State) -> list[Placement]:
    first = first_open(s, s.to_play)
    cells = sorted(int(cell) for cell in s.open_cells[first : first + s.opened[s.to_play]])
    tiles, covered = [*_laid(s, s.to_play), int(s.hand)], s.covered
    actions = [(PLACE_AT + cell, *cell_xy(cell)) for cell in cells]
    return [
        Placement(ACTIONS.text(action), x, y, _differences(covered, _played(s, action).covered, tiles))
        for action, x, y in actions
    ]


def _played(s: State, action: int) -> State:
    after = State.copy(s)
    apply(after, action)
    return after


def _differences(before: Ints, after: Ints, tiles: list[int]) -> list[Covered]:
    """The tasks covered in between."""
    fresh = (after & ~before).tolist()
    return [
        Covered(TILES[tile].id, i + 1, asks)
        for tile in tiles
        for i, asks in enumerate(TILES[tile].tasks)
        if fresh[tile] >> i & 1
    ]


def _solo(s: State) -> Solo:
    phase = 1 if s.phase == PHASE_1 else 2
    return Solo(phase, int(reckon_sum_1(s)), int(reckon_sum_2(s)), bool(may_stop(s)))


def _places(s: State) -> list[int]:
    out = np.zeros(s.seats, np.int32)
    places(s, out)
    return [int(place) for place in out]
