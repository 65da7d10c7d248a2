"""Nova Luna once more, as plainly as possible: dicts, sets and flood fill, written from RULES.md alone.

It exists to disagree with the fast rules when one of the two is wrong, so it shares nothing with them, not
even the list of tiles.

>>> oracle = Oracle(2)
>>> for text in ["stack 1", "stack 2", *(f"draw {tile}" for tile in list(TILES)[:11])]:
...     oracle.play(text)
>>> oracle.to_play, oracle.legal(), oracle.places()
(1, ['take 1', 'take 2', 'take 3'], [2, 1])
"""

from typing import NamedTuple

CHANCE, OVER = -1, -2
SLOTS = 12
FULL, FIRST_GAME = "full", "first-game"
TOKENS_TO_PLACE = {FULL: {1: 21, 2: 20, 3: 20, 4: 20}, FIRST_GAME: {3: 17, 4: 15}}
PHASE_1_TOKENS, PENALTY = 8, 10  # solo

Cell = tuple[int, int]


class Tile(NamedTuple):
    colour: str
    number: int
    tasks: tuple[str, ...]


TABLE = {
    "r": """1:- 2a:rrrr 2b:rrrr 3a:brr 3b:brt 3c:tty 3d:brty/ttt 4a:by/rt 4b:rrr/ty 4c:yyyy/yy 4d:bbb/yyy/tt
            5a:bbb/b 5b:bb/y 5c:bb/rr/tt 6a:bb/yy/t 6b:ttt/ty/yy 7:bt/by/ty""",
    "b": """1:- 2a:bbbb 2b:bbbb 3a:bby 3b:bty 3c:rrt 3d:brty/rrr 4a:bbb/rt 4b:br/ty 4c:rrrr/rr 4d:rrr/ttt/yy
            5a:ttt/t 5b:yy/t 5c:bb/tt/yy 6a:yyy/rr/ry 6b:rr/tt/y 7:rt/ry/ty""",
    "t": """1:- 2a:tttt 2b:tttt 3a:byy 3b:rtt 3c:rty 3d:brty/yyy 4a:bbbb/bb 4b:br/ty 4c:ttt/by 4d:bbb/yyy/rr
            5a:rr/b 5b:yyy/y 5c:rr/tt/yy 6a:rrr/bb/br 6b:bb/yy/r 7:br/by/ry""",
    "y": """1:- 2a:yyyy 2b:yyyy 3a:bbr 3b:bry 3c:tyy 3d:brty/bbb 4a:yyy/br 4b:by/rt 4c:tttt/tt 4d:rrr/ttt/bb
            5a:rrr/r 5b:tt/r 5c:bb/rr/yy 6a:rr/tt/b 6b:bbb/bt/tt 7:br/bt/rt""",
}


def read_tiles() -> dict[str, Tile]:
    tiles = {}
    for colour, row in TABLE.items():
        for entry in row.split():
            label, tasks = entry.split(":")
            asked = tuple(tasks.split("/")) if tasks != "-" else ()
            tiles[colour + label] = Tile(colour, int(label[0]), asked)
    return tiles


TILES = read_tiles()


def touching(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


class Oracle:
    """One match. Every attribute may be set by hand to build a position."""

    def __init__(self, seats: int, tokens: str = FULL) -> None:
        if seats not in TOKENS_TO_PLACE.get(tokens, {}):
            raise ValueError(f"no Nova Luna with seats={seats} tokens={tokens}")
        self.seats = seats
        self.tokens = TOKENS_TO_PLACE[tokens][seats]
        self.stage = "draw" if seats == 1 else "stack"  # stack, draw, choose, take, place, over
        self.mover = 0  # whose turn it is; means nothing before the first turn
        self.supply = list(TILES)
        self.wheel: dict[int, str] = {}  # slot: tile
        self.moon = 0  # its slot
        self.hand: str | None = None  # taken and not yet placed
        self.track: dict[int, list[int]] = {0: []}  # distance: seats there, bottom first; solo: nobody
        self.tableaux: list[dict[Cell, str]] = [{} for _ in range(seats)]  # in the order of laying
        self.covered: list[set[tuple[Cell, int]]] = [set() for _ in range(seats)]  # cell, index of the task
        self.phase = 1  # solo
        self.first_sum: int | None = None  # solo: S1, once phase 1 has ended

    @property
    def to_play(self) -> int:
        return {"stack": CHANCE, "draw": CHANCE, "over": OVER}.get(self.stage, self.mover)

    # What may be done

    def legal(self) -> list[str]:
        if self.stage == "stack":
            return [f"stack {seat + 1}" for seat in range(self.seats) if seat not in self.track[0]]
        if self.stage == "draw":
            return [f"draw {tile}" for tile in self.supply]
        if self.stage == "choose":
            return ["refill", "keep"]
        if self.stage == "take":
            takes = [f"take {n + 1}" for n in range(min(3, len(self.wheel)))]
            return ["stop", *takes] if self.may_stop() else takes
        if self.stage == "place":
            return [f"place {x},{y}" for x, y in sorted(self.open_cells())]
        return []

    def may_stop(self) -> bool:
        return self.seats == 1 and self.phase == 1 and len(self.covered[0]) >= PHASE_1_TOKENS

    def open_cells(self) -> set[Cell]:
        tableau = self.tableaux[self.mover]
        if not tableau:
            return {(0, 0)}
        return {near for cell in tableau for near in touching(cell) if near not in tableau}

    # What it does

    def play(self, text: str) -> None:
        if text not in self.legal():
            raise ValueError(f"not allowed now: {text!r}")
        verb, *words = text.split()
        getattr(self, f"play_{verb}")(*words)

    def play_stack(self, seat: str) -> None:
        self.track[0].append(int(seat) - 1)
        if len(self.track[0]) == self.seats:
            self.stage = "draw"

    def play_draw(self, tile: str) -> None:
        self.supply.remove(tile)
        self.wheel[self.empty_slots()[0]] = tile
        if not self.supply or not self.empty_slots():
            self.start_taking()

    def play_refill(self) -> None:
        self.stage = "draw"

    def play_keep(self) -> None:
        self.stage = "take"

    def play_take(self, nth: str) -> None:
        slot = [slot for slot in self.slots_after_moon() if slot in self.wheel][int(nth) - 1]
        self.hand = self.wheel.pop(slot)
        self.moon = slot
        if self.seats > 1:
            self.advance(self.mover, TILES[self.hand].number)
        self.stage = "place"

    def play_place(self, place: str) -> None:
        assert self.hand is not None
        x, y = place.split(",")
        self.tableaux[self.mover][int(x), int(y)] = self.hand
        self.hand = None
        self.cover_tasks(self.mover)
        if len(self.covered[self.mover]) == self.tokens:
            self.stage = "over"
        elif self.seats == 1:
            self.start_solo_turn()
        else:
            self.start_turn()

    def play_stop(self) -> None:
        self.end_phase_1()

    # How the match goes on

    def start_turn(self) -> None:
        self.mover = self.turn_order()[0]
        if not self.wheel:
            self.stage = "draw" if self.supply else "over"
        elif len(self.wheel) <= 2 and self.supply:
            self.stage = "choose"
        else:
            self.stage = "take"

    def start_solo_turn(self) -> None:
        if self.wheel:
            self.stage = "take"
        elif self.phase == 1:
            self.end_phase_1()
        else:
            self.stage = "over"

    def start_taking(self) -> None:
        self.mover = self.turn_order()[0]
        self.stage = "take"

    def end_phase_1(self) -> None:
        self.first_sum = self.phase_sum(PHASE_1_TOKENS)
        self.phase = 2
        self.stage = "draw"

    # Wheel and track

    def slots_after_moon(self) -> list[int]:
        return [(self.moon + steps) % SLOTS for steps in range(1, SLOTS)]

    def empty_slots(self) -> list[int]:
        return [slot for slot in self.slots_after_moon() if slot not in self.wheel]

    def advance(self, seat: int, steps: int) -> None:
        distance = self.distance(seat)
        self.track[distance].remove(seat)
        self.track.setdefault(distance + steps, []).append(seat)

    def distance(self, seat: int) -> int:
        return next(distance for distance, stack in self.track.items() if seat in stack)

    def turn_order(self) -> list[int]:
        """The seats from the one that moves first to the one that moves last."""
        if self.seats == 1:
            return [0]
        return [seat for distance in sorted(self.track) for seat in reversed(self.track[distance])]

    # Tasks

    def cover_tasks(self, seat: int) -> None:
        for cell, tile in self.tableaux[seat].items():
            for index, task in enumerate(TILES[tile].tasks):
                if len(self.covered[seat]) < self.tokens and self.holds(seat, cell, task):
                    self.covered[seat].add((cell, index))

    def holds(self, seat: int, cell: Cell, task: str) -> bool:
        return all(len(self.reached(seat, cell, colour)) >= task.count(colour) for colour in set(task))

    def reached(self, seat: int, start: Cell, colour: str) -> set[Cell]:
        """The tiles of a colour in groups that touch the start, the start itself left out."""
        tableau = self.tableaux[seat]
        found: set[Cell] = set()
        todo = [start]
        while todo:
            for cell in touching(todo.pop()):
                if cell in tableau and TILES[tableau[cell]].colour == colour and cell not in found:
                    found.add(cell)
                    todo.append(cell)
        return found - {start}

    # Result

    def tokens_left(self) -> list[int]:
        return [self.tokens - len(covered) for covered in self.covered]

    def scores(self) -> list[int]:
        if self.seats > 1:
            return [len(covered) for covered in self.covered]
        first = self.phase_sum(PHASE_1_TOKENS) if self.first_sum is None else self.first_sum
        return [first + self.phase_sum(self.tokens)]

    def phase_sum(self, aim: int) -> int:
        missing = max(0, aim - len(self.covered[0]))
        return sum(TILES[tile].number for tile in self.tableaux[0].values()) + PENALTY * missing

    def places(self) -> list[int]:
        if self.stage == "stack":
            return [1] * self.seats
        order, left = self.turn_order(), self.tokens_left()
        ranking = sorted(range(self.seats), key=lambda seat: (left[seat], order.index(seat)))
        return [ranking.index(seat) + 1 for seat in range(self.seats)]
