"""The rules of Nova Luna, as compiled functions over one State; RULES.md has them in words."""

from __future__ import annotations

import numpy as np

from plenilune.core.engine import rule
from plenilune.core.record import CHANCE, OVER, BaseState, Ints, i8, i16, i32
from plenilune.core.spaces import ActionSpace
from plenilune.games.nova_luna.tables import ASKED, ASKING, COLOUR, FREE, NAMES, NO_TILE, NUMBER, SHIFT, TASKS, TILES

SEATS, SLOTS = 4, 12
WHEEL_HOLDS, WITHIN_REACH = 11, 3  # tiles; how many of them can be taken
NONE = -1  # no slot, no cell, no seat
FIRST_GAME = 1  # the second word of the option `tokens`
SOLO_AIM, PENALTY = 8, 10  # tokens for phase 1; for each token missing
PHASE_1, PHASE_2 = 1, 2
STACK, FILL, CHOOSE, TAKE, PLACE, END = range(6)  # what is to be done

# The cell X,Y has the number 45 X + 44 Y + 1980. That gives the 3,961 cells within 44 steps of the first tile, which
# are all that a tableau can have (RULES 9.4), the numbers 0 to 3960; a step to the right adds 45, a step upwards 44.
REACH = 44
CELLS = 2 * REACH * (REACH + 1) + 1
ORIGIN = CELLS // 2
STEPS = np.array([REACH + 1, -REACH - 1, REACH, -REACH], np.int32)  # by side; the side opposite to i is i ^ 1
SIDES = len(STEPS)


def cell_xy(cell: int) -> tuple[int, int]:
    """A cell's coordinates.

    >>> cell_xy(ORIGIN), cell_xy(ORIGIN + 45), cell_xy(ORIGIN - 44), cell_xy(0)
    ((0, 0), (1, 0), (0, -1), (-44, 0))
    """
    rising = 2 * cell // (2 * REACH + 1) - REACH  # X + Y
    x = cell - ORIGIN - REACH * rising
    return x, rising - x


# A table of all cells for every seat would be large, and is not needed: a tableau hangs together, so two cells in it or
# beside it are never further apart than one step more than it has tiles. With a smaller R in place of 44, the numbers
# (R + 1) X + R Y, taken modulo 2 R (R + 1) + 1, are the same only for cells more than 2 R steps apart. So a ring of
# that many spots is room for any tableau of fewer than 2 R tiles, wherever it grows.
MOST_LAID = np.array([0, 22, 45, 34, 29], np.int32)  # tiles in one tableau, by the number of seats (RULES 9.2)
MOST_OPEN = 2 * MOST_LAID + 2  # cells to choose from (RULES 9.4)
RADIUS = MOST_LAID // 2 + 1
SPOTS = 2 * RADIUS * (RADIUS + 1) + 1
SPOT_STEPS = np.array([[r + 1, n - r - 1, r, n - r] for r, n in zip(RADIUS, SPOTS, strict=True)], np.int32)
ALL_SPOTS, ALL_OPEN, ALL_LAID = (max(n * most[n] for n in range(SEATS + 1)) for most in (SPOTS, MOST_OPEN, MOST_LAID))
EMPTY = -1  # nothing on a spot
FIRST_OPEN = -2  # a seat's open cells are on their spots as -2, -3 …, in the order of `open_cells`

ACTIONS = ActionSpace(
    stack=(("1", "2", "3", "4"),),
    draw=(NAMES,),
    refill=(),
    keep=(),
    take=(("1", "2", "3"),),
    place=([f"{x},{y}" for x, y in map(cell_xy, range(CELLS))],),
    stop=(),
)
STACK_SEAT, DRAW_TILE, REFILL, KEEP, TAKE_NTH, PLACE_AT, STOP = (ACTIONS[verb] for verb in ACTIONS.verbs)


class State(BaseState):
    step: int = i32()  # what is to be done: STACK, FILL, CHOOSE, TAKE, PLACE or END
    moon: int = i32()  # its slot
    gap: int = i32()  # the slot that the next tile is drawn for, or NONE
    hand: int = i32()  # the tile that is taken and not yet laid, or NO_TILE
    on_wheel: int = i32()  # how many tiles
    in_supply: int = i32()  # how many tiles
    on_track: int = i32()  # how many seats: all, once the stack is complete
    phase: int = i32()  # solo: PHASE_1 or PHASE_2; otherwise 0
    sum_1: int = i32()  # solo: S1, once phase 1 has ended; otherwise 0
    goal: int = i32()  # how many tokens each seat has to place in all
    tokens: Ints = i32(SEATS)  # how many of them each seat has left
    distance: Ints = i32(SEATS)  # how far each seat has gone on the track
    laid: Ints = i32(SEATS)  # how many tiles each seat has laid
    opened: Ints = i32(SEATS)  # how many cells each seat may lay its next tile on
    cell: Ints = i16(TILES)  # where a laid tile lies, or NONE
    open_cells: Ints = i16(ALL_OPEN)  # MOST_OPEN for each seat: where it may lay its next tile, in no order, or NONE
    spots: Ints = i8(ALL_SPOTS)  # SPOTS for each seat: the tile there, EMPTY, or FIRST_OPEN …
    tiles: Ints = i8(ALL_LAID)  # MOST_LAID for each seat: its tiles in the order in which they were laid, or NO_TILE
    order: Ints = i8(SEATS)  # the seats on the track, the one that would move soonest first, or NONE
    wheel: Ints = i8(SLOTS)  # the tile in each slot, or NO_TILE
    supply: Ints = i8(TILES)  # the tiles in the supply, sorted, then NO_TILE
    beside: Ints = i8(TILES, SIDES)  # the tile at each side of a laid tile, or NO_TILE
    next_in_group: Ints = i8(TILES)  # leads from a laid tile round all tiles of its group, or NO_TILE
    group: Ints = i8(TILES + 1)  # the group a laid tile belongs to: the latest tile in it, or NO_TILE
    members: Ints = i8(TILES + 1)  # how many tiles the group of this name has, or 0
    holding: Ints = i8(TILES + 1)  # a bit for each task of a laid tile that holds
    covered: Ints = i8(TILES)  # a bit for each task with a token on it: the same unless the tokens have run out


# Set-up


@rule
def setup(s: State, seats: int, options: Ints) -> None:
    clear_table(s)
    s.seats, s.goal = seats, tokens_to_place(seats, options[0])
    for seat in range(seats):
        s.tokens[seat] = s.goal
        open_cell(s, seat, ORIGIN, spot_of(s, seat, ORIGIN))  # RULES 4.5: the first tile lies at 0,0
    if seats == 1:
        s.order[0], s.on_track, s.phase = 0, 1, PHASE_1  # RULES 7.1, 7.2
        fill_wheel(s)
    else:
        s.step, s.to_play = STACK, CHANCE


@rule
def tokens_to_place(seats: int, tokens: int) -> int:
    """RULES 2.2 to 2.4."""
    if seats == 1:
        return 21
    if tokens == FIRST_GAME:
        return 17 if seats == 3 else 15
    return 20


@rule
def clear_table(s: State) -> None:
    s.moon, s.gap, s.hand = 0, NONE, NO_TILE
    s.on_wheel, s.in_supply, s.on_track, s.phase, s.sum_1 = 0, TILES, 0, 0, 0
    for seat in range(SEATS):
        s.tokens[seat], s.distance[seat], s.laid[seat], s.opened[seat], s.order[seat] = 0, 0, 0, 0, NONE
    for i in range(ALL_SPOTS):
        s.spots[i] = EMPTY
    for i in range(ALL_OPEN):
        s.open_cells[i] = NONE
    for i in range(ALL_LAID):
        s.tiles[i] = NO_TILE
    for slot in range(SLOTS):
        s.wheel[slot] = NO_TILE
    for tile in range(TILES):
        s.supply[tile], s.cell[tile], s.next_in_group[tile], s.covered[tile] = tile, NONE, NO_TILE, 0
        for side in range(SIDES):
            s.beside[tile, side] = NO_TILE
    for tile in range(TILES + 1):
        s.group[tile], s.members[tile], s.holding[tile] = NO_TILE, 0, 0


# What may be done


@rule
def legal(s: State, out: Ints) -> int:
    if s.step == PLACE:
        return legal_places(s, out)
    if s.step == TAKE:
        return legal_takes(s, out)
    if s.step == FILL:
        return legal_draws(s, out)
    if s.step == CHOOSE:
        out[0], out[1] = REFILL, KEEP
        return 2
    return legal_stacks(s, out)


@rule
def legal_places(s: State, out: Ints) -> int:
    n, first = int(s.opened[s.to_play]), first_open(s, s.to_play)
    for i in range(n):
        out[i] = PLACE_AT + s.open_cells[first + i]
    return n


@rule
def legal_takes(s: State, out: Ints) -> int:
    n = min(s.on_wheel, WITHIN_REACH)
    for i in range(n):
        out[i] = TAKE_NTH + i
    if may_stop(s):
        out[n] = STOP
        n += 1
    return n


@rule
def may_stop(s: State) -> bool:
    """RULES 7.4."""
    return s.phase == PHASE_1 and s.step == TAKE and s.goal - s.tokens[0] >= SOLO_AIM


@rule
def legal_draws(s: State, out: Ints) -> int:
    for i in range(s.in_supply):
        out[i] = DRAW_TILE + s.supply[i]
    return s.in_supply


@rule
def legal_stacks(s: State, out: Ints) -> int:
    n = 0
    for seat in range(s.seats):
        if not is_on_track(s, seat):
            out[n] = STACK_SEAT + seat
            n += 1
    return n


@rule
def is_on_track(s: State, seat: int) -> bool:
    for i in range(s.on_track):
        if s.order[i] == seat:
            return True
    return False


# What it does


@rule
def apply(s: State, action: int) -> None:
    if action == STOP:
        end_phase_1(s)
    elif action >= PLACE_AT:
        place_tile(s, action - PLACE_AT)
    elif action >= TAKE_NTH:
        take_tile(s, action - TAKE_NTH + 1)
    elif action == KEEP:
        s.step = TAKE
    elif action == REFILL:
        fill_wheel(s)
    elif action >= DRAW_TILE:
        draw_tile(s, action - DRAW_TILE)
    else:
        stack_token(s, action - STACK_SEAT)


@rule
def stack_token(s: State, seat: int) -> None:
    """RULES 3.1: it goes on top, and who lies on top moves sooner (4.1)."""
    for i in range(s.on_track, 0, -1):
        s.order[i] = s.order[i - 1]
    s.order[0] = seat
    s.on_track += 1
    if s.on_track == s.seats:
        fill_wheel(s)


@rule
def fill_wheel(s: State) -> None:
    """RULES 3.3."""
    s.step, s.to_play, s.gap = FILL, CHANCE, next_gap(s, s.moon)


@rule
def next_gap(s: State, slot: int) -> int:
    slot = clockwise(slot)
    while s.wheel[slot] != NO_TILE:
        slot = clockwise(slot)
    return slot


@rule
def clockwise(slot: int) -> int:
    return slot + 1 if slot < SLOTS - 1 else 0


@rule
def draw_tile(s: State, tile: int) -> None:
    s.wheel[s.gap] = tile
    s.on_wheel += 1
    leave_supply(s, tile)
    if s.on_wheel == WHEEL_HOLDS or s.in_supply == 0:
        s.step, s.to_play, s.gap = TAKE, s.order[0], NONE
    else:
        s.gap = next_gap(s, s.gap)


@rule
def leave_supply(s: State, tile: int) -> None:
    """The tiles after it move up. Every place is written, moved or not: so the machine does many at once."""
    s.in_supply -= 1
    for i in range(s.in_supply):
        s.supply[i] = s.supply[i + 1] if s.supply[i] >= tile else s.supply[i]
    s.supply[s.in_supply] = NO_TILE


@rule
def take_tile(s: State, nth: int) -> None:
    """RULES 4.3."""
    slot = nth_slot(s, nth)
    s.hand, s.moon = s.wheel[slot], slot
    s.wheel[slot] = NO_TILE
    s.on_wheel -= 1
    s.step = PLACE
    if s.phase == 0:
        advance(s, NUMBER[s.hand])


@rule
def nth_slot(s: State, nth: int) -> int:
    """The slot of the nth tile clockwise of the moon."""
    slot = s.moon
    for _ in range(nth):
        slot = clockwise(slot)
        while s.wheel[slot] == NO_TILE:
            slot = clockwise(slot)
    return slot


@rule
def advance(s: State, number: int) -> None:
    """RULES 4.4: the mover, who was first in the order, passes all that are less far than it is now; where it is as
    far as others it moves sooner than they, for it lies on top."""
    mover = s.order[0]
    s.distance[mover] += number
    i = 0
    while i + 1 < s.seats and s.distance[s.order[i + 1]] < s.distance[mover]:
        s.order[i] = s.order[i + 1]
        i += 1
    s.order[i] = mover


@rule
def place_tile(s: State, cell: int) -> None:
    """RULES 4.5 to 4.7."""
    seat, tile = s.to_play, s.hand
    s.hand = NO_TILE
    lay(s, seat, tile, cell)
    join_groups(s, tile)
    if look_at_tasks(s, tile):
        cover_tasks(s, seat)
    end_turn(s, seat)


@rule
def end_turn(s: State, seat: int) -> None:
    if s.tokens[seat] == 0:
        end_match(s)  # RULES 6.1, 7.4, 7.6
    elif s.phase == 0:
        begin_turn(s)
    elif s.on_wheel > 0:
        s.step = TAKE
    elif s.phase == PHASE_1:
        end_phase_1(s)
    else:
        end_match(s)  # RULES 7.6


@rule
def begin_turn(s: State) -> None:
    """RULES 4.1, 4.2; 6.2."""
    s.to_play, s.step = s.order[0], TAKE
    if s.on_wheel < WITHIN_REACH and s.in_supply > 0:
        if s.on_wheel > 0:
            s.step = CHOOSE
        else:
            fill_wheel(s)
    elif s.on_wheel == 0:
        end_match(s)


@rule
def end_phase_1(s: State) -> None:
    """RULES 7.5."""
    s.sum_1, s.phase = score_sum_1(s), PHASE_2
    fill_wheel(s)


@rule
def end_match(s: State) -> None:
    s.step, s.to_play = END, OVER


# The tableau


@rule
def lay(s: State, seat: int, tile: int, cell: int) -> None:
    here = spot_of(s, seat, cell)
    close_cell(s, seat, FIRST_OPEN - s.spots[here])
    s.spots[here], s.cell[tile] = tile, cell
    s.tiles[first_laid(s, seat) + s.laid[seat]] = tile
    s.laid[seat] += 1
    for side in range(SIDES):
        there = neighbour(s, seat, here, side)
        other = s.spots[there]
        if other >= 0:
            s.beside[tile, side], s.beside[other, side ^ 1] = other, tile
        elif other == EMPTY:
            open_cell(s, seat, cell + STEPS[side], there)


@rule
def open_cell(s: State, seat: int, cell: int, spot: int) -> None:
    i = s.opened[seat]
    s.open_cells[first_open(s, seat) + i], s.spots[spot] = cell, FIRST_OPEN - i
    s.opened[seat] += 1


@rule
def close_cell(s: State, seat: int, i: int) -> None:
    """The last open cell takes the place of the one that is laid on."""
    s.opened[seat] -= 1
    first, last = first_open(s, seat), first_open(s, seat) + s.opened[seat]
    s.spots[spot_of(s, seat, s.open_cells[last])] = FIRST_OPEN - i
    s.open_cells[first + i] = s.open_cells[last]
    s.open_cells[last] = NONE


@rule
def spot_of(s: State, seat: int, cell: int) -> int:
    """Where in `spots` a seat's cell is: as `cell_xy`, then numbered for the smaller ring."""
    rising = 2 * cell // (2 * REACH + 1) - REACH
    spot = int(RADIUS[s.seats]) * rising + cell - ORIGIN - REACH * rising
    return seat * int(SPOTS[s.seats]) + (spot if spot >= 0 else spot + int(SPOTS[s.seats]))


@rule
def neighbour(s: State, seat: int, spot: int, side: int) -> int:
    """The spot at a side of this one."""
    there = spot + int(SPOT_STEPS[s.seats, side])
    return there if there < (seat + 1) * SPOTS[s.seats] else there - int(SPOTS[s.seats])


@rule
def first_open(s: State, seat: int) -> int:
    return seat * int(MOST_OPEN[s.seats])


@rule
def first_laid(s: State, seat: int) -> int:
    return seat * int(MOST_LAID[s.seats])


@rule
def join_groups(s: State, tile: int) -> None:
    """RULES 5.2: the tile and the groups of its colour beside it become one."""
    s.group[tile], s.members[tile], s.next_in_group[tile] = tile, 1, tile
    for side in range(SIDES):
        other = s.beside[tile, side]
        if COLOUR[other] == COLOUR[tile] and s.group[other] != tile:
            join_group(s, tile, other)


@rule
def join_group(s: State, tile: int, other: int) -> None:
    s.members[tile] += s.members[s.group[other]]
    s.members[s.group[other]] = 0
    while s.group[other] != tile:  # once round the other's group
        s.group[other] = tile
        other = s.next_in_group[other]
    s.next_in_group[tile], s.next_in_group[other] = s.next_in_group[other], s.next_in_group[tile]


@rule
def look_at_tasks(s: State, tile: int) -> bool:
    """Look at every task the new tile may help: its own, and those of all tiles that its group touches, its members
    among them (RULES 10.9). Tells whether one holds that did not."""
    found = look_at(s, tile)
    member = tile
    while True:
        for side in range(SIDES):
            other = s.beside[member, side]
            if ASKING[other, COLOUR[tile]] & ~s.holding[other]:
                found |= look_at(s, other)
        member = s.next_in_group[member]
        if member == tile:
            return found


@rule
def look_at(s: State, tile: int) -> bool:
    before, now = int(s.holding[tile]), tasks_that_hold(tile, helpers(s, tile))
    s.holding[tile] = now
    return now != before


@rule
def helpers(s: State, tile: int) -> int:
    """RULES 5.3 to 5.5: the tiles of each colour in the groups that touch this one, each group once, this tile left
    out; as four counts in one number."""
    a, b, c, d = s.beside[tile, 0], s.beside[tile, 1], s.beside[tile, 2], s.beside[tile, 3]
    group_a, group_b, group_c, group_d, own = s.group[a], s.group[b], s.group[c], s.group[d], s.group[tile]
    counts = int(s.members[group_a]) << SHIFT[a]
    if group_b != group_a:
        counts += s.members[group_b] << SHIFT[b]
    if group_c != group_a and group_c != group_b:
        counts += s.members[group_c] << SHIFT[c]
    if group_d != group_a and group_d != group_b and group_d != group_c:
        counts += s.members[group_d] << SHIFT[d]
    if s.members[own] > 1:
        counts -= 1 << SHIFT[tile]
    return int(counts)


@rule
def tasks_that_hold(tile: int, counts: int) -> int:
    """A bit for each: where there are as many of a colour as asked, its free bit stays set."""
    tasks = 0
    for task in range(TASKS):
        if ((counts | FREE) - ASKED[tile, task]) & FREE == FREE:
            tasks |= 1 << task
    return tasks


@rule
def cover_tasks(s: State, seat: int) -> None:
    """RULES 4.6."""
    first = first_laid(s, seat)
    for i in range(first, first + s.laid[seat]):
        tile = s.tiles[i]
        if s.holding[tile] != s.covered[tile]:
            for task in range(TASKS):
                if s.tokens[seat] > 0 and (s.holding[tile] & ~s.covered[tile]) >> task & 1:
                    s.covered[tile] |= 1 << task
                    s.tokens[seat] -= 1


# Score and places


@rule
def score(s: State, seat: int) -> int:
    """RULES 6.3, 7.7."""
    return s.goal - int(s.tokens[seat]) if s.phase == 0 else score_sum_1(s) + score_sum_2(s)


@rule
def score_sum_1(s: State) -> int:
    """RULES 7.5; 7.8 while phase 1 is on."""
    if s.phase == PHASE_2:
        return s.sum_1
    return sum_of_numbers(s) + PENALTY * max(0, SOLO_AIM - (s.goal - int(s.tokens[0])))


@rule
def score_sum_2(s: State) -> int:
    """RULES 7.6, 7.8."""
    return sum_of_numbers(s) + PENALTY * int(s.tokens[0])


@rule
def sum_of_numbers(s: State) -> int:
    total = 0
    for i in range(s.laid[0]):
        total += NUMBER[s.tiles[i]]
    return total


@rule
def places(s: State, out: Ints) -> None:
    """RULES 6.4: one more than the seats that are better."""
    for seat in range(s.seats):
        out[seat] = 1
    if s.on_track < s.seats:  # RULES 6.5
        return
    for i in range(s.seats):
        for j in range(s.seats):
            seat, other = s.order[i], s.order[j]
            if s.tokens[other] < s.tokens[seat] or (s.tokens[other] == s.tokens[seat] and j < i):
                out[seat] += 1
