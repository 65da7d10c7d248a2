"""The database's rows as typed values, and their conversion.

A `MatchRow` has no seed, so decisions about a match cannot depend on it (`tables/decide/`).
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from plenilune.server.protocol import AuditEntry, ChatLine, Clock, Nonce, Options, Result, Seating

Row = Mapping[str, Any]  # as the database gives it
By = Literal["person", "bot", "stand-in", "chance"]
Status = Literal["waiting", "playing", "over"]
HeldBy = Literal["person", "bot", "friend", "open"]
Unranked = Literal["new_guest", "same_address", "same_actions"]
ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
encode_json = msgspec.json.Encoder().encode


class Person(NamedTuple):
    id: str  # public
    name: str


class MatchRow(Struct, frozen=True, gc=False, kw_only=True):
    """The defaults are those of a new table, before anybody has played."""

    id: str
    version: int = 1  # incremented by every change of the row, its seats or its actions
    game: str
    rules: int
    components: str
    layout: str  # digest of the state record's fields
    options: Options
    commitment: str = ""  # to the seed; made from it when the row is read
    nonces: list[Nonce] = []
    status: Status = "waiting"
    state: bytes | None = None  # at `ply`
    ply: int = 0
    to_play: int = -1
    turn: int = 0  # the ply at which the turn began
    host: str
    network: str
    seating: Seating
    clock: Clock
    left: list[int | None]  # milliseconds in each seat's bank when the turn began
    since: int | None = None  # when a person's clock began to run in this turn
    deadline: int | None = None  # when it runs out
    bot_turn: bool = False
    claimed: int = 0  # the end of a process's lease on the bot's turn
    public: bool
    spectators: bool
    hints: bool
    chat: bool
    stand_in: str
    created: int
    changed: int
    result: Result | None = None
    brief: bool = False  # given up or closed before people had played much
    score: int | None = None  # of a finished solo match
    daily: str | None = None
    daily_of: str | None = None
    unranked: Unranked | None = None
    script: str | None = None  # digest of a finished daily deal's actions
    follows: str | None = None
    rematch: str | None = None


class SeatRow(Struct, frozen=True, gc=False):
    match: str
    seat: int
    held_by: HeldBy = "open"
    person: str | None = None
    name: str = ""
    bot: str | None = None
    absent: bool = False
    resigned: bool = False
    secret: str | None = None  # the invitation's digest
    reserved: str | None = None  # the person for whom a free seat is held
    opens: bool = False  # anybody may take it when it is free
    present: int = 0  # until when the person counts as connected to some process

    @property
    def free(self) -> bool:
        return self.held_by in ("friend", "open")

    @property
    def plays(self) -> bool:
        """Whether a person has this seat and is playing."""
        return self.held_by == "person" and not (self.absent or self.resigned)


class Entry(Struct, frozen=True, gc=False):
    """An action that was played."""

    ply: int
    text: str
    actor: int
    by: By
    at: int
    known: tuple[int, ...] | None = None  # how many words each viewer may read, the spectator first; None: all
    request: str | None = None
    last: int = 0  # the ply after the whole request
    hash: str = ""


class Change(NamedTuple):
    """A change of one match, written completely or not at all."""

    before: MatchRow
    after: MatchRow
    entries: tuple[Entry, ...] = ()
    seats: tuple[SeatRow, ...] = ()  # the changed ones
    chat: tuple[ChatLine, ...] = ()
    deleted: tuple[ChatLine, ...] = ()  # lines to mark as deleted
    audit: tuple[AuditEntry, ...] = ()


# Reading and writing rows. Columns whose values are not plain ones hold JSON.

JSON_COLUMNS = ("options", "nonces", "clock", "left", "result")
_readers: dict[str, Any] = {
    "options": msgspec.json.Decoder(Options).decode,
    "nonces": msgspec.json.Decoder(list[Nonce]).decode,
    "clock": msgspec.json.Decoder(Clock).decode,
    "left": msgspec.json.Decoder(list[int | None]).decode,
    "result": msgspec.json.Decoder(Result).decode,
}
MATCH_FIELDS = tuple(name for name in MatchRow.__struct_fields__ if name != "commitment")
SEAT_FIELDS = SeatRow.__struct_fields__
# Columns that actions change are always written together, so that many actions share one statement.
PLAYED = ("state", "layout", "ply", "to_play", "turn", "left", "since", "deadline", "bot_turn", "claimed", "status",
          "changed", "result", "score", "script")  # fmt: skip
SEATED = ("held_by", "person", "name", "bot", "absent", "resigned", "secret", "reserved", "opens")


def read_match(row: Row) -> MatchRow:
    """Raises msgspec.DecodeError for a row that cannot be read."""
    found = {name: row[name] for name in MATCH_FIELDS}
    for name in JSON_COLUMNS:
        found[name] = None if found[name] is None else _readers[name](found[name])
    return MatchRow(commitment=commitment(row["seed"]), **found)


def read_json(name: str, text: str | None) -> Any:
    """The value of a JSON column of `matches`."""
    return None if text is None else _readers[name](text)


def match_columns(row: MatchRow, names: Iterable[str]) -> dict[str, Any]:
    return {name: _column(name, getattr(row, name)) for name in names}


def _column(name: str, value: Any) -> Any:
    return encode_json(value).decode() if name in JSON_COLUMNS and value is not None else value


def changed_columns(before: MatchRow, after: MatchRow, played: bool) -> dict[str, Any]:
    """The columns to write, except the version, which the store increments."""
    names = [
        name
        for name in MATCH_FIELDS
        if name != "version" and ((played and name in PLAYED) or getattr(before, name) != getattr(after, name))
    ]
    return match_columns(after, names)


def read_seat(row: Row) -> SeatRow:
    return SeatRow(**{name: row[name] for name in SEAT_FIELDS})


def seat_columns(seat: SeatRow) -> dict[str, Any]:
    return {name: getattr(seat, name) for name in SEAT_FIELDS}


def read_entry(row: Row) -> Entry:
    known = tuple(map(int, row["known"].split())) or None
    return Entry(
        row["ply"], row["text"], row["actor"], row["by"], row["at"], known, row["request"], row["last"], row["hash"]
    )


def entry_columns(match: str, entry: Entry) -> dict[str, Any]:
    known = " ".join(map(str, entry.known or ()))
    return {"match": match, **msgspec.structs.asdict(entry), "known": known}


def read_line(row: Row) -> ChatLine:
    gone = bool(row["deleted"])
    text, phrase = ("", None) if gone else (row["text"], row["phrase"])
    return ChatLine(row["number"], row["person"], row["name"], row["seat"], text, phrase, row["at"], gone)


def line_columns(match: str, line: ChatLine) -> dict[str, Any]:
    return {"match": match, **msgspec.structs.asdict(line)}


def with_seats(seats: Sequence[SeatRow], new: Sequence[SeatRow]) -> tuple[SeatRow, ...]:
    by_number = {seat.seat: seat for seat in new}
    return tuple(by_number.get(seat.seat, seat) for seat in seats)


# Secrets and names


def digest(secret: str) -> str:
    """The digest under which a secret is stored. The secret has 128 random bits, so it needs no salt."""
    return hashlib.sha256(secret.encode()).hexdigest()


def commitment(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()


def new_id() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(16))
