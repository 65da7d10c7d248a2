"""How networks read a game: what a seat sees as arrays of one size, and its actions as small numbers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plenilune.core.engine import generic, register, rule, score
from plenilune.core.fingerprint import fingerprint
from plenilune.core.record import Field, Record, i8, u8

CORE = Path(__file__).parent


class Encoded(Record):
    """What networks are given: its fields hold bytes or float32. It has a type of its own, as a state has, by which
    compiled code finds what writes it."""

    @classmethod
    def fields(cls) -> dict[str, Field]:
        source = Path(sys.modules[cls.__module__].__file__ or "")
        mark = f"{cls.__name__}_{fingerprint(source if source.parent == CORE else source.parent)}"
        return {**super().fields(), mark: i8(0)}


class Nothing(Encoded):
    """For a game that encodes nothing."""

    nothing: Any = u8(1)


@rule
def write_nothing(s: Any, seat: int, out: Any) -> None:
    """For a game without `tokens` or `planes`."""


@rule
def same_numbers(s: Any, actions: Any, n: int, out: Any) -> None:
    """For a game whose action numbers are few enough as they are."""
    for i in range(n):
        out[i] = actions[i]


@rule
def describe_nothing(s: Any, action: int, out: Any) -> None:
    """For a game without `describe`."""


@rule
def same_state(s: Any, symmetry: int) -> None:
    """For a game without symmetries."""


@rule
def same_action(s: Any, action: int, symmetry: int) -> int:
    """For a game without symmetries."""
    return action


@rule
def row_of(s: Any, seat: int, own: int) -> int:
    """How many seats after the own one: the row of a seat in what is seen from the own side of the table."""
    return seat - own if seat >= own else seat - own + int(s.seats)


@rule
def points(s: Any) -> float:
    """What a game played alone rewards: its score."""
    return float(score(s, 0))


@dataclass(frozen=True, kw_only=True)
class Encoding:
    """The functions marked * are `@rule`s of a state as a seat sees it. Equal states seen give equal bytes."""

    Tokens: type[Encoded] = Nothing  # small whole numbers, each a byte
    Planes: type[Encoded] = Nothing  # float32, roughly between 0 and 1
    Option: type[Encoded] = Nothing  # one legal action, in bytes
    tokens: Callable[[Any, int, Any], None] = write_nothing  # * (state, seat, out): from the seat's side of the table
    planes: Callable[[Any, int, Any], None] = write_nothing  # * likewise
    describe: Callable[[Any, int, Any], None] = describe_nothing  # * (state, action, out): a legal action's features
    size: int = 0  # how many codes there are; 0: as many as action numbers
    codes: Callable[[Any, Any, int, Any], None] = same_numbers  # * (state, legal actions, n, out): a code for each
    most_legal: int = 0  # actions that a seat or chance can ever choose from; 0: all there are
    symmetries: int = 1  # ways to look at a state that are the same for the rules, the state itself the first
    mirror: Callable[[Any, int], None] = same_state  # * (state, symmetry): turn the state into its image
    image: Callable[[Any, int, int], int] = same_action  # * (state, action, symmetry): the action's number there
    reward: Callable[[Any], float] = points  # * (state at its end): what a game played alone rewards

    def register(self, state: np.dtype[Any]) -> None:
        """Tell the generic functions below what to call for states of this type, and for what is to be written."""
        register(state, {name: getattr(self, name) for name in ("describe", "codes", "mirror", "image", "reward")})
        register(Nothing.dtype, {"write": write_nothing})
        register(self.Tokens.dtype, {"write": self.tokens})
        register(self.Planes.dtype, {"write": self.planes})


write = generic("write", by=2)  # (state, seat, out): `tokens` or `planes`, by what is to be written
describe = generic("describe")
codes = generic("codes")
mirror = generic("mirror")
image = generic("image")
reward = generic("reward")
