"""The protocol: all messages between the server and its clients, over HTTP and websockets.

Plies serve as versions: a client says which ply it has seen, and is sent what follows. Times are whole milliseconds;
points in time count from 1970. A seat is 0 … n-1, a spectator -1. `typescript.py` generates the client's types from
this module, and `openapi.py` the document of the HTTP API.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Raw, Struct

from plenilune.info import PHRASES as PHRASES
from plenilune.info import GameInfo as GameInfo
from plenilune.info import Setting as Setting

TAG = "kind"
UNTOLD = Meta(extra={"typescript": False})  # sent, but of no use to present clients: not among their types


# Words with limits

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
MatchId = Annotated[str, Meta(pattern="^[a-z0-9]{16}$", description="the match's id")]
ActionText = Annotated[str, Meta(min_length=1, max_length=100)]
Actions = Annotated[list[ActionText], Meta(min_length=1, max_length=64)]
ClientId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern="^[^\\u0000]*$",  # PostgreSQL does not store NUL
        description="made by the client, new for every request",
    ),
]
Ply = Annotated[int, Meta(ge=0, le=1_000_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Viewer = Annotated[int, Meta(ge=-1, le=15, description="a seat, or -1 for a spectator")]
_HEX = Meta(max_length=32, pattern="^[0-9a-f]{32}$")  # the length too: `$` also matches before a line's end
Secret = Annotated[str, _HEX, Meta(description="128 bits, used once")]
NonceText = Annotated[str, _HEX, Meta(description="128 random bits, made by a player's browser")]
Ticket = Annotated[str, _HEX, Meta(description="stands for a seed that is committed to")]
Options = dict[str, str]

Reason = Literal[
    "bad_request",  # does not follow the protocol
    "too_large",
    "wrong_origin",
    "unknown_guest",  # say who you are first: POST /api/me
    "forbidden",  # not yours to do or to see
    "not_found",
    "bad_setting",  # there can be no table with these settings
    "bad_secret",  # the invitation is invalid or has been used
    "seat_taken",
    "not_started",
    "over",  # the match is over
    "not_over",  # shown only when the match is over
    "not_your_turn",
    "stale",  # the client's ply or board is not the current one
    "unknown_action",
    "illegal_action",
    "cannot_continue",  # this release cannot continue the match
    "resigned",  # players who have resigned cannot go on playing
    "out_of_time",  # the seat's time is used up, so it cannot be taken back
    "banned",  # an operator has banned this person or address
    "too_often",  # rate limit: try again later
    "too_many",  # quota: finish or leave something first
    "unavailable",  # the server cannot do it now; nothing has changed
]


# More exactly than the reason: what a person is told, in their language.
Detail = Literal[
    "action_not_next",
    "already_reported",
    "already_seated",
    "bad_name",
    "bad_text",
    "banned_until",
    "bots_only",
    "daily_later",
    "daily_once",
    "empty_message",
    "game_not_daily",
    "hint_stops",
    "host_not_seated",
    "not_confirmed",
    "no_chat",
    "no_hints",
    "no_line",
    "no_seat",
    "not_host",
    "not_your_seat",
    "own_line",
    "private_table",
    "review_stopped",
    "sat_too_often",
    "seed_hidden",
    "seed_hidden_daily",
    "started",
    "table_busy",
    "table_changed",
    "table_damaged",
    "table_full",
    "table_gone",
    "table_worn_out",
    "thinking_spent",
    "ticket_expired",
    "too_many_attempts",
    "too_many_connections",
    "too_many_games",
    "too_many_keys",
    "too_many_public",
    "too_many_reports",
    "too_many_requests",
    "too_many_reviews",
    "too_many_today",
    "wait",
    "wrong_seat",
]


class Refused(Struct, frozen=True, tag_field=TAG, tag="refused"):
    """The request was refused, and nothing has changed. The body of every HTTP response from 400 on."""

    reason: Reason
    message: str  # one sentence, in English
    id: str | None = None  # of the refused request
    ply: int | None = None  # the match's, where it matters
    detail: Detail | None = None  # which of the reason's cases it is, if people should know
    args: dict[str, str | int] = {}  # what the sentence for it names: `n`, `seat`; `until` is in milliseconds


# Games and guests


class Games(Struct, frozen=True):
    games: list[GameInfo]
    version: str  # of the server


class GameRules(Struct, frozen=True):
    """A game's rules as text, for clients without drawn rules of their own."""

    text: str  # the game's RULES.md; empty where there is none


class Guest(Struct, frozen=True):
    """Introduces a guest. A name and a cookie are enough: nobody needs an account."""

    name: Name
    key: bool = False  # for programs: an API key, to be sent as `Authorization: Bearer …`, instead of a cookie


class Me(Struct, frozen=True):
    id: str  # public
    name: str
    key: str | None = None  # only in the answer to `key: true`


class NewKey(Struct, frozen=True):
    """Asks for an API key for a program."""

    label: Name = "key"


class Key(Struct, frozen=True):
    id: str  # the key's public id, not the key itself
    label: str
    created: int  # 0: by release 0.1
    used: int | None  # when it was last used, to the hour; None: never
    key: str | None = None  # only in the answer to `NewKey`


class Keys(Struct, frozen=True):
    keys: list[Key]


class Whoami(Struct, frozen=True):
    me: Me | None  # None without a credential
    now: int  # the server's clock


# Tables


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
    """A seat for whoever uses the invitation."""


class Open(Struct, frozen=True, tag_field=TAG, tag="open"):
    """A seat for whoever comes first, from the lobby or by the table's link."""


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


# Matches in play
class LogEntry(Struct, frozen=True):
    """One action, as the viewer may know it. Clients make a sentence from `key` and `args`."""

    ply: int  # before it was played
    actor: int  # a seat, or -1 for chance
    key: str  # `nova-luna.take`: the game and the verb
    args: list[str]  # the words after the verb, `?` for what the viewer may not know
    by: Literal["person", "bot", "stand-in", "chance"]
    at: int
    # Always empty: pages of 0.1 that are still open or cached would fail without it.
    facts: Annotated[dict[str, Any], UNTOLD] = {}


class Update(Struct, frozen=True, tag_field=TAG, tag="update"):
    """The match's position, for one viewer. The first update is complete; later ones have only what has changed in the
    view since `base`: fields in `view`, single items of lists in `parts`. A client that is not at `base`, with that
    hash, asks to `resync`."""

    match: str
    viewer: int
    ply: int
    hash: str  # a digest of the state as the viewer sees it, at `ply`
    base: int | None  # the ply from which `view` and `log` continue; None: both are complete
    base_hash: str | None
    view: Raw  # the game's View, or the fields that changed
    parts: dict[str, dict[int, Any]]  # lists in which only some items changed: `{"hexes": {"17": …}}`
    log: list[LogEntry]
    log_from: int  # the first ply that `log` covers; the client keeps earlier entries
    to_play: int  # a seat, or -2 when it is over
    legal: list[str]  # the viewer's legal actions; none when it is another seat's turn
    turn: int  # the ply at which the turn of the seat to play began
    scores: list[int]
    places: list[int]  # as if the match ended now
    clocks: Clocks
    now: int


class Played(Struct, frozen=True, tag_field=TAG, tag="played"):
    """The actions were played and stored. A repeated request with the same `id` gets the same answer."""

    id: str
    ply: int  # after the actions and the rolls that follow
    hash: str


class Previewed(Struct, frozen=True, tag_field=TAG, tag="previewed"):
    """Where the actions would lead, up to the next roll or secret."""

    id: str
    ply: int  # of the match itself, which has not changed
    done: int  # how many of the actions the view includes
    stopped: Literal["", "chance", "secret", "turn", "over"]  # why no further action can be previewed
    view: Raw
    to_play: int  # -1: chance is to play
    legal: list[str]  # the legal actions then, if it is still the seat's turn
    scores: list[int]
    places: list[int]


class HintAction(Struct, frozen=True):
    action: str
    worth: float  # the seat's chance to win
    visits: int


class Hinted(Struct, frozen=True, tag_field=TAG, tag="hinted"):
    """A hint. Better ones follow, until one is `done`."""

    id: str
    ply: int
    seat: int
    action: str
    values: list[float]  # each seat's chance to win
    actions: list[HintAction]  # best first
    line: list[str]
    simulations: int
    solved: bool
    done: bool
    turn: float | None = None  # the seat's chance to win after the whole turn it asked about


class ChatLine(Struct, frozen=True, tag_field=TAG, tag="chat"):
    number: int  # 1, 2 … at this table
    person: str  # the public id, by which clients mute people
    name: str
    seat: int  # when it was said
    text: str
    phrase: str | None  # a quick phrase's key, instead of `text`
    at: int
    deleted: bool = False  # by an operator; the line is sent again without its text


class Report(Struct, frozen=True):
    """Reports a chat line to the operators."""

    line: Annotated[int, Meta(ge=1)]  # its number
    note: Annotated[str, Meta(max_length=280)] = ""


class Reported(Struct, frozen=True):
    line: int


class Welcome(Struct, frozen=True, tag_field=TAG, tag="welcome"):
    """The first message of every connection; an `update` follows once the match has begun."""

    me: Me | None
    table: TableInfo
    viewer: int  # whose view is sent
    curtain: bool  # shown between my seats, in games with secrets, until `look` lifts it for one of them
    chat: list[ChatLine]
    now: int


class TableChanged(Struct, frozen=True, tag_field=TAG, tag="table"):
    """Seats, presence, clocks, status, result, seed or rematch have changed."""

    table: TableInfo
    viewer: int
    curtain: bool


class Pong(Struct, frozen=True, tag_field=TAG, tag="pong"):
    id: str
    now: int


ServerMessage = (
    Welcome | Update | TableChanged | Played | Previewed | Hinted | ChatLine | Refused | Pong | Lobby | LobbyChanges
)  # over a websocket, or one per line in a stream


# Messages of clients, over a websocket


class Play(Struct, frozen=True, tag_field=TAG, tag="play"):
    """Plays a turn or a part of it: either all of the actions are played, or none."""

    id: ClientId
    ply: Ply  # the match's, as the client knows it
    actions: Actions
    hash: Annotated[str, Meta(max_length=64)] | None = None  # of the position, as the client knows it
    seat: SeatNumber | None = None  # only a check, for clients with several seats


class Preview(Struct, frozen=True, tag_field=TAG, tag="preview"):
    """Asks where actions would lead; changes nothing."""

    id: ClientId
    ply: Ply
    actions: Annotated[list[ActionText], Meta(max_length=64)]
    seat: SeatNumber | None = None


class Look(Struct, frozen=True, tag_field=TAG, tag="look"):
    """Asks for the view of one of my seats; -1 closes the curtain."""

    viewer: Viewer


class Hint(Struct, frozen=True, tag_field=TAG, tag="hint"):
    """Asks what a bot would play for the seat to play, which must be mine."""

    id: ClientId
    seconds: Annotated[float, Meta(gt=0, le=10)] = 2.0
    # The unfinished turn, as far as a preview goes: the hint is for the next action. For a complete turn, the hint is
    # for the whole turn, and `turn` of the answer is the win chance of this one.
    actions: Annotated[list[ActionText], Meta(max_length=64)] = []


class StopHint(Struct, frozen=True, tag_field=TAG, tag="stop_hint"):
    id: ClientId


class Say(Struct, frozen=True, tag_field=TAG, tag="say"):
    """Sends a chat line: a text or a quick phrase."""

    text: Annotated[str, Meta(max_length=280)] = ""
    phrase: Word | None = None


class Resync(Struct, frozen=True, tag_field=TAG, tag="resync"):
    """Asks for a complete update, with the log from this ply on."""

    ply: Ply = 0


class Ping(Struct, frozen=True, tag_field=TAG, tag="ping"):
    id: ClientId


ClientMessage = Play | Preview | Look | Hint | StopHint | Say | Resync | Ping


# Replays, dice and reviews
class Frame(Struct, frozen=True):
    """The match at one ply, as the viewer saw it then."""

    ply: int
    hash: str
    view: Raw  # in the first frame the whole view, then the fields changed since the frame before
    parts: dict[str, dict[int, Any]]  # lists in which only some items changed
    entry: LogEntry | None  # the action that led here
    to_play: int
    scores: list[int]
    places: list[int]


class History(Struct, frozen=True):
    """Every position from one ply to another, for replays and the log."""

    match: str
    viewer: int
    first: int
    last: int
    ply: int  # the match's
    frames: list[Frame]


class Roll(Struct, frozen=True):
    ply: int
    outcomes: list[str]  # all equally likely, in the order of their numbers
    outcome: str


class DiceRolls(Struct, frozen=True):
    """Everything needed to check the dice. The outcome at a ply is HMAC-SHA256(key, "ply.attempt") modulo the number
    of outcomes; an attempt at or above the largest multiple of that number is skipped. Without nonces the key is the
    seed. With nonces it is HMAC-SHA256(seed, "nonces " and the nonces with spaces between them), in hexadecimal.

    Where the seats were shuffled, each in turn drew one of the places of the list that were left, in ascending order:
    HMAC-SHA256(key, "seat S.attempt") modulo their number, S counted from 0."""

    match: str
    commitment: str
    seed: str
    nonces: list[str]
    order: list[int] | None  # by seat, which place of the list it drew, from 0; None: the seats were not shuffled
    rolls: list[Roll]


class ReviewRemark(Struct, frozen=True, tag_field=TAG, tag="remark"):
    """A search's judgement of one action, from what its seat had seen."""

    ply: int
    seat: int
    action: str
    better: str  # the same action, if no better one was found
    before: list[float]  # each seat's chance to win, if the better one had been played
    after: list[float]
    mark: Literal["", "best", "?!", "?", "??"]
    forced: bool
    done: int  # of `total`
    total: int


class ReviewEnd(Struct, frozen=True, tag_field=TAG, tag="end"):
    """The last line of a review."""

    total: int


ReviewMessage = ReviewRemark | ReviewEnd | Refused


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
    person: str | None  # the public id; None for whoever has not said who they are
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


# The HTTP API


class Endpoint(NamedTuple):
    method: str
    path: str
    summary: str
    answer: type | None  # None: no JSON
    body: type | None = None
    query: tuple[str, ...] = ()  # all optional; `openapi.py` describes them
    guest: bool = False  # only for guests
    operator: bool = False  # only with an operator's key
    media: str = "application/json"
    status: int = 200


TABLE = "/api/tables/{match}"
ADMIN = "/api/admin"
NDJSON = "application/x-ndjson"
ENDPOINTS = (
    Endpoint("GET", "/api/games", "The games, with their seats and options", Games),
    Endpoint("GET", "/api/games/{game}/rules", "A game's rules, as Markdown", GameRules),
    Endpoint("GET", "/api/me", "Who I am", Whoami),
    Endpoint("POST", "/api/me", "Introduce myself, or change my name; sets the cookie", Me, Guest),
    Endpoint("DELETE", "/api/me", "Delete me: revokes every cookie and key, and removes my name and chat lines",
             Whoami),
    Endpoint("GET", "/api/keys", "My API keys", Keys, guest=True),
    Endpoint("POST", "/api/keys", "Make an API key; with a cookie only", Key, NewKey, guest=True, status=201),
    Endpoint("DELETE", "/api/keys/{key}", "Revoke one of my API keys; a key revokes itself only", Keys, guest=True),
    Endpoint("GET", "/api/dice", "The commitment to a seed, for a new table", DiceOffer, guest=True),
    Endpoint("GET", "/api/lobby", "Open tables, live tables and mine; as a websocket: /api/lobby/live", Lobby),
    Endpoint("GET", "/api/bests", "My best solo scores", Bests, guest=True),
    Endpoint("GET", "/api/daily/{game}", "Today's deal and its ranking, or another day's", DailyDeal, query=("day",)),
    Endpoint("POST", "/api/daily/{game}", "Begin today's deal, or continue it", TableInfo, guest=True),
    Endpoint("POST", "/api/tables", "Create a table", TableMade, NewTable, guest=True, status=201),
    Endpoint("GET", TABLE, "A table, without its board", TableInfo),
    Endpoint("POST", f"{TABLE}/join", "Take a seat", TableInfo, Join, guest=True),
    Endpoint("POST", f"{TABLE}/leave", "Leave: my seat becomes free, or a bot plays on if the match has begun",
             TableInfo, SeatRequest, guest=True),
    Endpoint("POST", f"{TABLE}/return", "Take my seat back from the bot", TableInfo, SeatRequest, guest=True),
    Endpoint("POST", f"{TABLE}/resign", "Resign", TableInfo, SeatRequest, guest=True),
    Endpoint("POST", f"{TABLE}/invite", "Invite somebody to a seat (host only)", Invite, InviteRequest, guest=True),
    Endpoint("POST", f"{TABLE}/start", "Fill the free seats with bots and begin (host only)", TableInfo, Start,
             guest=True),
    Endpoint("POST", f"{TABLE}/arrange", "Say who starts, while the table waits (host only)", TableInfo, Arrange,
             guest=True),
    Endpoint("POST", f"{TABLE}/rematch", "Ask for a rematch, or accept one", TableInfo, Rematch,
             guest=True),
    Endpoint("GET", f"{TABLE}/state", "The board as I see it", Update, query=("viewer",)),
    Endpoint("POST", f"{TABLE}/play", "Play actions, all or none", Played, Play, guest=True),
    Endpoint("POST", f"{TABLE}/preview", "Where actions would lead", Previewed, Preview, guest=True),
    Endpoint("POST", f"{TABLE}/say", "Send a chat line", ChatLine, Say, guest=True),
    Endpoint("POST", f"{TABLE}/report", "Report a chat line to the operators", Reported, Report, guest=True),
    Endpoint("GET", f"{TABLE}/stream", "The match live: the websocket's messages, one per line", None,
             query=("ply", "viewer"), media=NDJSON),
    Endpoint("GET", f"{TABLE}/history", "Every position, as I may know it", History,
             query=("first", "last", "viewer")),
    Endpoint("GET", f"{TABLE}/dice", "Every roll of a finished match, for checking", DiceRolls),
    Endpoint("GET", f"{TABLE}/match", "The .match file of a finished match", None, media="text/plain"),
    Endpoint("GET", f"{TABLE}/review", "A search's judgement of every action of a finished match, one per line", None,
             media=NDJSON),
    Endpoint("GET", "/api/health", "The server's health", Health),
    Endpoint("GET", f"{ADMIN}/online", "Who is connected", Online, operator=True),
    Endpoint("GET", f"{ADMIN}/tables", "Tables, the latest change first; searched by id or part of a name",
             OperatorTables, query=("search", "status", "before"), operator=True),
    Endpoint("POST", f"{ADMIN}/tables/{{match}}/close", "Close a table, ending its match without a result", TableInfo,
             OperatorNote, operator=True),
    Endpoint("GET", f"{ADMIN}/tables/{{match}}/chat", "A table's chat; reading it is logged", Chat,
             operator=True),
    Endpoint("POST", f"{ADMIN}/tables/{{match}}/chat/{{line}}/delete", "Delete a chat line", ChatLine, OperatorNote,
             operator=True),
    Endpoint("GET", f"{ADMIN}/bans", "The bans in force", Bans, operator=True),
    Endpoint("POST", f"{ADMIN}/bans", "Ban a person or an address", Ban, NewBan, operator=True, status=201),
    Endpoint("POST", f"{ADMIN}/bans/{{ban}}/lift", "Lift a ban", Ban, OperatorNote, operator=True),
    Endpoint("GET", f"{ADMIN}/reports", "Reported chat lines", Reports, query=("closed", "before"), operator=True),
    Endpoint("POST", f"{ADMIN}/reports/{{report}}/close", "Close a report", ReportedLine, OperatorNote,
             operator=True),
    Endpoint("GET", f"{ADMIN}/audit", "The operators' actions", Audit, query=("before",), operator=True),
)  # fmt: skip
# The websockets: /api/tables/{match}/live?ply=N&viewer=V (all optional) and /api/lobby/live
