"""A match at one ply: what is true, what each seat may know of it, and where actions would lead.

A position knows no dice. Chance is played by `roll`, which is handed the dice; everything else stops at a chance node,
so nothing that can be refused, previewed or hinted can depend on what will be rolled.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from plenilune.compiling import prepare
from plenilune.dice import Dice
from plenilune.engine import generator
from plenilune.errors import IllegalAction
from plenilune.game import Game
from plenilune.record import CHANCE, OVER, SPECTATOR

GUESSES = 3  # at what a seat does not know, to find out whether an action would reveal some of it
MOST_LISTED = 12  # actions that a refusal names
Stop = Literal["", "chance", "secret", "turn", "over"]
STOPS: dict[Stop, str] = {
    "chance": "chance comes first",
    "secret": "what comes first depends on what you cannot know",
    "turn": "the turn has ended before it",
    "over": "the match would be over",
}


class Step(NamedTuple):
    """One action that was played."""

    number: int
    actor: int
    known: tuple[int, ...] | None  # how many words each viewer may read, the spectator first; None: everybody all


class Ahead(NamedTuple):
    """Where some actions would lead, as far as their seat can tell."""

    seen: Any
    done: int  # how many of them
    stopped: Stop  # why nothing further can be told


class Position:
    """
    >>> from plenilune import load
    >>> position = Position.begin(load("moon-leap"), 2, {})
    >>> steps = position.roll(Dice("apollo"))
    >>> position.ply, position.to_play, position.legal_texts()
    (1, 0, ['move 4'])
    """

    def __init__(self, game: Game, state: Any, ply: int) -> None:
        self.game, self.state, self.ply = game, state, ply

    @classmethod
    def begin(cls, game: Game, seats: int, options: Mapping[str, str]) -> Position:
        prepare(game)
        words = [game.options[name].index(word) for name, word in game.choices(seats, options).items()]
        state = game.State.new()
        game.setup(state, seats, np.array(words, np.int32))
        return cls(game, state, 0)

    @classmethod
    def at(cls, game: Game, state: bytes, ply: int) -> Position:
        """From a state's bytes; the caller has compared the layout."""
        prepare(game)
        return cls(game, np.frombuffer(state, game.State.dtype).copy()[0], ply)

    def copy(self) -> Position:
        return Position(self.game, self.game.State.copy(self.state), self.ply)

    @property
    def seats(self) -> int:
        return int(self.state["seats"])

    @property
    def to_play(self) -> int:
        return to_play(self.state)

    @property
    def over(self) -> bool:
        return self.to_play == OVER

    # Playing

    def legal(self) -> list[int]:
        return legal(self.game, self.state)

    def legal_texts(self) -> list[str]:
        return [self.game.actions.texts[number] for number in self.legal()]

    def play(self, text: str) -> Step:
        """One action of whoever is to play, chance too."""
        number = self.game.actions.parse(text)
        check_legal(self.game, self.legal(), number, "now")
        return self._apply(number)

    def roll(self, dice: Dice) -> list[Step]:
        """Let chance play until it is a seat's turn or the match is over."""
        steps = []
        while self.to_play == CHANCE:
            steps.append(self._apply(self.outcome(dice)))
        return steps

    def outcome(self, dice: Dice) -> int:
        """The action that the dice give at this chance node."""
        return dice.pick(self.ply, self.legal())

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

    def legal_for(self, viewer: int) -> list[str]:
        """What the viewer may play, judged by what it has seen; nothing when it is not its turn."""
        return legal_for(self.game, self.seen(viewer), viewer) if self.to_play == viewer else []

    def check(self, text: str, when: str = "now") -> None:
        """Refuse what is no action, or is none that whoever is to play may take."""
        check_legal(self.game, self.legal(), self.game.actions.parse(text), when)

    def ahead(self, seat: int, texts: Sequence[str]) -> Ahead:
        """Play the actions on what the seat has seen, as far as it can tell where they lead."""
        seen, done = self.seen(seat), 0
        for text in texts:
            if stopped := _stops(seen, seat):
                raise IllegalAction(f"{text!r} cannot come next: {STOPS[stopped]}")
            number = self.game.actions.parse(text)
            check_legal(self.game, legal(self.game, seen), number, "then" if done else "now")
            after = _certain(self.game, seen, seat, number)
            if after is None:
                return Ahead(seen, done, "secret")
            seen, done = after, done + 1
        return Ahead(seen, done, _stops(seen, seat))


def check_legal(game: Game, allowed: list[int], number: int, when: str) -> None:
    if number not in allowed:
        raise IllegalAction(f"{game.actions.texts[number]!r} is not allowed {when}; {_listed(game, allowed)}")


def _listed(game: Game, numbers: list[int]) -> str:
    texts = [game.actions.texts[number] for number in numbers]
    more = f" and {len(texts) - MOST_LISTED} more" if len(texts) > MOST_LISTED else ""
    return f"you may: {', '.join(texts[:MOST_LISTED])}{more}"


def _stops(seen: Any, seat: int) -> Stop:
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


def legal_for(game: Game, seen: Any, viewer: int) -> list[str]:
    """What the viewer may play in a state as it has seen it."""
    if viewer == SPECTATOR or to_play(seen) != viewer:
        return []
    return [game.actions.texts[number] for number in legal(game, seen)]


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
