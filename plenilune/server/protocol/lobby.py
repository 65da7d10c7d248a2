"""The lobby, and solo play."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from plenilune.server.protocol.tables import Clock, Result, SeatInfo
from plenilune.server.protocol.words import TAG, Options


class TableRow(Struct, frozen=True):
    """A table in the lobby."""

    id: str
    game: str
    options: Options
    status: Literal["waiting", "playing", "over"]
    seats: list[SeatInfo]
    mine: list[int]
    clock: Clock
    to_play: int
    ply: int
    created: int
    changed: int
    deadline: int | None
    daily: str | None  # the day
    result: Result | None


class Lobby(Struct, frozen=True, tag_field=TAG, tag="lobby"):
    open: list[TableRow]  # public, with a free seat
    live: list[TableRow]  # public and playing, with spectators allowed
    mine: list[TableRow]  # my unfinished tables, those that wait for me first; then those finished recently
    now: int


class LobbyChanges(Struct, frozen=True, tag_field=TAG, tag="lobby_changes"):
    """Changes since the lobby sent before: new and changed rows, and each list's order if it has changed."""

    rows: list[TableRow]
    open: list[str] | None  # the ids, in order; None: unchanged
    live: list[str] | None
    mine: list[str] | None
    now: int


# Solo play


class Best(Struct, frozen=True):
    game: str
    options: Options
    score: int
    match: str
    at: int
    played: int  # how many matches


class Bests(Struct, frozen=True):
    bests: list[Best]


class Rank(Struct, frozen=True):
    rank: int  # may be shared
    name: str
    score: int
    mine: bool


class DailyDeal(Struct, frozen=True):
    """Today's deal, or another day's: the same seed for everybody."""

    game: str
    day: str
    options: Options
    commitment: str
    seed: str | None  # once the ranking is closed
    opens: int
    ends: int  # the latest time to begin
    closes: int  # the latest time to finish, to be ranked
    match: str | None  # mine
    score: int | None  # mine
    unranked: Literal["new_guest", "same_address", "same_actions"] | None  # why mine is not ranked, if so
    ranking: list[Rank]  # the best hundred, and me
    finished: int  # how many people have finished
