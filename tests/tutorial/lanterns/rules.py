"""The rules of Lanterns, as compiled functions over one State."""

from __future__ import annotations

from typing import Any

from plenilune.core.engine import below, rule
from plenilune.core.record import CHANCE, OVER, BaseState, Ints, Record, i8, i32, many
from plenilune.core.spaces import ActionSpace

SEATS, SLOTS, SIDE = 4, 4, 3  # seats at most; slots in the row; a board is SIDE × SIDE cells
CELLS = SIDE * SIDE
COLOURS, LANTERNS, SMALL_BAG = 3, 36, 24  # lanterns 0, 3, 6 … are red, 1, 4, 7 … green, 2, 5, 8 … yellow
EMPTY = -1  # no lantern
UNTOLD, UNKNOWN = -1, -2  # a secret not whispered yet; a secret the viewer has not heard
NONE = -1  # no such slot, no such seat


class Player(Record):
    board: Ints = i8(CELLS)  # the lantern on each cell, or EMPTY
    secret: int = i32()  # the colour that scores, UNTOLD or UNKNOWN


class State(BaseState):
    mover: int = i32()  # the seat whose turn it is, also while chance fills the row for it
    bag: Ints = i8(LANTERNS)  # 1 for each lantern still in the bag
    row: Ints = i8(SLOTS)  # the lantern in each slot, or EMPTY
    left: int = i32()  # how many lanterns are in the bag and the row
    last_round: int = i32()  # 1 once a board is full
    players: list[Player] = many(Player, SEATS)


COLOUR_NAMES = ("red", "green", "yellow")
LANTERN_NAMES = tuple(f"{COLOUR_NAMES[n % COLOURS]}{n // COLOURS + 1}" for n in range(LANTERNS))
SLOT_NAMES = ("1", "2", "3", "4")
ACTIONS = ActionSpace(
    hang=(SLOT_NAMES, ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")),
    release=(SLOT_NAMES,),
    reveal=(LANTERN_NAMES,),  # chance draws a lantern from the bag
    whisper=(("1", "2", "3", "4"), COLOUR_NAMES),  # chance tells a seat its secret
)
HANG, RELEASE, REVEAL, WHISPER = (ACTIONS[verb] for verb in ("hang", "release", "reveal", "whisper"))


@rule
def setup(s: State, seats: int, options: Ints) -> None:
    s.seats, s.to_play, s.mover, s.last_round = seats, CHANCE, 0, 0
    s.left = LANTERNS if options[0] == 0 else SMALL_BAG
    for lantern in range(LANTERNS):
        s.bag[lantern] = 1 if lantern < s.left else 0
    s.row[:] = EMPTY
    for seat in range(SEATS):
        s.players[seat].board[:] = EMPTY
        s.players[seat].secret = UNTOLD


@rule
def legal(s: State, out: Ints) -> int:
    if s.to_play != CHANCE:
        return legal_releases(s, out, legal_hangs(s, out))
    if untold_seat(s) != NONE:
        return legal_whispers(s, out)
    return legal_reveals(s, out)


@rule
def legal_whispers(s: State, out: Ints) -> int:
    for colour in range(COLOURS):
        out[colour] = WHISPER + untold_seat(s) * COLOURS + colour
    return COLOURS


@rule
def untold_seat(s: State) -> int:
    """The first seat that is not told its secret yet, or NONE."""
    for seat in range(s.seats):
        if s.players[seat].secret == UNTOLD:
            return seat
    return NONE


@rule
def legal_reveals(s: State, out: Ints) -> int:
    n = 0
    for lantern in range(LANTERNS):
        if s.bag[lantern] == 1:
            out[n] = REVEAL + lantern
            n += 1
    return n


@rule
def legal_hangs(s: State, out: Ints) -> int:
    n = 0
    for slot in range(SLOTS):
        for cell in range(CELLS):
            if s.row[slot] != EMPTY and s.players[s.to_play].board[cell] == EMPTY:
                out[n] = HANG + slot * CELLS + cell
                n += 1
    return n


@rule
def legal_releases(s: State, out: Ints, n: int) -> int:
    for slot in range(SLOTS):
        if s.row[slot] != EMPTY:
            out[n] = RELEASE + slot
            n += 1
    return n


@rule
def apply(s: State, action: int) -> None:
    if action >= WHISPER:
        whisper(s, (action - WHISPER) // COLOURS, (action - WHISPER) % COLOURS)
    elif action >= REVEAL:
        reveal(s, action - REVEAL)
    elif action >= RELEASE:
        use_up(s, action - RELEASE)
    else:
        hang(s, (action - HANG) // CELLS, (action - HANG) % CELLS)
    s.to_play = next_to_play(s)


@rule
def whisper(s: State, seat: int, colour: int) -> None:
    s.players[seat].secret = colour


@rule
def reveal(s: State, lantern: int) -> None:
    s.bag[lantern] = 0
    s.row[first(s.row, EMPTY)] = lantern


@rule
def hang(s: State, slot: int, cell: int) -> None:
    p = s.players[s.mover]
    p.board[cell] = s.row[slot]
    if first(p.board, EMPTY) == NONE:
        s.last_round = 1
    use_up(s, slot)


@rule
def use_up(s: State, slot: int) -> None:
    """A lantern leaves the row, and that is the end of the turn."""
    s.row[slot] = EMPTY
    s.left -= 1
    s.mover = (s.mover + 1) % s.seats


@rule
def next_to_play(s: State) -> int:
    if s.left == 0 or (s.last_round and s.mover == 0):
        return OVER
    if untold_seat(s) != NONE or (first(s.row, EMPTY) != NONE and first(s.bag, 1) != NONE):
        return CHANCE
    return s.mover


@rule
def first(numbers: Ints, wanted: int) -> int:
    """Where the wanted number stands first, or NONE."""
    for place in range(len(numbers)):
        if numbers[place] == wanted:
            return place
    return NONE


@rule
def score(s: State, seat: int) -> int:
    points = 0
    for cell in range(CELLS):
        if shines(s.players[seat], cell):
            points += 1 + neighbours(s.players[seat], cell)
    return points


@rule
def shines(p: Player, cell: int) -> bool:
    return bool(p.board[cell] != EMPTY and p.board[cell] % COLOURS == p.secret)


@rule
def neighbours(p: Player, cell: int) -> int:
    """How many of the cells to the right and below shine: so each pair of neighbours counts once."""
    n = 0
    if cell % SIDE < SIDE - 1 and shines(p, cell + 1):
        n += 1
    if cell < CELLS - SIDE and shines(p, cell + SIDE):
        n += 1
    return n


@rule
def hide(s: State, viewer: int) -> None:
    if s.to_play == OVER:
        return
    for seat in range(s.seats):
        if seat != viewer and s.players[seat].secret != UNTOLD:
            s.players[seat].secret = UNKNOWN


@rule
def resample(s: State, viewer: int, rng: Any) -> None:
    for seat in range(s.seats):
        if s.players[seat].secret == UNKNOWN:
            s.players[seat].secret = below(rng, COLOURS)


@rule
def known(s: State, action: int, seat: int) -> int:
    """How many words of the action's text the seat may read: of a whisper to another seat, only to whom it is."""
    overheard = action >= WHISPER and (action - WHISPER) // COLOURS != seat
    return 1 if overheard else 2
