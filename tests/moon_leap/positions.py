"""Positions drawn as text, so that tests read like the rulebook's pictures.

A pawn is its seat's letter and its number, `.` is an empty space, pawns travel to the right, and pawns that are not
drawn are not placed yet.

>>> match = position("w2 o1 g4 . w5", seats=3, roll="2")
>>> match.play("move 2")
>>> match.drawing, match.turn
('. o1 g4 w2 w5', 'o')
"""

from pathlib import Path

from plenilune import Match, load
from plenilune.games import moon_leap
from plenilune.games.moon_leap.rules import EMPTY, OFF, PAWNS
from plenilune.games.moon_leap.tables import POSTS, SPACES
from tests.rulebook import table_rows

LETTERS = "wogv"  # white, orange, grey and violet: seats 1 to 4
RULES = (Path(moon_leap.__file__).parent / "RULES.md").read_text("utf-8")


class DrawnMatch(Match):
    """A match begun at a position; chance waits, so `roll 4` is played like any action."""

    def __init__(self, drawing: str, seats: int, at: int, turn: str, rules: int | None = None) -> None:
        super().__init__(load("moon-leap", rules), seats)
        self.window = range(at, at + len(drawing.split()))
        for space, word in zip(self.window, drawing.split(), strict=True):
            if word != ".":
                self._put(LETTERS.index(word[0]), int(word[1:]), space)
        self.state.mover = LETTERS.index(turn)

    def _put(self, seat: int, pawn: int, space: int) -> None:
        assert seat < self.seats
        assert self.state.where[seat, pawn] == OFF, "drawn twice"
        self.state.where[seat, pawn], self.state.track[space] = space, seat
        if space > POSTS[self.seats]:
            self.state.post_passed = 1

    @property
    def drawing(self) -> str:
        """The spaces of the first drawing as they are now."""
        return " ".join(self._word(space) for space in self.window)

    def _word(self, space: int) -> str:
        seat = self.state.track[space]
        if seat == EMPTY:
            return "."
        (pawn,) = (pawn for pawn in range(1, PAWNS + 1) if self.state.where[seat, pawn] == space)
        return f"{LETTERS[seat]}{pawn}"

    @property
    def turn(self) -> str:
        """The letter of the seat whose turn it is; nothing once the match is over."""
        return "" if self.over else LETTERS[self.state.mover]


def position(
    drawing: str, seats: int = 2, at: int = 20, turn: str = "w", roll: str = "", rules: int | None = None
) -> DrawnMatch:
    """The position with the first drawn space at `at`, which is beyond every post; a roll is played at once."""
    match = DrawnMatch(drawing, seats, at, turn, rules)
    if roll:
        match.play(f"roll {roll}")
    return match


def ending(drawing: str, seats: int = 2, turn: str = "w", roll: str = "", rules: int | None = None) -> DrawnMatch:
    """The position with the last drawn space at the end of the track."""
    return position(drawing, seats, SPACES + 1 - len(drawing.split()), turn, roll, rules)


def splits(match: Match) -> set[str]:
    return {action for action in match.legal() if action.startswith("split")}


def in_colour(drawing: str) -> str:
    """A drawing of RULES.md, with digits for the seat whose turn it is and `x` for others, as one of ours.

    >>> in_colour("3 x . 1 x")
    'w3 o5 . w1 o4'
    """
    others = iter("54321")
    words = ("o" + next(others) if word == "x" else word for word in drawing.split())
    return " ".join("w" + word if word.isdecimal() else word for word in words)


def in_digits(drawing: str) -> str:
    """The way back.

    >>> in_digits("w3 o5 . w1 o4")
    '3 x . 1 x'
    """
    return " ".join({"w": word[1:], "o": "x"}.get(word[0], word) for word in drawing.split())


def paragraph(number: str) -> str:
    """A paragraph of RULES.md, with the table or the drawings that follow it."""
    after = RULES.partition(f"\n{number} ")[2]
    chapter, _, own = number.partition(".")
    return after.partition(f"\n{chapter}.{int(own) + 1} ")[0].partition("\n## ")[0]


def rules_table(number: str) -> list[list[str]]:
    return table_rows(paragraph(number))


def rules_drawings(number: str) -> dict[str, str]:
    """A paragraph's drawings by the words to the left of them.

    >>> rules_drawings("5.5")["before"]
    '1 3 .'
    """
    drawn = (line.strip().split("  ", 1) for line in paragraph(number).splitlines() if line.startswith("    "))
    return {label: rest.strip().partition("  ")[0] for label, rest in drawn}
