"""One match stepped from Python, in as few compiled calls as possible: for interfaces that play one at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plenilune.core.compiling import first_use
from plenilune.core.encoding import Nothing, codes, reward, write
from plenilune.core.engine import apply, below, generator, hide, legal, places, rule
from plenilune.core.errors import BadSetting
from plenilune.core.record import CHANCE, OVER, SPECTATOR
from plenilune.core.sorting import sort
from plenilune.game import Game, load
from plenilune.position import Position
from plenilune.rl.batch import streams
from plenilune.rl.checks import index, one_of, shown, whole

Array = NDArray[Any]
KINDS = ("code", "number")
COMPILED_FUNCTIONS = 40  # about, for the progress bar
NO_ACTION = -1


class Single:
    """A match whose chance is played by itself, from the stream of match 0 of a `Batch` with the same seed."""

    def __init__(self, game: Game | str, seats: int, options: Mapping[str, str], actions: str = "code") -> None:
        self.game = game if isinstance(game, Game) else load(game)
        self.options = self.game.choices(seats, options)
        self.seats, self.actions = int(seats), one_of("actions", actions, KINDS)
        self.encoding = self.game.encoded()
        self._start = np.array([Position.begin(self.game, seats, self.options).state], self.game.State.dtype)
        self.states, self._seen = self._start.copy(), self._start.copy()
        self._numbers = np.zeros(self.game.actions.size, np.int32)
        self._keys, self._rng = np.zeros_like(self._numbers), generator(0)
        self._tokens = np.zeros(1, self.encoding.Tokens.dtype)
        self._ranks = np.zeros(self.seats, np.int32)
        first_use(self.game, advance, self._rehearse, COMPILED_FUNCTIONS, "environments")
        self.reset(0)

    @property
    def action_count(self) -> int:
        return (self.encoding.size if self.actions == "code" else 0) or self.game.actions.size

    @property
    def observation_size(self) -> int:
        """Bytes of an observation: `tokens`, or the state as seen in a game without."""
        return self._tokens.nbytes if self.encoding.Tokens is not Nothing else self.states.nbytes

    @property
    def to_play(self) -> int:
        return int(self.states["to_play"][0])

    @property
    def over(self) -> bool:
        return self.to_play == OVER

    @property
    def position(self) -> Position:
        return Position(self.game, self.states[0], 0)

    def reset(self, seed: int) -> None:
        self._rng[0] = streams(whole("seed", seed, 0, 2**64 - 1), 1)[0]
        self.states[0] = self._start[0]
        self._advance(NO_ACTION)

    def is_legal(self, action: int) -> bool:
        """Refuses what is not an action at all."""
        found = index(action)
        if found is None:
            raise BadSetting(f"an action is a whole number, not {shown(action)}")
        return found in self.legal

    @property
    def legal(self) -> list[int]:
        """The legal actions, as `play` takes them, in ascending order of their numbers."""
        legal: list[int] = self._keys[: self._count].tolist()
        return legal

    def number(self, action: int) -> int:
        """The action number of a legal action."""
        return int(self._numbers[self.legal.index(action.__index__())])

    def key(self, number: int) -> int:
        """The inverse."""
        return int(self._keys[self._numbers[: self._count].tolist().index(number)])

    def play(self, action: int) -> None:
        if not self.is_legal(action):
            raise BadSetting(f"{shown(int(action))} is not allowed now; these are: {', '.join(map(str, self.legal))}")
        self._advance(self.number(action))

    def mask(self) -> NDArray[np.int8]:
        """1 for each action that the seat to play may take."""
        found = np.zeros(self.action_count, np.int8)
        found[self._keys[: self._count]] = 1
        return found

    def observation(self, seat: int) -> NDArray[np.uint8]:
        """What the seat sees."""
        if self.encoding.Tokens is Nothing:
            seen: Any = self.states.copy()
            self.game.hide(seen[0], seat)
            return seen.view(np.uint8)  # type: ignore[no-any-return]
        encode_observation(self.states, self._seen, seat, bool(self.game.secrets), self._tokens)
        return self._tokens.view(np.uint8).copy()

    def rewards(self) -> list[float]:
        """0 until the match is over; then as `Step.rewards`."""
        if not self.over:
            return [0.0] * self.seats
        if self.seats == 1:
            return [float(reward(self.states[0]))]
        places(self.states[0], self._ranks)
        return shares(self._ranks.tolist())

    def text(self, viewer: int = SPECTATOR) -> str:
        from plenilune.core.drawing import plain

        return plain(self.game.draw(self.position.view(viewer)))

    def svg(self, viewer: int = SPECTATOR) -> str:
        from plenilune.rl.drawing import svg

        return svg(self.game.draw(self.position.view(viewer)), self.game.title)

    def _advance(self, number: int) -> None:
        self._count = advance(self.states, number, self._rng, self._numbers, self._keys, self.actions == "code")

    def _rehearse(self) -> None:
        advance(self.states.copy(), NO_ACTION, generator(0), self._numbers, self._keys, True)
        if self.encoding.Tokens is not Nothing:
            encode_observation(self.states, self._seen, 0, bool(self.game.secrets), self._tokens)


def shares(places: Sequence[int]) -> list[float]:
    """What a match is worth to each seat: as `Step.rewards`."""
    winners, others = places.count(1), len(places) - 1
    return [(len(places) * (place == 1) / winners - 1) / others for place in places]


@rule
def advance(states: Any, action: int, rng: Any, numbers: Any, keys: Any, coded: bool) -> int:
    """Play the action, if there is one, and chance; list what is legal then. Returns how much that is."""
    s = states[0]
    if action != NO_ACTION:
        apply(s, action)
    while s.to_play == CHANCE:
        n = legal(s, numbers)
        apply(s, numbers[below(rng, n)])
    n = legal(s, numbers) if s.to_play != OVER else 0
    sort(numbers, n)
    if coded:
        codes(s, numbers, n, keys)
    else:
        for i in range(n):
            keys[i] = numbers[i]
    return n


@rule
def encode_observation(states: Any, seen: Any, seat: int, secrets: bool, out: Any) -> None:
    if secrets:
        seen[0] = states[0]
        hide(seen[0], seat)
        write(seen[0], seat, out[0])
    else:
        write(states[0], seat, out[0])
