"""What a seat sees of Lanterns, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from plenilune.core.record import Ints
from plenilune.core.spaces import HIDDEN
from plenilune.games.lanterns import rules
from plenilune.games.lanterns.rules import COLOUR_NAMES, COLOURS, EMPTY, LANTERN_NAMES, UNKNOWN, UNTOLD, State

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
