"""Makes the client's types, `client/src/protocol.ts`, from the protocol and the games' views.

`python -m plenilune.server.protocol.typescript` writes the file; a test compares it with what would be written.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from plenilune.game import load, names
from plenilune.server import protocol

ROOT = Path(__file__).parents[2]
FILE = ROOT.parent / "client" / "src" / "protocol.ts"
UNIONS = ("ServerMessage", "ClientMessage", "ReviewMessage", "Clock", "SeatWish", "Reason")
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}
HEAD = "// Made by `python -m plenilune.server.protocol.typescript` from the protocol and the views: do not edit.\n"


def write() -> str:
    """The whole module."""
    parts = [HEAD, *_structs(), *_unions()]
    for name in games():
        parts += _views(name)
    views = {name: f"{_camel(name)}View" for name in games()}
    parts.append(f"export type GameView = {' | '.join(views.values())};\n")
    parts.append(
        _interface("GameViews", "The view of each game, by its name.", [(f'"{g}"', v) for g, v in views.items()])
    )
    return "\n".join(parts)


def games() -> list[str]:
    """The games that ship, without those a developer adds."""
    return [name for name in names() if (ROOT / "games" / name.replace("-", "_") / "__init__.py").exists()]


def _structs() -> Iterator[str]:
    for name, struct in vars(protocol).items():
        if isinstance(struct, type) and issubclass(struct, msgspec.Struct) and struct is not msgspec.Struct:
            config = struct.__struct_config__
            lines = [(config.tag_field, f'"{config.tag}"')] if config.tag_field else []
            hints = typing.get_type_hints(struct)
            for field in msgspec.structs.fields(struct):
                optional = "" if field.required or not _is_request(struct) else "?"
                lines.append((f"{field.name}{optional}", _type(hints[field.name])))
            yield _interface(name, _first(struct.__doc__), lines)


def _is_request(struct: type) -> bool:
    """What a client sends may leave out what has a default; what it gets is always whole."""
    sent = {
        *typing.get_args(protocol.ClientMessage),
        *typing.get_args(protocol.Clock),
        *typing.get_args(protocol.SeatWish),
    }
    return struct in sent | {endpoint.body for endpoint in protocol.ENDPOINTS}


def _unions() -> Iterator[str]:
    for name in UNIONS:
        yield f"export type {name} = {_type(getattr(protocol, name), named=False)};\n"


def _views(game: str) -> Iterator[str]:
    """The View of a game and every dataclass it holds, each with the game's name before its own."""
    prefix = _camel(game)
    view = typing.get_type_hints(load(game).view)["return"]
    for found in _reached(view, []):
        hints = typing.get_type_hints(found)
        lines = [(field.name, _type(hints[field.name], prefix)) for field in dataclasses.fields(found)]
        yield _interface(prefix + found.__name__, "", lines)


def _reached(kind: Any, found: list[type]) -> list[type]:
    if dataclasses.is_dataclass(kind) and isinstance(kind, type) and kind not in found:
        found.append(kind)
        for hint in typing.get_type_hints(kind).values():
            _reached(hint, found)
    for part in typing.get_args(kind):
        _reached(part, found)
    return found


def _type(kind: Any, prefix: str = "", named: bool = True) -> str:
    if named and (name := _named(kind)):
        return name
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _type(parts[0], prefix)
    if origin is typing.Literal:
        return " | ".join(f'"{word}"' for word in parts)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(_type(part, prefix) for part in parts)
    if origin is list:
        inner = _type(parts[0], prefix)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<string, {_type(parts[1], prefix)}>"
    if kind is msgspec.Raw:
        return "Partial<GameView>"
    return PLAIN.get(kind) or prefix + kind.__name__


def _named(kind: Any) -> str:
    """A union of the protocol keeps its name wherever it is used."""
    return next((name for name in UNIONS if getattr(protocol, name) == kind), "")


def _interface(name: str, doc: str, lines: list[tuple[str, str]]) -> str:
    comment = f"/** {doc} */\n" if doc else ""
    body = "".join(f"  {field}: {kind};\n" for field, kind in lines)
    return (
        f"{comment}export interface {name} {{\n{body}}}\n"
        if body
        else f"{comment}export type {name} = Record<string, never>;\n"
    )


def _first(doc: str | None) -> str:
    """msgspec gives structs without a docstring none; newlines would end no comment, but read badly."""
    return " ".join((doc or "").split())


def _camel(game: str) -> str:
    return "".join(word.capitalize() for word in game.split("-"))


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(write(), "utf-8")
    print(f"wrote {FILE}")
