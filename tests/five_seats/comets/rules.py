"""Every seat is dealt a secret star, 1 to 6. In a turn a seat calls `low` or `high` and a die is rolled: 1 point for a
right call, 2 points at the end for every roll that equals the seat's star."""

from __future__ import annotations

from typing import Any

from plenilune.core.engine import below, rule
from plenilune.core.record import CHANCE, OVER, BaseState, Ints, i8, i32
from plenilune.core.spaces import ActionSpace

SEATS, ROUNDS, FACES = 5, 10, 6
UNDEALT, UNKNOWN = 0, -1
UNCALLED = -1

ACTIONS = ActionSpace(
    deal=([str(seat + 1) for seat in range(SEATS)], [str(star + 1) for star in range(FACES)]),
    call=(("low", "high"),),
    roll=([str(face + 1) for face in range(FACES)],),
)
DEAL, CALL, ROLL = (ACTIONS[verb] for verb in ("deal", "call", "roll"))


class State(BaseState):
    star: Ints = i8(SEATS)  # by seat: 1 to 6, UNDEALT or UNKNOWN
    called: int = i32()  # 0 for low, 1 for high, UNCALLED
    turn: int = i32()  # turns finished
    right: Ints = i32(SEATS)  # right calls, by seat
    rolled: Ints = i8(SEATS, ROUNDS)  # faces, by seat and round; 0 before


@rule
def setup(s: State, seats: int, options: Any) -> None:
    s.seats, s.to_play, s.called, s.turn = seats, CHANCE, UNCALLED, 0
    for seat in range(SEATS):
        s.star[seat], s.right[seat] = UNDEALT, 0
        for n in range(ROUNDS):
            s.rolled[seat, n] = 0


@rule
def next_undealt(s: State) -> int:
    seat = 0
    while seat < s.seats and s.star[seat] != UNDEALT:
        seat += 1
    return seat


@rule
def legal(s: State, out: Ints) -> int:
    if s.to_play != CHANCE:
        out[0], out[1] = CALL, CALL + 1
        return 2
    first = ROLL if s.called != UNCALLED else DEAL + next_undealt(s) * FACES
    for face in range(FACES):
        out[face] = first + face
    return FACES


@rule
def apply(s: State, action: int) -> None:
    if action >= ROLL:
        roll(s, action - ROLL + 1)
    elif action >= CALL:
        s.called, s.to_play = action - CALL, CHANCE
    else:
        s.star[(action - DEAL) // FACES] = (action - DEAL) % FACES + 1
        if next_undealt(s) == s.seats:
            s.to_play = 0


@rule
def roll(s: State, face: int) -> None:
    seat = s.turn % s.seats
    s.rolled[seat, s.turn // s.seats] = face
    if (face > FACES // 2) == (s.called == 1):
        s.right[seat] += 1
    s.turn, s.called = s.turn + 1, UNCALLED
    s.to_play = s.turn % s.seats if s.turn < ROUNDS * s.seats else OVER


@rule
def score(s: State, seat: int) -> int:
    points = s.right[seat]
    for n in range(ROUNDS):
        if s.star[seat] > 0 and s.rolled[seat, n] == s.star[seat]:
            points += 2
    return int(points)


@rule
def evaluate(s: State, out: Any) -> None:
    """A seat's share of the points, each with one to begin with."""
    total = 0.0
    for seat in range(s.seats):
        out[seat] = 1.0 + score(s, seat)
        total += out[seat]
    for seat in range(s.seats):
        out[seat] /= total


@rule
def hide(s: State, viewer: int) -> None:
    for seat in range(s.seats):
        if s.to_play != OVER and seat != viewer and s.star[seat] != UNDEALT:
            s.star[seat] = UNKNOWN


@rule
def resample(s: State, viewer: int, rng: Any) -> None:
    for seat in range(s.seats):
        if s.star[seat] == UNKNOWN:
            s.star[seat] = 1 + below(rng, FACES)


@rule
def known(s: State, action: int, seat: int) -> int:
    """Of another seat's star only whose it is."""
    return 1 if action < CALL and (action - DEAL) // FACES != seat else 2
