"""The rules of Moon Leap, as compiled functions over one State; RULES.md has them in words."""

from __future__ import annotations

import numpy as np

from plenilune.core.engine import rule
from plenilune.core.record import CHANCE, OVER, BaseState, Ints, i8, i32
from plenilune.core.spaces import ActionSpace
from plenilune.games.moon_leap.tables import POSTS, SPACES, VALUES

SEATS, PAWNS = 4, 5
STAR = 6  # the die's sixth face
OFF = 0  # the space of a pawn that is not placed yet: it moves on from there like any other
EMPTY = -1  # nobody stands on a space
NOWHERE = -1  # there is no empty space ahead
UNPLACED_VALUE = -5
RUN, GOAL = 3, 3  # pawns in a row that give another turn; spaces at the end that end the match

# RULES 11: pawns go at most so often, and at most two passes stand between. With 2 seats only the dice set a bound.
GOINGS = sum(range(SPACES - SEATS * PAWNS, SPACES + 1)) - (SPACES - 2) + 1
BOUND = 2 * 3 * GOINGS

ACTIONS = ActionSpace(
    roll=(("1", "2", "3", "4", "5", "*"),),
    move=(("1", "2", "3", "4", "5"),),
    split=(("1 2", "2 1", "1 3", "3 1", "1 4", "4 1", "2 3", "3 2"),),
    pass_=(),  # the verb is `pass`
)
ROLL, MOVE, SPLIT, PASS = (ACTIONS[verb] for verb in ("roll", "move", "split", "pass"))
SPLITS = np.array([word.split() for word in ACTIONS.verbs["split"][0]], np.int32)  # first and second pawn
SPLITS_OF = np.array([[0, 0], [0, 0], [0, 0], [0, 2], [2, 4], [4, 8], [0, 0]], np.int32)  # by face: from, to


class State(BaseState):
    mover: int = i32()  # the seat whose turn it is, also while the die is rolled for it
    die: int = i32()  # the face that lies up: 1 to 5, STAR, or 0 while it is to be rolled
    post_passed: int = i32()  # 1 once a pawn stands beyond the post
    where: Ints = i8(SEATS, PAWNS + 1)  # space of each seat's pawn, by the pawn's number, or OFF
    track: Ints = i8(SPACES + 1)  # the seat that stands on each space, or EMPTY; there is no space 0


@rule
def setup(s: State, seats: int, options: Ints) -> None:
    s.seats, s.to_play, s.mover, s.die, s.post_passed = seats, CHANCE, 0, 0, 0
    s.where[:] = OFF
    s.track[:] = EMPTY


@rule
def legal(s: State, out: Ints) -> int:
    if s.to_play == CHANCE:
        return legal_rolls(out)
    n = legal_moves(s, out)
    if s.post_passed:
        n = legal_splits(s, out, n)
    if n == 0:  # RULES 7.1
        out[n] = PASS
        n += 1
    return n


@rule
def legal_rolls(out: Ints) -> int:
    for face in range(STAR):
        out[face] = ROLL + face
    return STAR


@rule
def legal_moves(s: State, out: Ints) -> int:
    n = 0
    first, last = (1, PAWNS) if s.die == STAR else (s.die, s.die)
    for pawn in range(first, last + 1):
        if can_go(s, s.where[s.to_play, pawn]):
            out[n] = MOVE + pawn - 1
            n += 1
    return n


@rule
def can_go(s: State, space: int) -> bool:
    """RULES 4.5: while the match lasts one of the last three spaces is empty."""
    return space <= SPACES - GOAL or landing(s, space) != NOWHERE


@rule
def legal_splits(s: State, out: Ints, n: int) -> int:
    for split in range(SPLITS_OF[s.die, 0], SPLITS_OF[s.die, 1]):
        if can_split(s, SPLITS[split, 0], SPLITS[split, 1]):
            out[n] = SPLIT + split
            n += 1
    return n


@rule
def can_split(s: State, first: int, second: int) -> bool:
    """RULES 5.5 and 5.6: both can go, one after the other, even if the first one's landing ends the match."""
    left = s.where[s.to_play, first]
    if left <= SPACES - GOAL and s.where[s.to_play, second] <= SPACES - GOAL and empty_goals(s) > 1:
        return True  # the commonest case, seen at a glance: the first takes one goal at most, and another stays free
    taken = landing(s, left)
    if taken == NOWHERE:
        return False
    for space in range(s.where[s.to_play, second] + 1, SPACES + 1):
        if (s.track[space] == EMPTY or space == left) and space != taken:
            return True
    return False


@rule
def landing(s: State, space: int) -> int:
    """The next empty space ahead of this one, or NOWHERE."""
    for ahead in range(space + 1, SPACES + 1):
        if s.track[ahead] == EMPTY:
            return ahead
    return NOWHERE


@rule
def empty_goals(s: State) -> int:
    """How many of the last three spaces are still free."""
    n = 0
    for space in range(SPACES - GOAL + 1, SPACES + 1):
        if s.track[space] == EMPTY:
            n += 1
    return n


@rule
def apply(s: State, action: int) -> None:
    if action < MOVE:
        s.die, s.to_play = action - ROLL + 1, s.mover
    elif action < SPLIT:
        end_turn(s, leap(s, action - MOVE + 1))
    elif action < PASS:
        split_roll(s, SPLITS[action - SPLIT, 0], SPLITS[action - SPLIT, 1])
    else:
        end_turn(s, False)


@rule
def split_roll(s: State, first: int, second: int) -> None:
    leap(s, first)
    in_run = False
    if empty_goals(s) > 0:  # RULES 8.2: otherwise the match is over and the second stays
        in_run = leap(s, second)
    end_turn(s, in_run or stands_in_run(s, s.where[s.to_play, first]))


@rule
def leap(s: State, pawn: int) -> bool:
    """Place the pawn or move it on; tells whether it now stands in a run."""
    here = s.where[s.to_play, pawn]
    there = landing(s, here)
    if here != OFF:
        s.track[here] = EMPTY
    s.track[there] = s.to_play
    s.where[s.to_play, pawn] = there
    if there > POSTS[s.seats]:
        s.post_passed = 1
    return stands_in_run(s, there)


@rule
def stands_in_run(s: State, space: int) -> bool:
    seat = s.track[space]
    first = last = space
    while first > 1 and s.track[first - 1] == seat:
        first -= 1
    while last < SPACES and s.track[last + 1] == seat:
        last += 1
    return last - first + 1 >= RUN


@rule
def end_turn(s: State, again: bool) -> None:
    s.die, s.to_play = 0, CHANCE
    if empty_goals(s) == 0:
        s.to_play = OVER
    elif not again:
        s.mover = s.mover + 1 if s.mover + 1 < s.seats else 0


@rule
def score(s: State, seat: int) -> int:
    points = 0
    for pawn in range(1, PAWNS + 1):
        space = s.where[seat, pawn]
        points += pawn * (UNPLACED_VALUE if space == OFF else VALUES[space])
    return points
