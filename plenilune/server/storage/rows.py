"""What the database's rows mean: people, seats, actions and chat lines as values."""

from __future__ import annotations

import hashlib
import secrets
import time
import unicodedata
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from plenilune.server import protocol
from plenilune.server.protocol import ChatLine, SeatInfo
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.store import Row
from plenilune.server.tables import daily

By = Literal["person", "bot", "stand-in", "chance"]
FRIEND, OPEN, PERSON, BOT = "friend", "open", "person", "bot"  # who holds a seat
read = msgspec.json.decode
read_clock = msgspec.json.Decoder(protocol.Clock).decode
read_result = msgspec.json.Decoder(protocol.Result).decode


class Person(NamedTuple):
    id: str  # public
    name: str


class Entry(msgspec.Struct, frozen=True, gc=False):
    """An action as it is kept."""

    ply: int
    text: str
    actor: int
    by: By
    at: int
    known: tuple[int, ...] | None
    request: str | None
    last: int
    hash: str


def now() -> int:
    return time.time_ns() // 1_000_000


def digest(secret: str) -> str:
    """What is kept of a secret. It has 128 random bits: nobody can guess what it was made from."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_id() -> str:
    return "".join(secrets.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(16))


def tidy(text: str) -> str:
    """In one line, without what cannot be seen.

    >>> tidy("  Ada \\u202e  Lovelace\\n")
    'Ada Lovelace'
    """
    kept = "".join(c if c.isprintable() and unicodedata.category(c) != "Cf" else " " for c in text)
    return " ".join(unicodedata.normalize("NFC", kept).split())


def a_name(text: str) -> str:
    if not (name := tidy(text)):
        raise Denied("bad_request", f"a name is something to read, not {text!r}")
    return name


def with_seats(seats: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    by_number = {s["seat"]: s for s in new}
    return [by_number.get(s["seat"], s) for s in seats]


def bot_of(seat: Row, stand_in: str) -> str | None:
    """The bot that plays at the seat now."""
    if seat["held_by"] == BOT:
        return str(seat["bot"])
    return stand_in if seat["absent"] else None


def told_apart(names: Sequence[str]) -> list[str]:
    """People of one name get numbers, such as two at one screen who did not say theirs.

    >>> told_apart(["Ada", "Ben", "Ada", "", "Ada", ""])
    ['Ada', 'Ben', 'Ada 2', '', 'Ada 3', '']
    >>> told_apart(["Ada", "Ada", "Ada 2"])
    ['Ada', 'Ada 3', 'Ada 2']
    """
    found: list[str] = []
    for name in names:
        number, called = 1, name
        while name and (called in found or (number > 1 and called in names)):
            number += 1
            called = f"{name} {number}"
        found.append(called)
    return found


def seat_infos(seats: Sequence[Row], stand_in: str, here: set[int] | frozenset[int] = frozenset()) -> list[SeatInfo]:
    at, names = now(), told_apart([s["name"] if s["held_by"] == PERSON else "" for s in seats])
    return [
        SeatInfo(
            seat=s["seat"],
            held_by=s["held_by"],
            name=name or s["name"],
            person=s["person"],
            bot=bot_of(s, stand_in),
            connected=s["seat"] in here or s["present"] > at,
            absent=s["absent"],
            resigned=s["resigned"],
        )
        for s, name in zip(seats, names, strict=True)
    ]


def deal_of(row: Row) -> protocol.Daily | None:
    """Which daily deal the match is, if any."""
    return protocol.Daily(row["daily"], daily.closes(row["daily"])) if row["daily"] else None


def entry_of(row: Row) -> Entry:
    known = tuple(map(int, row["known"].split())) or None
    return Entry(
        row["ply"],
        row["text"],
        row["actor"],
        row["by"],
        row["at"],
        known,
        row["request"],
        row["last"],
        row["hash"],
    )


def line_of(row: Row) -> ChatLine:
    return ChatLine(row["number"], row["person"], row["name"], row["seat"], row["text"], row["phrase"], row["at"])
