"""Views as they are sent: encoded field by field, so that a field is sent again only when it has changed."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from plenilune.server import board

Fields = dict[str, bytes]
encode = msgspec.json.Encoder().encode


class Shown(NamedTuple):
    """What one viewer, or everybody who sees the same, was shown at a ply."""

    ply: int
    hash: str
    fields: Fields
    scores: list[int]
    places: list[int]


def show(game: Any, seen: Any, ply: int, alike: Fields | None = None) -> Shown:
    """Fields that are equal to those in `alike` share their memory."""
    view = game.view(seen)
    fields = {name: encode(getattr(view, name)) for name in view.__dataclass_fields__}
    if alike:
        fields = {name: alike[name] if alike.get(name) == value else value for name, value in fields.items()}
    return Shown(ply, board.digest(seen), fields, board.scores(game, seen), board.places(game, seen))


def whole(fields: Fields) -> msgspec.Raw:
    return msgspec.Raw(b"{" + b",".join(b'"%s":%s' % (name.encode(), value) for name, value in fields.items()) + b"}")


def changed(before: Fields, after: Fields) -> msgspec.Raw:
    return whole({name: value for name, value in after.items() if before.get(name) != value})
