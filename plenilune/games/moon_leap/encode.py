"""What a seat sees of Moon Leap as arrays for networks. Rows of seats begin with the own one, the others follow in
turn; rows that nobody sits on are 0."""

from __future__ import annotations

from typing import Any

from plenilune.core.encoding import Encoded, Encoding, row_of
from plenilune.core.engine import rule
from plenilune.core.record import f32, u8
from plenilune.games.moon_leap.rules import (
    MOVE,
    NOWHERE,
    OFF,
    PASS,
    PAWNS,
    SEATS,
    SPLIT,
    SPLITS,
    STAR,
    UNPLACED_VALUE,
    State,
    landing,
)
from plenilune.games.moon_leap.tables import POSTS, SPACES, VALUES

PAWN_SUM = PAWNS * (PAWNS + 1) // 2
LARGEST = float(PAWN_SUM * max(abs(UNPLACED_VALUE), int(abs(VALUES).max())))  # no score is further from 0
MOST_LEGAL = PAWNS + 2 * (PAWNS - 1)  # more than a star's five pawns, or a pawn and its splits


class Tokens(Encoded):
    seats: Any = u8(1)
    die: Any = u8(1)  # 1 to 5, 6 for the star, 0 while it is to be rolled
    turn: Any = u8(1)  # the row of the seat whose turn it is
    post_passed: Any = u8(1)
    post: Any = u8(1)  # the space just before it
    pawns: Any = u8(SEATS, PAWNS)  # by row: the space of each pawn, 0 if it is not placed yet
    track: Any = u8(SPACES)  # 0 for an empty space, otherwise 5 × row + the pawn's number


class Planes(Encoded):
    table: Any = f32(SEATS + STAR + 1 + SEATS + 1)
    """(16): how many seats there are (4, one of them 1), the die (7, one of them 1, the first while it is to be
    rolled), whose turn it is (4, one of them 1), whether the post is passed."""

    pawns: Any = f32(SEATS, PAWNS, SPACES + 1)
    """(4, 5, spaces + 1): where each pawn stands, one of them 1, the first if it is not placed yet."""

    value: Any = f32(SPACES)
    """What each space counts / 10."""

    scores: Any = f32(SEATS)
    """By row, as if the match ended now / the largest there can be."""


class Option(Encoded):
    kind: Any = u8(1)  # 0 move, 1 split, 2 pass
    first: Any = u8(1)  # the pawn that goes first, or 0
    second: Any = u8(1)  # the one that goes after it, or 0
    start: Any = u8(1)  # the first pawn's space, 0 if it is not placed yet
    end: Any = u8(1)  # where it would land, or 0


@rule
def tokens(s: State, own: int, out: Any) -> None:
    out.seats[0], out.die[0], out.turn[0] = s.seats, s.die, row_of(s, s.mover, own)
    out.post_passed[0], out.post[0] = s.post_passed, POSTS[s.seats]
    out.track[:], out.pawns[:] = 0, 0
    for row in range(s.seats):
        where = s.where[own + row if own + row < s.seats else own + row - int(s.seats)]
        for pawn in range(PAWNS):
            space = int(where[pawn + 1])
            out.pawns[row, pawn] = space
            if space != OFF:
                out.track[space - 1] = PAWNS * row + pawn + 1


@rule
def planes(s: State, own: int, out: Any) -> None:
    out.table[:], out.scores[:], out.pawns[:] = 0, 0, 0
    out.table[s.seats - 1] = 1
    out.table[SEATS + s.die] = 1
    out.table[SEATS + STAR + 1 + row_of(s, s.mover, own)] = 1
    out.table[SEATS + STAR + 1 + SEATS] = s.post_passed
    for seat in range(s.seats):
        row, points = row_of(s, seat, own), 0
        for pawn in range(1, PAWNS + 1):
            space = int(s.where[seat, pawn])
            out.pawns[row, pawn - 1, space] = 1
            points += pawn * (UNPLACED_VALUE if space == OFF else int(VALUES[space]))
        out.scores[row] = points / LARGEST
    for space in range(SPACES):
        out.value[space] = VALUES[space + 1] / 10


@rule
def describe(s: State, action: int, out: Any) -> None:
    out.kind[0], out.first[0], out.second[0], out.start[0], out.end[0] = 2, 0, 0, 0, 0
    if action < MOVE or action == PASS:
        return
    if action < SPLIT:
        out.kind[0], out.first[0] = 0, action - MOVE + 1
    else:
        out.kind[0], out.first[0], out.second[0] = 1, SPLITS[action - SPLIT, 0], SPLITS[action - SPLIT, 1]
    out.start[0] = s.where[s.to_play, out.first[0]]
    there = landing(s, int(s.where[s.to_play, out.first[0]]))
    out.end[0] = there if there != NOWHERE else 0


ENCODING = Encoding(
    Tokens=Tokens,
    Planes=Planes,
    Option=Option,
    tokens=tokens,
    planes=planes,
    describe=describe,
    most_legal=MOST_LEGAL,
)
