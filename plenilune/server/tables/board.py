"""A match's truth at one ply, what may be seen of it, and where actions would lead."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from plenilune.compiling import prepare
from plenilune.dice import Dice
from plenilune.engine import generator
from plenilune.errors import IllegalAction
from plenilune.game import Game
from plenilune.record import CHANCE, OVER, SPECTATOR
from plenilune.server.protocol.refusals import Denied

GUESSES = 3  # at what a seat does not know, to find out whether an action brings some of it to light
MANY = 12  # actions that a refusal lists


class Step(NamedTuple):
    """One action that was played."""

    number: int
    actor: int
    known: tuple[int, ...] | None  # how many words each viewer may read, the spectator first; None: everybody all


class Ahead(NamedTuple):
    """Where some actions would lead, as their seat can tell."""

    seen: Any
    done: int
    stopped: Literal["", "chance", "secret", "turn", "over"]


class Board:
    """
    >>> from plenilune import load
    >>> board = Board.begin(load("moon-leap"), 2, {}, "apollo")
    >>> steps = board.roll()
    >>> board.ply, board.to_play, board.legal_texts()
    (1, 0, ['move 4'])
    """

    def __init__(self, game: Game, seed: str, state: Any, ply: int) -> None:
        self.game, self.dice, self.state, self.ply = game, Dice(seed), state, ply

    @classmethod
    def begin(cls, game: Game, seats: int, options: dict[str, str], seed: str) -> Board:
        prepare(game)
        words = [game.options[name].index(word) for name, word in game.choices(seats, options).items()]
        state = game.State.new()
        game.setup(state, seats, np.array(words, np.int32))
        return cls(game, seed, state, 0)

    @classmethod
    def at(cls, game: Game, seed: str, state: bytes, ply: int) -> Board:
        """From what was kept; the caller has compared the layout."""
        prepare(game)
        return cls(game, seed, np.frombuffer(state, game.State.dtype).copy()[0], ply)

    def copy(self) -> Board:
        return Board(self.game, self.dice.seed, self.game.State.copy(self.state), self.ply)

    @property
    def seats(self) -> int:
        return int(self.state["seats"])

    @property
    def to_play(self) -> int:
        return to_play(self.state)

    # Playing

    def legal_texts(self) -> list[str]:
        return [self.game.actions.texts[number] for number in legal(self.game, self.state)]

    def play(self, text: str) -> Step:
        """One action of the seat to play."""
        number = self.game.actions.parse(text)
        allowed = legal(self.game, self.state)
        if number not in allowed:
            raise IllegalAction(f"{text!r} is not allowed now; {_listed(self.game, allowed)}")
        return self._apply(number)

    def roll(self) -> list[Step]:
        """Whatever chance has to play now."""
        steps = []
        while self.to_play == CHANCE:
            steps.append(self._apply(self.dice.pick(self.ply, legal(self.game, self.state))))
        return steps

    def _apply(self, number: int) -> Step:
        actor, known = self.to_play, self.game.known
        words = known and tuple(known(self.state, number, viewer) for viewer in range(SPECTATOR, self.seats))
        self.game.apply(self.state, number)
        self.ply += 1
        return Step(number, actor, words or None)

    # Seeing

    def seen(self, viewer: int) -> Any:
        seen = self.game.State.copy(self.state)
        if self.game.secrets:
            self.game.hide(seen, viewer)
        return seen

    def legal_for(self, seen: Any, viewer: int) -> list[str]:
        """What the viewer may play, told from what it has seen; nothing when it is not its turn."""
        if viewer == SPECTATOR or to_play(seen) != viewer:
            return []
        return [self.game.actions.texts[number] for number in legal(self.game, seen)]

    def ahead(self, seat: int, texts: Sequence[str]) -> Ahead:
        """Play the actions on what the seat has seen, as far as it can tell where they lead."""
        seen, done = self.seen(seat), 0
        for text in texts:
            if stopped := _stops(seen, seat):
                raise Denied("illegal_action", f"{text!r} cannot be previewed: {STOPS[stopped]}", self.ply)
            number = self.game.actions.parse(text)
            allowed = legal(self.game, seen)
            if number not in allowed:
                raise IllegalAction(f"{text!r} is not allowed then; {_listed(self.game, allowed)}")
            after = _certain(self.game, seen, seat, number)
            if after is None:
                return Ahead(seen, done, "secret")
            seen, done = after, done + 1
        return Ahead(seen, done, _stops(seen, seat))


def _listed(game: Game, numbers: list[int]) -> str:
    texts = [game.actions.texts[number] for number in numbers]
    more = f" and {len(texts) - MANY} more" if len(texts) > MANY else ""
    return f"you may: {', '.join(texts[:MANY])}{more}"


STOPS = {
    "chance": "chance comes first",
    "secret": "what comes first depends on what you cannot know",
    "turn": "the turn has ended before it",
    "over": "the match would be over",
}


def _stops(seen: Any, seat: int) -> Literal["", "chance", "turn", "over"]:
    if to_play(seen) == OVER:
        return "over"
    if to_play(seen) == CHANCE:
        return "chance"
    return "" if to_play(seen) == seat else "turn"


def _certain(game: Game, seen: Any, seat: int, number: int) -> Any:
    """The seen state after the action, or None if it would show what the seat cannot know."""
    found = [_guessed(game, seen, seat, number, guess) for guess in range(GUESSES if game.secrets else 1)]
    return found[0] if all(other.tobytes() == found[0].tobytes() for other in found) else None


def _guessed(game: Game, seen: Any, seat: int, number: int, guess: int) -> Any:
    state = game.State.copy(seen)
    game.resample(state, seat, generator(guess))
    game.apply(state, number)
    over = state.to_play == OVER
    if over and game.secrets:  # the end lays everything open; a guess must not be
        state.to_play = seat
    game.hide(state, seat)
    if over:
        state.to_play = OVER
    return state


def to_play(state: Any) -> int:
    return int(state["to_play"])  # by its name in brackets: as an attribute it takes ten times as long


def legal(game: Game, state: Any) -> list[int]:
    """Sorted: the dice mean the same however a game lists them."""
    if to_play(state) == OVER:
        return []
    out = np.empty(game.actions.size, np.int32)
    return sorted(out[: game.legal(state, out)].tolist())


def digest(seen: Any) -> str:
    """Names what is seen: equal for everybody who sees the same."""
    return hashlib.sha256(seen.tobytes()).hexdigest()[:16]


def layout(game: Game) -> str:
    """Names the fields of the game's state, their types and their places; not the rules' fingerprint among them."""
    return _layout(game.State.dtype)


@functools.cache
def _layout(dtype: np.dtype[Any]) -> str:
    return hashlib.sha256(repr(_fields(dtype)).encode()).hexdigest()[:12]


def _fields(dtype: np.dtype[Any]) -> Any:
    if dtype.subdtype:
        inner, shape = dtype.subdtype
        return [_fields(inner), shape]
    if not dtype.names:
        return dtype.str
    return [(name, _fields(dtype[name])) for name in dtype.names if not name.startswith("rules_")]
