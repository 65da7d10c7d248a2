"""Views declared once: a flat record that compiled rules fill, and plain data that is read from it.

A `Shape` is declared like a State and is a frozen dataclass. Its annotations say what Python and the client get, its
fields how that is stored: numbers as they are, words and printed things as places in a table of them.

>>> class Pawn(Shape):
...     colour: str = entry(("red", "blue"))
...     space: int | None = optional(i8())
>>> class View(Shape):
...     turn: int = i32()
...     pawns: list[Pawn] = several(Pawn, 4)
>>> record = np.zeros(1, View.layout.dtype)[0]
>>> record.turn, record.pawns.n, record.pawns.at[0].colour = 3, 1, 1
>>> View.layout.read(record.tobytes())
View(turn=3, pawns=[Pawn(colour='blue', space=None)])

Views are compared by their bytes, so whatever is not read stays zero: places behind the end of a list, and what is
absent. Compiled rules write without checking: a list that may be too short for its rule is found in plain mode.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import call
from typing import Any, ClassVar, Generic, TypeVar, dataclass_transform

import numba
import numpy as np
from numba import types

from plenilune.core.engine import PLAIN, generic, interrupts_held, rule
from plenilune.core.record import Field, i8, i16, i32, packed

S = TypeVar("S", bound="Shape")
FEW = 256  # entries that a byte can number
CODES = {np.dtype(kind): code for kind, code in (("i1", "b"), ("u1", "B"), ("i2", "h"), ("u2", "H"), ("i4", "i"))}


class Kind(Field):
    """How a value is stored, as a `dtype` and as a `code` of `struct`, and how what `struct` unpacks is read."""

    read: Callable[[Any], Any]

    def __init__(self, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)
        self.code = CODES.get(self.dtype) or f"{self.dtype.itemsize}s"
        super().__init__(self.dtype, ())

    def read_bytes(self, stored: bytes) -> Any:
        return self.read(*struct.unpack(f"={self.code}", stored))


class Number(Kind):
    read = int


class Flag(Kind):
    read = bool


class Entry(Kind):
    def __init__(self, table: Sequence[Any]) -> None:
        super().__init__(np.uint8 if len(table) <= FEW else np.uint16)
        self.table = tuple(table)
        self.read = self.table.__getitem__


class Constant(Kind):
    def __init__(self, value: Any) -> None:
        super().__init__((np.int8, (0,)))
        self.value = value

    def read(self, stored: bytes) -> Any:
        return self.value


class Part(Kind):
    def __init__(self, shape: type[Shape]) -> None:
        super().__init__(shape.layout.dtype)
        self.shape, self.read = shape, shape.layout.read


class Items(Kind):
    """A list of fixed length."""

    start = 0  # where the first item lies; before it is how many there are

    def __init__(self, item: Kind, length: int, dtype: Any = None) -> None:
        super().__init__(dtype or (item.dtype, (length,)))
        self.item, self._unpack = item, struct.Struct(f"={item.code}").iter_unpack
        self.step: int = item.dtype.itemsize  # from one item to the next

    def length(self, stored: bytes) -> int:
        return len(stored) // self.step

    def used(self, stored: bytes) -> int:
        return self.start + self.length(stored) * self.step

    def at(self, stored: bytes, place: int) -> bytes:
        first = self.start + place * self.step
        return stored[first : first + self.step]

    def read_bytes(self, stored: bytes) -> list[Any]:
        return self.read(stored)  # a record may end with the last item that is used

    def read(self, stored: bytes) -> list[Any]:
        read = self.item.read
        return [read(value) for (value,) in self._unpack(stored[self.start : self.used(stored)])]


class Several(Items):
    """A list of at most so many: `n` says how many of those in `at`."""

    start = 2

    def __init__(self, item: Kind, most: int) -> None:
        super().__init__(item, most, (np.record, [("n", np.uint16), ("at", item.dtype, (most,))]))

    def length(self, stored: bytes) -> int:
        return int.from_bytes(stored[: self.start], sys.byteorder)


class Optional(Kind):
    """Stored as a list of at most one."""

    def __init__(self, item: Kind) -> None:
        self.listed = Several(item, 1)
        super().__init__(self.listed.dtype)

    def read(self, stored: bytes) -> Any:
        return next(iter(self.listed.read(stored)), None)


class Counts(Kind):
    """Stored as a list of how many there are of each word, or of none where there is nothing to count."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words, self.listed = tuple(words), Several(Number(np.int8), len(words))
        super().__init__(self.listed.dtype)

    def read(self, stored: bytes) -> dict[str, int]:
        return dict(zip(self.words, self.listed.read(stored), strict=False))


def flag(*length: int) -> Any:
    """True or False; with a length, a list of so many."""
    return _listed(Flag(np.uint8), length)


def entry(table: Sequence[Any], *length: int) -> Any:
    """The entry of a table of plain data, stored as its place there; with a length, a list of so many."""
    return _listed(Entry(table), length)


def constant(value: Any) -> Any:
    """What never changes; takes no room."""
    return Constant(value)


def part(shape: type[Shape]) -> Any:
    """Another shape."""
    return Part(shape)


def several(item: Any, most: int) -> Any:
    """A list of at most so many of a shape or another field."""
    return Several(_kind(item), most)


def optional(item: Any) -> Any:
    """A shape or another field, or None."""
    return Optional(_kind(item))


def counts(words: Sequence[str]) -> Any:
    """How many there are of each, by their words; empty where there is nothing to count."""
    return Counts(words)


def _kind(field: Any) -> Kind:
    """Of a shape, or of a field, which may be one of a State's (`i32()`, `i8(4)`)."""
    if isinstance(field, Kind):
        return field
    if not isinstance(field, Field):
        return Part(field)
    dtype, *shape = field.spec
    return _listed(Number(dtype), shape[0] if shape else ())


def _listed(kind: Kind, length: tuple[int, ...]) -> Kind:
    return Items(kind, *length) if length else kind


class Layout(Generic[S]):
    """How a shape is stored, field by field, and read."""

    def __init__(self, shape: type[S], fields: dict[str, Field]) -> None:
        self.fields = {name: _kind(field) for name, field in fields.items()}
        self.dtype = packed(shape.__name__, self.fields)
        offsets = {name: self.dtype.fields[name][1] for name in self.fields}  # type: ignore[index]
        self.places = {name: slice(at, at + self.fields[name].dtype.itemsize) for name, at in offsets.items()}
        self._shape, self._readers = shape, [kind.read for kind in self.fields.values()]
        self._unpack = struct.Struct("=" + "".join(kind.code for kind in self.fields.values())).unpack

    def used(self, stored: bytes | bytearray) -> int:
        """How much of a record is used: all, up to the end of a list that is its last field."""
        name, kind = list(self.fields.items())[-1]
        place = self.places[name]
        return place.start + kind.used(bytes(stored[place])) if isinstance(kind, Items) else len(stored)

    def read(self, stored: bytes) -> S:
        made = object.__new__(self._shape)  # a frozen dataclass's own __init__ takes three times as long
        vars(made).update(zip(self.fields, map(call, self._readers, self._unpack(stored)), strict=True))
        return made


@dataclass_transform(
    frozen_default=True, field_specifiers=(i8, i16, i32, flag, entry, constant, part, several, optional, counts)
)
class Shape:
    """A part of a view, or all of it: a frozen dataclass that can be read from a record."""

    layout: ClassVar[Layout[Any]]

    def __init_subclass__(cls) -> None:
        fields = {name: field for name, field in vars(cls).items() if isinstance(field, Field)}
        for name in fields:
            delattr(cls, name)  # a dataclass would take it for a default
        dataclass(frozen=True)(cls)
        cls.layout = Layout(cls, fields)


# Filling

Fill = Callable[[Any, Any, Any], None]  # * (seen state, view's record all zero, array of one spare state)


class RecordView(Generic[S]):
    """A game's `view` whose record is filled by compiled rules."""

    def __init__(self, shape: type[S], fill: Fill) -> None:
        self.shape, self.fill = shape, fill

    def __call__(self, seen: Any) -> S:
        layout = self.shape.layout
        return layout.read(self.record(seen).ljust(layout.dtype.itemsize, b"\0"))  # type: ignore[no-any-return]

    def record(self, seen: Any) -> bytes:
        """What is seen, as the bytes of the shape's record; without the unused room of a list at its end."""
        stored, spare = bytearray(self.shape.layout.dtype.itemsize), bytearray(seen.dtype.itemsize)
        # Arrays of one element on plain memory: to make records and hand them to compiled code takes ten times as long.
        fill_record(
            np.frombuffer(seen, seen.dtype),
            np.frombuffer(stored, self.shape.layout.dtype),
            np.frombuffer(spare, seen.dtype),
        )
        return bytes(stored[: self.shape.layout.used(stored)])

    def compile(self, state: np.dtype[Any]) -> Iterator[str]:
        """Compile the rule for states of this type, after saying so."""
        yield "view"
        if not PLAIN:
            seen, record = (numba.from_dtype(dtype) for dtype in (state, self.shape.layout.dtype))
            arrays = (types.Array(seen, 1, "C", readonly=True), record[::1], seen[::1])
            with interrupts_held():
                fill_record.compile(arrays)  # type: ignore[attr-defined]


fill = generic("fill")


@rule
def fill_record(seen: Any, record: Any, spare: Any) -> None:
    fill(seen[0], record[0], spare)
