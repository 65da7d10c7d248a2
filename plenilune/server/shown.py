"""Views as they are sent: encoded field by field, so that a field is sent again only when it has changed."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from plenilune.engine import standing
from plenilune.server import board

Fields = dict[str, bytes]
Alike = dict[str, tuple[Any, bytes]]  # a field's value and how it was encoded
encode = msgspec.json.Encoder().encode


class Shown(NamedTuple):
    """What one viewer, or everybody who sees the same, was shown at a ply."""

    ply: int
    hash: str
    fields: Fields
    scores: list[int]
    places: list[int]


def show(game: Any, seen: Any, ply: int, alike: Alike | None = None) -> Shown:
    """`alike` remembers what others at the table are shown at the same ply: what is equal is encoded and kept once."""
    view, fields = game.view(seen), Fields()
    before: Alike = {} if alike is None else alike
    for name in view.__dataclass_fields__:
        value = getattr(view, name)
        there = before.get(name)
        if there and there[0] is value:
            fields[name] = there[1]
            continue
        encoded = encode(value)
        fields[name] = there[1] if there and there[1] == encoded else encoded
        before[name] = (value, fields[name])
    return Shown(ply, board.digest(seen), fields, *standing(seen))


def whole(fields: Fields) -> msgspec.Raw:
    return msgspec.Raw(b"{" + b",".join(b'"%s":%s' % (name.encode(), value) for name, value in fields.items()) + b"}")


def changed(before: Fields, after: Fields) -> msgspec.Raw:
    return whole({name: value for name, value in after.items() if before.get(name) != value})
