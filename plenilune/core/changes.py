"""What differs between two records of one shape, found by comparing their bytes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numba import types

from plenilune.core.engine import PLAIN, interrupts_held, rule
from plenilune.core.record import Ints
from plenilune.core.shape import Items, Kind, Layout

WHOLE = -1  # stands for a place: this is not a list, or it has another length
START, FIRST, END, STEP = range(4)  # where a field lies, the first item of a list, and how far its items are apart


def changes(layout: Layout[Any], before: bytes, after: bytes) -> dict[str, list[int]]:
    """The fields that differ, and in lists that are equally long the places that do."""
    spans, names = _spans(layout), list(layout.fields)
    out = np.empty((len(after), 2), np.int32)  # more than there can be
    n = find_changes(np.frombuffer(before, np.uint8), np.frombuffer(after, np.uint8), spans, out)
    found: dict[str, list[int]] = {}
    for field, place in out[:n].tolist():
        places = found.setdefault(names[field], [])
        if place != WHOLE:
            places.append(place)
    return found


@cache
def _spans(layout: Layout[Any]) -> Ints:
    """START, FIRST, END and STEP of each field; STEP is 0 if it is not a list."""
    return np.array([_span(layout.places[name], kind) for name, kind in layout.fields.items()], np.int32)


def _span(place: slice, kind: Kind) -> tuple[int, int, int, int]:
    first, step = (kind.start, kind.step) if isinstance(kind, Items) else (0, 0)
    return place.start, place.start + first, place.stop, step


@rule
def find_changes(before: Any, after: Any, spans: Ints, out: Ints) -> int:
    n = 0
    for field in range(len(spans)):
        start, first, end, step = spans[field, START], spans[field, FIRST], spans[field, END], spans[field, STEP]
        if step == 0:
            n = note(out, n, field, WHOLE, differ(before, after, start, end))
        elif differ(before, after, start, first):
            n = note(out, n, field, WHOLE, True)
        else:
            for place in range(length(after, start, first, end, step)):
                at = first + place * step
                n = note(out, n, field, place, differ(before, after, at, at + step))
    return n


@rule
def length(record: Any, start: int, first: int, end: int, step: int) -> int:
    """Of a list; it is stored before the first item, unless it is fixed."""
    return (end - start) // step if first == start else int(record[start]) | int(record[start + 1]) << 8


@rule
def note(out: Ints, n: int, field: int, place: int, changed: bool) -> int:
    if changed:
        out[n, 0], out[n, 1] = field, place
    return n + 1 if changed else n


@rule
def differ(before: Any, after: Any, start: int, end: int) -> bool:
    for at in range(start, end):
        if before[at] != after[at]:
            return True
    return False


def compile() -> Iterator[str]:
    """Compile what finds changes, after saying so."""
    yield "changes"
    if not PLAIN:
        stored, table = types.Array(types.uint8, 1, "C", readonly=True), types.int32[:, ::1]
        with interrupts_held():
            find_changes.compile((stored, stored, table, table))  # type: ignore[attr-defined]
