"""Tables: making one, sitting down and leaving."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from plenilune.server.protocol.words import TAG, Name, NonceText, Options, SeatNumber, Secret, Ticket, Word


class NoClock(Struct, frozen=True, tag_field=TAG, tag="none"):
    """No time limit."""


class BankClock(Struct, frozen=True, tag_field=TAG, tag="bank"):
    """Real time: a time bank for the match, and an increment after every turn."""

    bank: Annotated[int, Meta(ge=5, le=24 * 3600)]  # seconds
    increment: Annotated[int, Meta(ge=0, le=3600)] = 0  # seconds


class DaysClock(Struct, frozen=True, tag_field=TAG, tag="days"):
    """Correspondence: a number of days for every turn."""

    days: Annotated[int, Meta(ge=1, le=30)]


Clock = NoClock | BankClock | DaysClock


class Mine(Struct, frozen=True, tag_field=TAG, tag="me"):
    """A seat of mine. With several, their players share my screen."""

    name: Name | None = None  # the player's name, on a shared screen


class Friend(Struct, frozen=True, tag_field=TAG, tag="friend"):
    """A seat for the person who uses the invitation."""


class Open(Struct, frozen=True, tag_field=TAG, tag="open"):
    """A seat for the first to come, from the lobby or by the table's link."""


class BotSeat(Struct, frozen=True, tag_field=TAG, tag="bot"):
    bot: Word  # `greedy`, `strong`, `mcts:1000` …


SeatWish = Mine | Friend | Open | BotSeat
# Who sits where, and so who starts: seat 1 does. `random` shuffles the seats when the match begins, by its dice;
# `host_first` has the list begin with the host's first seat.
Seating = Literal["as_listed", "host_first", "random"]


class NewTable(Struct, frozen=True):
    game: Word
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=16)]
    options: Options = {}
    seating: Seating = "random"
    clock: Clock = NoClock()
    public: bool = False  # listed in the lobby
    spectators: bool = True  # everybody with the link may watch; a public table, everybody
    hints: bool = True
    chat: bool = True
    stand_in: Word | None = None  # the bot that plays for absent players; None: the server's choice
    ticket: Ticket | None = None  # the seed offered by `GET /api/dice`; None: a new one
    nonce: NonceText | None = None  # my contribution to the dice


class Invite(Struct, frozen=True):
    """An invitation to a seat held for a friend. The link works once."""

    seat: int
    secret: Secret
    link: str  # relative to the server's address: `/table/<match>#<secret>`


class SeatInfo(Struct, frozen=True):
    seat: int
    held_by: Literal["person", "bot", "friend", "open"]  # `friend`: waits for the invitation to be used
    name: str  # the person's or the bot's; empty while the seat is free
    person: str | None  # the public id
    bot: str | None  # the bot that plays here; at a person's seat, while they are absent
    connected: bool
    absent: bool  # the person has left or run out of time; the bot plays until they return
    resigned: bool
    reserved: str | None = None  # the public id of the only person who may sit here without an invitation


class Clocks(Struct, frozen=True):
    left: list[int | None]  # by seat, when the turn began; None without a bank
    running: int | None  # the seat whose clock runs
    since: int | None  # when it started
    deadline: int | None  # when it runs out


class DiceOffer(Struct, frozen=True):
    """The commitment to a seed, for a new table. The host sees it before contributing a nonce, so the server cannot
    choose the seed to fit the nonce. A ticket is valid for one table and for ten minutes."""

    ticket: Ticket
    commitment: str


class Nonce(Struct, frozen=True):
    """One player's contribution to the dice."""

    person: str  # the public id
    nonce: NonceText


class Fairness(Struct, frozen=True):
    commitment: str  # SHA-256 of the seed, in hexadecimal; shown from the beginning
    nonces: list[Nonce]  # in the order in which they were contributed; fixed once the match has begun
    seed: str | None  # shown when the match is over; of a daily deal, when its ranking is closed


class Daily(Struct, frozen=True):
    """The daily deal that a match is an attempt at."""

    day: str  # 2026-01-31
    closes: int  # when the ranking closes and the seed is published


class Result(Struct, frozen=True):
    scores: list[int]
    places: list[int]  # 1 for the best seat …; may be shared
    resigned: bool  # the match ended by resignation


class TableInfo(Struct, frozen=True):
    """A table as everybody sees it, without the board."""

    id: str
    game: str
    rules: int  # the version of the game's rules it is played by
    components: str  # the digest of its component table
    options: Options
    status: Literal["waiting", "playing", "over"]
    seats: list[SeatInfo]
    mine: list[int]  # my seats
    host: str  # the host's public id
    am_host: bool
    seating: Seating  # `random`: once the match has begun, the seats are as they were drawn
    clock: Clock
    clocks: Clocks
    public: bool
    spectators: bool
    hints: bool
    bots_ready: bool  # if not, bots and hints wait for their code, which is compiled once per machine
    chat: bool
    stand_in: str
    ply: int
    to_play: int
    created: int
    changed: int  # when the last action was played
    fairness: Fairness
    daily: Daily | None
    result: Result | None
    rematch: str | None  # the rematch's id
    watching: int  # spectators connected to this process
    problem: str | None  # why this release cannot continue the match


class TableMade(Struct, frozen=True):
    table: TableInfo
    invites: list[Invite]


class Seen(Struct, frozen=True):
    """What a table showed to somebody who then sat down."""

    nonces: Annotated[int, Meta(ge=0)]
    free: Annotated[int, Meta(ge=0)]  # seats that were not taken


class Join(Struct, frozen=True):
    """Takes the seat that the secret is for, the given open seat, or the first open one.

    With `seen`, this is refused (`table_changed`) if the table shows another number of nonces or of free seats by now.
    So a player who is let in knows which nonces stand before theirs, and whether any may follow. Try again with another
    nonce: the server has read this one."""

    secret: Secret | None = None
    seat: SeatNumber | None = None
    nonce: NonceText | None = None  # my contribution to the dice
    seen: Seen | None = None


class Rematch(Struct, frozen=True):
    """Asks for a rematch, or accepts one. It begins when everybody has accepted.

    A ticket is for the first to ask. If somebody else was quicker, nothing is accepted and the nonce is not used: the
    answer is their table, at which to sit down with a new nonce once its commitment has been seen."""

    ticket: Ticket | None = None
    nonce: NonceText | None = None


class SeatRequest(Struct, frozen=True):
    """One of my seats; None: all of them."""

    seat: SeatNumber | None = None


class InviteRequest(Struct, frozen=True):
    """The host asks for a new link to an open seat or one held for a friend; older links stop working."""

    seat: SeatNumber


class Start(Struct, frozen=True):
    """The host fills the free seats with bots, and contributes to the dice once more: nobody can after that. `seen` is
    as in `Join`."""

    bot: Word = "greedy"
    nonce: NonceText | None = None
    seen: Seen | None = None


class Arrange(Struct, frozen=True):
    """The host says who starts, as with a new table whose seats are listed in this order."""

    seating: Seating
    order: Annotated[list[SeatNumber], Meta(max_length=16)] | None = None  # the seats, as they are numbered now
