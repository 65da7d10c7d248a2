"""Moon Leap once more, as plainly as possible: the oracle the fast rules are compared with.

Written from RULES.md alone, with its own copy of the standard figures (RULES 1.5), so that it checks the
component table too. It shares no code with the package and does not care about speed.

A position is three plain attributes, which a test may set as it likes: `pawns`, `turn` and `die`.
Whether the match is over and whether the post is passed can always be seen from where the pawns stand.
"""

CHANCE, OVER = -1, -2
OFF = 0  # the "space" of a pawn that is off the track

FACES = ["1", "2", "3", "4", "5", "*"]
PAWNS = [1, 2, 3, 4, 5]
LENGTH = 37
VALUES = {1: -3, 2: -3, 3: -3, 4: -2, 5: -2, 6: -1, 7: -1}
VALUES |= {10: 1, 13: 2, 16: 3, 19: 4, 22: 5, 25: 6, 28: 8, 31: 10, 34: 12}
VALUES |= {35: 20, 36: 25, 37: 30}
VALUE_OFF = -5
POST_AFTER = {2: 9, 3: 12, 4: 15}  # by number of seats
SPLITS = {"3": [(1, 2), (2, 1)], "4": [(1, 3), (3, 1)], "5": [(1, 4), (4, 1), (2, 3), (3, 2)]}


class Oracle:
    def __init__(self, seats: int, rules: int = 2) -> None:
        if seats not in POST_AFTER:
            raise ValueError(f"Moon Leap is for 2 to 4 seats, not {seats}")
        self.seats, self.rules = seats, rules
        self.pawns = [dict.fromkeys(PAWNS, OFF) for _ in range(seats)]  # seat → pawn → space
        self.turn = 0  # the seat whose turn it is
        self.die = ""  # the face rolled and not yet answered; "" before the roll

    @property
    def to_play(self) -> int:
        if self.over():
            return OVER
        return self.turn if self.die else CHANCE

    def legal(self) -> list[str]:
        if self.over():
            return []
        if not self.die:
            return [f"roll {face}" for face in FACES]
        return self.moves() + self.splits() or ["pass"]

    def play(self, text: str) -> None:
        if text not in self.legal():
            raise ValueError(f"not allowed now: {text!r}; allowed: {self.legal()}")
        verb, *words = text.split()
        if verb == "roll":
            self.die = words[0]
        else:
            self.answer([int(word) for word in words])

    def scores(self) -> list[int]:
        return [sum(self.worth(pawn, space) for pawn, space in own.items()) for own in self.pawns]

    def places(self) -> list[int]:
        """RULES 9.4: one more than the number of seats that have a higher score."""
        scores = self.scores()
        return [1 + len([other for other in scores if other > score]) for score in scores]

    def answer(self, pawns: list[int]) -> None:
        """Let these pawns go, one after the other (none: a pass), and end the turn."""
        self.die = ""
        for pawn in pawns:
            self.go(pawn)
            if self.over():  # RULES 8.2: before the second half, before an extra turn
                return
        if not any(self.in_a_run(pawn) for pawn in pawns):  # RULES 6.2
            self.turn = (self.turn + 1) % self.seats

    def moves(self) -> list[str]:
        """RULES 3.3 and 3.4: the pawn named, or any that can go."""
        named = PAWNS if self.die == "*" else [int(self.die)]
        return [f"move {pawn}" for pawn in named if self.can_go(pawn)]

    def splits(self) -> list[str]:
        """RULES 5.2."""
        pairs = SPLITS.get(self.die, []) if self.post_passed() else []
        return [f"split {first} {second}" for first, second in pairs if self.can_split(first, second)]

    def can_split(self, first: int, second: int) -> bool:
        """RULES 5.5 and 5.6: try it, on a copy. Version 1 had an exception (RULES 12.9)."""
        if not self.can_go(first):
            return False
        trial = self.copy()
        trial.go(first)
        return trial.can_go(second) or (self.rules == 1 and trial.over())

    def can_go(self, pawn: int) -> bool:
        return self.empty_ahead(pawn) != []

    def go(self, pawn: int) -> None:
        self.pawns[self.turn][pawn] = self.empty_ahead(pawn)[0]

    def empty_ahead(self, pawn: int) -> list[int]:
        """RULES 4.2 and 4.3: off the track counts as space 0, so placing and moving look ahead alike."""
        taken = self.taken()
        return [space for space in range(self.pawns[self.turn][pawn] + 1, LENGTH + 1) if space not in taken]

    def taken(self) -> list[int]:
        return [space for own in self.pawns for space in own.values() if space != OFF]

    def over(self) -> bool:
        """RULES 8.1."""
        taken = self.taken()
        return LENGTH in taken and LENGTH - 1 in taken and LENGTH - 2 in taken

    def post_passed(self) -> bool:
        """RULES 5.1."""
        return any(space > POST_AFTER[self.seats] for space in self.taken())

    def in_a_run(self, pawn: int) -> bool:
        """RULES 6.1: whether three or more own pawns stand in one unbroken line, this one among them."""
        own = [space for space in self.pawns[self.turn].values() if space != OFF]
        rear = front = self.pawns[self.turn][pawn]
        while rear - 1 in own:
            rear -= 1
        while front + 1 in own:
            front += 1
        return front - rear + 1 >= 3

    def worth(self, pawn: int, space: int) -> int:
        """RULES 9.1 and 9.2."""
        return pawn * (VALUE_OFF if space == OFF else VALUES.get(space, 0))

    def copy(self) -> "Oracle":
        twin = Oracle(self.seats, self.rules)
        twin.pawns = [dict(own) for own in self.pawns]
        twin.turn, twin.die = self.turn, self.die
        return twin
