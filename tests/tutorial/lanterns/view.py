"""What a seat sees of Lanterns: as plain data, and drawn as text."""

from __future__ import annotations

from dataclasses import dataclass

from plenilune.drawing import FAINT, GOLD, mark
from plenilune.games.lanterns import rules
from plenilune.games.lanterns.rules import COLOUR_NAMES, COLOURS, EMPTY, LANTERN_NAMES, SIDE, UNKNOWN, UNTOLD, State
from plenilune.record import OVER, Ints
from plenilune.spaces import HIDDEN

SECRETS = {UNTOLD: "", UNKNOWN: HIDDEN, **dict(enumerate(COLOUR_NAMES))}


@dataclass(frozen=True)
class Lantern:
    id: str  # its name in the actions' texts
    colour: str


@dataclass(frozen=True)
class Player:
    board: list[Lantern | None]  # by cell
    secret: str  # a colour, HIDDEN, or nothing before it is whispered
    points: int | None  # None while the secret is not known


@dataclass(frozen=True)
class View:
    to_play: int
    mover: int  # the seat whose turn it is
    in_bag: int  # how many lanterns
    row: list[Lantern | None]  # by slot
    players: list[Player]


def view(s: State) -> View:
    return View(
        to_play=int(s.to_play),
        mover=int(s.mover),
        in_bag=int(s.bag.sum()),
        row=_lanterns(s.row),
        players=[_player(s, seat) for seat in range(s.seats)],
    )


def _player(s: State, seat: int) -> Player:
    board, secret = s.players[seat].board, int(s.players[seat].secret)
    points = None if secret in (UNTOLD, UNKNOWN) else int(rules.score(s, seat))
    return Player(_lanterns(board), SECRETS[secret], points)


def _lanterns(numbers: Ints) -> list[Lantern | None]:
    return [None if n == EMPTY else Lantern(LANTERN_NAMES[n], COLOUR_NAMES[n % COLOURS]) for n in numbers]


def draw(v: View) -> str:
    """The row, and below it a board for each seat."""
    row = "  ".join(f"[{FAINT}]{slot}[/] {_draw_lantern(lantern)}" for slot, lantern in enumerate(v.row, 1))
    return "\n".join([f"{row}   {v.in_bag} in the bag", *(_draw_seat(v, seat) for seat in range(len(v.players)))])


def _draw_seat(v: View, seat: int) -> str:
    p = v.players[seat]
    turn = f"[{GOLD}]►[/]" if seat == v.mover and v.to_play != OVER else " "
    points = "" if p.points is None else f", score {p.points}"
    lines = [f"\n{turn} {mark(seat)} seat {seat + 1}: {p.secret}{points}", f"[{FAINT}]    a b c[/]"]
    for start in range(0, len(p.board), SIDE):
        cells = " ".join(_draw_lantern(lantern) for lantern in p.board[start : start + SIDE])
        lines.append(f"[{FAINT}]  {start // SIDE + 1}[/] {cells}")
    return "\n".join(lines)


def _draw_lantern(lantern: Lantern | None) -> str:
    return f"[{lantern.colour}]{lantern.colour[0]}[/]" if lantern else f"[{FAINT}]·[/]"
