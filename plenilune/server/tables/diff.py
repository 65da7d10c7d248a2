"""Views as they are sent: whole the first time, then as diffs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, NamedTuple

import msgspec

from plenilune.core.changes import changes
from plenilune.core.engine import standing
from plenilune.core.shape import Items, Kind, Layout, Part, RecordView
from plenilune.game import Game
from plenilune.position import digest
from plenilune.server.protocol.encoding import encode

Parts = dict[str, dict[int, Any]]
KEPT = 8192  # entries of each cache of encoded parts: enough for the tables that are active at the same time


class Stored(NamedTuple):
    """A view as its record's bytes, from which only what is sent is decoded."""

    layout: Layout[Any]
    record: bytes


class Shown(NamedTuple):
    """What a viewer, and everybody who sees the same, was shown at a ply."""

    ply: int
    hash: str
    view: Any  # Stored, or a dataclass if the game has no record
    scores: list[int]
    places: list[int]


def rendered(game: Game, seen: Any, ply: int) -> Shown:
    return Shown(ply, digest(seen), _view(game, seen), *standing(seen))


def _view(game: Game, seen: Any) -> Any:
    view = game.view
    return Stored(view.shape.layout, view.record(seen)) if isinstance(view, RecordView) else view(seen)


def whole(view: Any) -> msgspec.Raw:
    return msgspec.Raw(encode(_fields(*view) if isinstance(view, Stored) else view))


def _fields(layout: Layout[Any], record: bytes) -> dict[str, Any]:
    return {name: writer(kind)(record[layout.places[name]]) for name, kind in layout.fields.items()}


def changed(before: Any, after: Any) -> tuple[msgspec.Raw, Parts]:
    """The fields that differ; of lists in which only some items differ, those items."""
    fields, parts = _changed_record(before, after) if isinstance(after, Stored) else _changed_data(before, after)
    return msgspec.Raw(encode(fields)), parts


def _changed_record(before: Stored, after: Stored) -> tuple[dict[str, Any], Parts]:
    fields: dict[str, Any] = {}
    parts: Parts = {}
    layout, record = after
    for name, places in changes(layout, before.record, record).items():
        kind, stored = layout.fields[name], record[layout.places[name]]
        if isinstance(kind, Items) and 0 < len(places) < kind.length(stored):
            write = writer(kind.item)
            parts[name] = {place: write(kind.at(stored, place)) for place in places}
        else:
            fields[name] = writer(kind)(stored)
    return fields, parts


def _changed_data(before: Any, after: Any) -> tuple[dict[str, Any], Parts]:
    fields: dict[str, Any] = {}
    parts: Parts = {}
    for name in after.__dataclass_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if old == new:
            continue
        places = _places(old, new) if type(new) is list and len(new) == len(old) else {}
        if 0 < len(places) < len(new):
            parts[name] = places
        else:
            fields[name] = new
    return fields, parts


def _places(old: list[Any], new: list[Any]) -> dict[int, Any]:
    return {place: b for place, (a, b) in enumerate(zip(old, new, strict=True)) if a != b}


@cache
def writer(kind: Kind) -> Callable[[bytes], Any]:
    """An encoder for a kind of field; the JSON of a part is made once for everybody who is shown the same."""
    if isinstance(kind, Part):
        return lru_cache(KEPT)(lambda stored: msgspec.Raw(encode(kind.read(stored))))
    if isinstance(kind, Items) and isinstance(kind.item, Part):
        write = writer(kind.item)
        return lambda stored: [write(kind.at(stored, place)) for place in range(kind.length(stored))]
    return kind.read_bytes
