"""Views as they are sent: the first time whole, then only what has changed."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from plenilune.engine import standing
from plenilune.position import digest

Parts = dict[str, dict[int, Any]]
encode = msgspec.json.Encoder().encode


class Shown(NamedTuple):
    """What one viewer, or everybody who sees the same, was shown at a ply."""

    ply: int
    hash: str
    view: Any
    scores: list[int]
    places: list[int]


def show(game: Any, seen: Any, ply: int) -> Shown:
    return Shown(ply, digest(seen), game.view(seen), *standing(seen))


def whole(view: Any) -> msgspec.Raw:
    return msgspec.Raw(encode(view))


def changed(before: Any, after: Any) -> tuple[msgspec.Raw, Parts]:
    """The fields that are not what they were; and of lists in which only some places are not, those places."""
    fields: dict[str, Any] = {}
    parts: Parts = {}
    for name in after.__dataclass_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if old is new:
            continue
        if type(new) is list and len(new) == len(old):
            pairs = enumerate(zip(old, new, strict=True))
            places = {place: b for place, (a, b) in pairs if a is not b and a != b}
            if places and len(places) == len(new):
                fields[name] = new
            elif places:
                parts[name] = places
        elif old != new:
            fields[name] = new
    return whole(fields), parts
