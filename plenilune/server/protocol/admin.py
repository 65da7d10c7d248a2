"""For operators: the server's health, and what they may do."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from plenilune.server.protocol.play import ChatLine


class Health(Struct, frozen=True):
    """The server's health, with status 503 if something is failing. The rest is for operators' keys, unless
    `PLENILUNE_METRICS` is `public`."""

    status: Literal["ok", "failing"]
    problems: list[str]  # one sentence each
    version: str | None = None
    database: str | None = None  # `sqlite` or `postgresql`
    tables: int | None = None  # loaded in this process
    sockets: int | None = None


# For operators

Note = Annotated[str, Meta(max_length=280)]
PublicId = Annotated[str, Meta(pattern="^[a-z0-9]{16}$", description="a person's public id")]


class OnlinePerson(Struct, frozen=True):
    person: str | None  # the public id; None for people who have not said who they are
    name: str
    networks: list[str]  # IPv4 addresses, and the /64 of IPv6 addresses
    sockets: int  # websockets and streams
    tables: list[str]  # the matches they are connected to
    since: int  # when the oldest of these connections was opened


class Online(Struct, frozen=True):
    people: list[OnlinePerson]
    processes: int  # how many have answered
    missing: int  # how many have not


class Player(Struct, frozen=True):
    name: str
    person: str | None  # None at a bot's or a free seat


class OperatorTable(Struct, frozen=True):
    id: str
    game: str
    status: Literal["waiting", "playing", "over"]
    public: bool
    host: str  # the public id
    players: list[Player]  # by seat
    ply: int
    created: int
    changed: int


class OperatorTables(Struct, frozen=True):
    tables: list[OperatorTable]  # the latest change first


class Chat(Struct, frozen=True):
    lines: list[ChatLine]  # with the text of deleted ones


class OperatorNote(Struct, frozen=True):
    """A reason, for the audit log."""

    note: Note = ""


class NewBan(Struct, frozen=True):
    """Bans a person or an address, which replaces an earlier ban of the same one."""

    reason: Annotated[str, Meta(min_length=1, max_length=280)]  # shown to the banned person
    person: PublicId | None = None
    address: Annotated[str, Meta(max_length=64)] | None = None  # of IPv6, the whole /64 is banned
    until: Annotated[int, Meta(ge=0, le=253_402_300_799_999)] | None = None  # before the year 10000; None: for good


class Ban(Struct, frozen=True):
    id: str
    person: str | None
    name: str  # the person's
    network: str | None
    reason: str
    at: int
    until: int | None


class Bans(Struct, frozen=True):
    bans: list[Ban]  # the newest first


class ReportedLine(Struct, frozen=True):
    id: str  # of the report
    match: str
    line: int
    author: str  # the author's public id
    name: str  # the author's
    text: str  # as it was when it was reported
    person: str  # the reporter's public id
    note: str
    at: int
    closed: int | None


class Reports(Struct, frozen=True):
    reports: list[ReportedLine]  # the newest first


AuditedAction = Literal[
    "add_key", "revoke_key", "close_table", "read_chat", "delete_line", "ban", "lift_ban", "close_report"
]


class AuditEntry(Struct, frozen=True):
    """An operator's action."""

    id: str
    at: int
    operator: str  # the name of the operator's key
    action: AuditedAction
    target: str
    note: str


class Audit(Struct, frozen=True):
    entries: list[AuditEntry]  # the newest first
