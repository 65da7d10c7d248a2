"""What everybody sees of Nova Luna, made from the state in plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from plenilune.core.engine import standing
from plenilune.core.record import OVER, Ints
from plenilune.games.nova_luna.rules import (
    ACTIONS,
    MOST_LAID,
    PHASE_1,
    PLACE,
    PLACE_AT,
    SLOTS,
    WITHIN_REACH,
    State,
    apply,
    cell_xy,
    first_open,
    may_stop,
    score_sum_1,
    score_sum_2,
)
from plenilune.games.nova_luna.tables import NAMES, NO_TILE
from plenilune.games.nova_luna.view import PRINTED, Tile
from tests.oracles.plain_state import plain_state

STEPS = ("stack", "fill", "choose", "take", "place", "over")  # as the rules number them
SPACES = 24  # of the track
NOBODY = -1
TILES = [tile for tile in PRINTED if tile]


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


SHOWN = (
    *("seats", "to_play", "step", "moon", "hand", "in_supply", "on_track", "phase", "goal", "tokens", "distance"),
    *("laid", "cell", "tiles", "order", "wheel", "supply", "covered"),
)


def view(s: State) -> View:
    now, (scores, places) = plain_state(s, *SHOWN), standing(s)
    return View(
        to_play=now.to_play,
        step=STEPS[now.step],
        mover=_mover(now),
        wheel=[_tile(tile) for tile in now.wheel],
        moon=now.moon,
        takes=_takes(now),
        hand=_tile(now.hand),
        supply=[NAMES[tile] for tile in now.supply[: now.in_supply]],
        track=_track(now),
        tableaux=[_tableau(now, seat) for seat in range(now.seats)],
        placements=_placements(s, now) if now.step == PLACE else [],
        solo=_solo(s) if now.phase else None,
        scores=scores,
        places=places,
    )


# In here `now` is the state as plain numbers (`plain_state`).


def _mover(now: Any) -> int:
    if now.to_play == OVER or now.on_track < now.seats:
        return NOBODY
    return int(now.to_play if now.step == PLACE else now.order[0])


def _tile(number: int) -> Tile | None:
    return PRINTED[number]


def _takes(now: Any) -> list[int]:
    slots = [(now.moon + i) % SLOTS for i in range(1, SLOTS)]
    return [slot for slot in slots if now.wheel[slot] != NO_TILE][:WITHIN_REACH]


def _track(now: Any) -> list[TrackToken]:
    if now.phase:
        return []
    order = now.order[: now.on_track]
    distances = [now.distance[seat] for seat in order]
    return [
        TrackToken(seat, distance, distance % SPACES, distances[i + 1 :].count(distance))
        for i, (seat, distance) in enumerate(zip(order, distances, strict=True))
    ]


def _tableau(now: Any, seat: int) -> Tableau:
    left = now.tokens[seat]
    tiles = [_laid_tile(tile, now.cell[tile], now.covered[tile]) for tile in _laid(now, seat)]
    return Tableau(seat, tiles, now.goal - left, left)


def _laid(now: Any, seat: int) -> list[int]:
    first = int(MOST_LAID[now.seats]) * seat
    return list(now.tiles[first : first + now.laid[seat]])


@lru_cache(maxsize=4096)  # a tile that lies is shown again at every ply
def _laid_tile(number: int, cell: int, covered: int) -> LaidTile:
    tile = TILES[number]
    tasks = [Task(asks, bool(covered >> i & 1)) for i, asks in enumerate(tile.tasks)]
    return LaidTile(tile.id, tile.colour, tile.number, *cell_xy(cell), tasks)


def _placements(s: State, now: Any) -> list[Placement]:
    first = first_open(s, s.to_play)
    cells = sorted(s.open_cells[first : first + s.opened[s.to_play]].tolist())
    tiles, covered = [*_laid(now, now.to_play), now.hand], s.covered.copy()
    actions = [(PLACE_AT + cell, *cell_xy(cell)) for cell in cells]
    return [
        Placement(ACTIONS.text(action), x, y, _differences(covered, _played(s, action)["covered"], tiles))
        for action, x, y in actions
    ]


def _played(s: State, action: int) -> Any:
    after = State.copy(s)
    apply(after, action)
    return after


def _differences(before: Ints, after: Ints, tiles: list[int]) -> list[Covered]:
    """The tasks covered in between."""
    fresh = (after & ~before).tolist()
    if not any(fresh):
        return []
    return [
        Covered(TILES[tile].id, i + 1, asks)
        for tile in tiles
        for i, asks in enumerate(TILES[tile].tasks)
        if fresh[tile] >> i & 1
    ]


def _solo(s: State) -> Solo:
    phase = 1 if s.phase == PHASE_1 else 2
    return Solo(phase, int(score_sum_1(s)), int(score_sum_2(s)), bool(may_stop(s)))
