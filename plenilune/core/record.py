"""Game state declared like a dataclass and stored as one flat numpy record that numba reads and writes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from plenilune.core.fingerprint import fingerprint

Ints = NDArray[np.int32]
CHANCE, OVER = -1, -2  # values of `to_play` that are not seats
SPECTATOR = -1  # a viewer without a seat


class Field:
    def __init__(self, dtype: Any, shape: tuple[int, ...]) -> None:
        self.spec = (dtype, shape) if shape else (dtype,)


def i8(*shape: int) -> Any:
    """Storage for many small numbers. Not for lone ones: int8 arithmetic differs compiled and plain."""
    return Field(np.int8, shape)


def u8(*shape: int) -> Any:
    """Storage for many numbers up to 255; not for lone ones either."""
    return Field(np.uint8, shape)


def i16(*shape: int) -> Any:
    return Field(np.int16, shape)


def i32(*shape: int) -> Any:
    return Field(np.int32, shape)


def i64(*shape: int) -> Any:
    return Field(np.int64, shape)


def f32(*shape: int) -> Any:
    return Field(np.float32, shape)


def many(kind: type[Record], *shape: int) -> Any:
    return Field(kind.dtype, shape)


def packed(name: str, fields: Mapping[str, Field]) -> np.dtype[Any]:
    """The type of a record. Packed: padding would be copied as garbage, and equal records would differ in bytes."""
    if taken := [field for field in fields if hasattr(np.record, field)]:
        raise TypeError(f"{name}: numpy's records have a {taken[0]!r} of their own: choose another name for the field")
    return np.dtype((np.record, [(name, *field.spec) for name, field in fields.items()]))


class Record:
    dtype: np.dtype[Any]

    def __init_subclass__(cls) -> None:
        cls.dtype = packed(cls.__name__, cls.fields())

    @classmethod
    def fields(cls) -> dict[str, Field]:
        parents = reversed(cls.__mro__)
        return {name: f for c in parents for name, f in vars(c).items() if isinstance(f, Field)}

    @classmethod
    def new(cls) -> Self:
        return np.zeros(1, cls.dtype)[0]  # type: ignore[no-any-return]

    @classmethod
    def copy(cls, state: Self) -> Self:
        return np.array([state], cls.dtype)[0]  # type: ignore[no-any-return]


class BaseState(Record):
    """The fields every game starts with."""

    edition = ""  # tells the State of an earlier version of the rules from the present one, in the same folder
    seats: int = i32()
    to_play: int = i32()  # the seat to act, CHANCE, or OVER

    @classmethod
    def fields(cls) -> dict[str, Field]:
        """The declared fields, and one of no width that is named after the rules' fingerprint: so each game's state
        has a type of its own, and compiled code for a state whose rules have changed is never taken from the cache."""
        return {**super().fields(), f"rules_{fingerprint(cls.home())}{cls.edition}": i8(0)}

    @classmethod
    def home(cls) -> Path:
        """The folder of the game whose state this is."""
        return Path(sys.modules[cls.__module__].__file__ or "").parent
