"""A match at one ply: what is true, what each seat may know of it, and where actions would lead.

A position knows no dice. Chance is played by `roll`, which is handed the dice; everything else stops at a chance node,
so nothing that can be refused, previewed or hinted can depend on what will be rolled.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from plenilune.core.compiling import prepare
from plenilune.core.dice import Dice
from plenilune.core.errors import BadSetting, IllegalAction, UnknownAction
from plenilune.core.record import CHANCE, OVER, SPECTATOR
from plenilune.game import Game

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
        self._seen: dict[int, Any] = {}  # by viewer; like the next two, kept until an action is played
        self._digests: dict[int, str] = {}
        self._allowed: list[int] | None = None  # what the seat to play may do, by what it has seen

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
        """Play an action of the seat to play, or of chance."""
        return self._applied(self.parse(text))

    def parse(self, text: str) -> int:
        """The number of an action that may be played now; a refusal lists the actions that may be."""
        allowed = self.legal()
        try:
            number = self.game.actions.parse(text)
        except UnknownAction as error:
            raise UnknownAction(f"{error}; {self._choices(allowed)}") from None
        if number not in allowed:
            raise IllegalAction(f"{text!r} is not allowed now; {self._choices(allowed)}")
        return number

    def walk(self, texts: Iterable[str]) -> Iterator[Position]:
        """Play the actions one by one: this position is yielded before each of them and after the last."""
        for text in texts:
            yield self
            self.play(text)
        yield self

    def roll(self, dice: Dice) -> list[Step]:
        """Let chance play until it is a seat's turn or the match is over."""
        steps = []
        while self.to_play == CHANCE:
            steps.append(self._applied(self.outcome(dice)))
        return steps

    def outcome(self, dice: Dice) -> int:
        """The action that the dice give at this chance node."""
        return dice.pick(self.ply, self.legal())

    def check_roll(self, dice: Dice, text: str) -> None:
        """Refuse an outcome that the dice do not give, if chance is to play."""
        if self.to_play == CHANCE and (rolled := self.game.actions.text(self.outcome(dice))) != text:
            raise IllegalAction(f"expected {rolled!r} of this seed, not {text!r}")

    def apply(self, number: int) -> Step:
        """Play an action by its number."""
        allowed = self.legal()
        if number not in allowed:
            raise IllegalAction(f"{number!r} is not allowed now; {self._choices(allowed)}")
        return self._applied(int(number))

    def _applied(self, number: int) -> Step:
        words = words_known(self.game, self.state, number)
        return Step(number, self.advance(number), words)

    def advance(self, number: int) -> int:
        """Play an action that is known to be legal: any other may end the process. Returns who played it."""
        actor = self.to_play
        self.game.apply(self.state, number)
        self.ply += 1
        self._seen, self._digests, self._allowed = {}, {}, None
        return actor

    def _choices(self, numbers: list[int]) -> str:
        if self.over:
            return "the match is over"
        who = "chance" if self.to_play == CHANCE else f"seat {self.to_play + 1}"
        return _listed(self.game, numbers, who)

    def standing(self) -> tuple[list[int], list[int]]:
        """Every seat's score and its place, as if the match ended now; seats may share a place."""
        from plenilune.core.engine import standing

        return standing(self.state)

    # Seeing

    def seen(self, viewer: int) -> Any:
        """The state as the viewer knows it. It is made once and shared: copy it before writing to it."""
        eyes = self._eyes(viewer)
        if eyes not in self._seen:
            self._seen[eyes] = hidden(self.game, self.state, eyes)
        return self._seen[eyes]

    def hidden(self, viewer: int) -> Any:
        """The state as the viewer knows it: a new copy."""
        return hidden(self.game, self.state, self._eyes(viewer))

    def view(self, viewer: int) -> Any:
        """What the viewer sees, as plain data."""
        return self.game.view(self.seen(viewer))

    def digest(self, viewer: int) -> str:
        """Names what the viewer sees: equal for everybody who sees the same."""
        eyes = self._eyes(viewer)
        if eyes not in self._digests:
            self._digests[eyes] = digest(self.seen(eyes))
        return self._digests[eyes]

    def _eyes(self, viewer: int) -> int:
        """The viewer, all of them the spectator where nobody has secrets; refused if there is no such viewer."""
        if isinstance(viewer, bool) or not isinstance(viewer, int | np.integer) or not SPECTATOR <= viewer < self.seats:
            raise BadSetting(f"who looks is a seat from 0 to {self.seats - 1}, or -1 for a spectator, not {viewer!r}")
        return int(viewer) if self.game.secrets else SPECTATOR

    def text_for(self, number: int, viewer: int) -> str:
        """The text of an action that is about to be played, with `?` for words that the viewer may not know."""
        self._eyes(viewer)
        if number not in range(self.game.actions.size):
            raise UnknownAction(f"no such action: {number!r}")
        known = self.game.known
        return self.game.actions.text(number, known(self.state, number, viewer) if known else None)

    def allowed(self) -> list[int]:
        """What the seat to play may do, judged by what it has seen."""
        if self._allowed is None:
            self._allowed = legal(self.game, self.seen(self.to_play)) if self.to_play >= 0 else []
        return self._allowed

    def legal_for(self, viewer: int) -> list[str]:
        """What the viewer may play, judged by what it has seen; nothing when it is not its turn."""
        if viewer == SPECTATOR or self.to_play != viewer:
            return []
        return [self.game.actions.texts[number] for number in self.allowed()]

    def check(self, text: str) -> int:
        """The number of an action that the seat to play may take, judged by what it has seen."""
        number = self.game.actions.parse(text)
        check_legal(self.game, self.allowed(), number, "now")
        return number

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


def _listed(game: Game, numbers: list[int], who: str = "you") -> str:
    texts = [game.actions.texts[number] for number in numbers]
    more = f" and {len(texts) - MOST_LISTED} more" if len(texts) > MOST_LISTED else ""
    return f"{who} may: {', '.join(texts[:MOST_LISTED])}{more}"


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
    from plenilune.core.engine import generator  # importing numba is slow; a game's rules have done it by now

    state = played_on_a_guess(game, seen, seat, number, generator(guess))
    over = state.to_play == OVER
    if over and game.secrets:  # the end lays everything open; a guess must not be
        state.to_play = seat
    game.hide(state, seat)
    if over:
        state.to_play = OVER
    return state


def played_on_a_guess(game: Game, seen: Any, seat: int, number: int, rng: Any) -> Any:
    """The state after the action, with a fair guess in the place of what the seat does not know."""
    state = game.State.copy(seen)
    game.resample(state, seat, rng)
    game.apply(state, number)
    return state


def to_play(state: Any) -> int:
    return int(state["to_play"])  # by its name in brackets: as an attribute it takes ten times as long


def legal(game: Game, state: Any) -> list[int]:
    """Sorted: the dice mean the same however a game lists them."""
    if to_play(state) == OVER:
        return []
    out = np.empty(game.actions.size, np.int32)
    return sorted(out[: game.legal(state, out)].tolist())


def hidden(game: Game, state: Any, viewer: int) -> Any:
    """A copy of the state, with what the viewer may not know blanked."""
    seen = game.State.copy(state)
    if game.secrets:
        game.hide(seen, viewer)
    return seen


def words_known(game: Game, state: Any, number: int) -> tuple[int, ...] | None:
    """How many words of the action, about to be played, each viewer may read, the spectator first; None: all."""
    if game.known is None:
        return None
    return tuple(game.known(state, number, viewer) for viewer in range(SPECTATOR, int(state["seats"])))


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
