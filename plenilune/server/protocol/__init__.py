"""Everything that is said between the server and a client, both ways, over HTTP and websockets.

Versions are plies: whoever has seen ply N says so, and is told what came after. Times are whole milliseconds, points in
time since 1970. A seat is 0 … n-1, a spectator -1. `typescript.py` makes the client's types from this module, and
`openapi.py` the document of the HTTP API.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Raw, Struct

TAG = "kind"


# The quick phrases: what can be said in every language at once
PHRASES = ("hello", "good_luck", "your_turn", "well_played", "thinking", "oops", "thanks", "again", "goodbye")

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
        pattern="^[^\\u0000]*$",  # which PostgreSQL does not store
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
    "bad_request",  # not what the protocol says
    "too_large",
    "wrong_origin",
    "unknown_guest",  # say who you are first: POST /api/me
    "forbidden",  # not yours to do or to see
    "not_found",
    "bad_setting",  # a table cannot be like this
    "bad_secret",  # an invitation that is wrong or was used before
    "seat_taken",
    "not_started",
    "over",  # the match is
    "not_over",  # the match is not, and what was asked for is shown only then
    "not_your_turn",
    "stale",  # played on an older ply than the match is at, or on another board than is there
    "unknown_action",
    "illegal_action",
    "cannot_continue",  # this release cannot go on with the match
    "resigned",  # whoever has resigned cannot play on
    "out_of_time",  # the seat's time is used up: it cannot be taken back
    "banned",  # an operator has banned this person or address
    "too_often",  # rate limit: try again later
    "too_many",  # quota: finish or leave something first
    "unavailable",  # the server cannot do it now; nothing has changed
]


class Refused(Struct, frozen=True, tag_field=TAG, tag="refused"):
    """What was asked for is not done, and nothing has changed. The body of every HTTP answer from 400 on."""

    reason: Reason
    message: str  # one sentence, in English
    id: str | None = None  # of the request that is refused
    ply: int | None = None  # where the match is, if that matters


# What there is


class Setting(Struct, frozen=True):
    """Seats and options that go together."""

    seats: int
    options: Options


class GameInfo(Struct, frozen=True):
    name: str  # `moon-leap`
    title: str  # `Moon Leap`
    rules: int  # the rules' version
    components: str  # the component table's digest, or nothing
    seats: list[int]
    options: dict[str, list[str]]  # the first word is the default
    settings: list[Setting]
    bots: list[str]  # the levels, weakest first; every other bot's name is taken as well
    secrets: bool  # seats have secrets: one screen for several seats needs a curtain
    solo: bool
    phrases: list[str]  # the quick phrases' keys


class Games(Struct, frozen=True):
    games: list[GameInfo]
    version: str  # of the server


class Guest(Struct, frozen=True):
    """Says who one is. Nobody needs an account: a name, and a cookie that the browser keeps."""

    name: Name
    key: bool = False  # for programs: answer with a key, to be sent as `Authorization: Bearer …`, instead of a cookie


class Me(Struct, frozen=True):
    id: str  # public
    name: str
    key: str | None = None  # only in the answer to `key: true`


class NewKey(Struct, frozen=True):
    """Asks for an API key for a program of mine."""

    label: Name = "key"


class Key(Struct, frozen=True):
    id: str  # names the key; it is not the key
    label: str
    created: int
    used: int | None  # when it was last used, to the hour; None: never
    key: str | None = None  # only in the answer to `NewKey`


class Keys(Struct, frozen=True):
    keys: list[Key]


class Whoami(Struct, frozen=True):
    me: Me | None  # nobody yet, without a cookie
    now: int  # the server's clock


# Tables


class NoClock(Struct, frozen=True, tag_field=TAG, tag="none"):
    """Everybody takes their time."""


class BankClock(Struct, frozen=True, tag_field=TAG, tag="bank"):
    """Real time: a bank for the match, and an increment after every turn."""

    bank: Annotated[int, Meta(ge=5, le=24 * 3600)]  # seconds
    increment: Annotated[int, Meta(ge=0, le=3600)] = 0  # seconds


class DaysClock(Struct, frozen=True, tag_field=TAG, tag="days"):
    """So many days for every turn."""

    days: Annotated[int, Meta(ge=1, le=30)]


Clock = NoClock | BankClock | DaysClock


class Mine(Struct, frozen=True, tag_field=TAG, tag="me"):
    """I sit here; at several seats, everybody sits at my screen."""

    name: Name | None = None  # who really sits here, at one screen


class Friend(Struct, frozen=True, tag_field=TAG, tag="friend"):
    """For whoever gets the invitation."""


class Open(Struct, frozen=True, tag_field=TAG, tag="open"):
    """For whoever comes first, from the lobby or by the table's link."""


class BotSeat(Struct, frozen=True, tag_field=TAG, tag="bot"):
    bot: Word  # `greedy`, `strong`, `mcts:1000` …


SeatWish = Mine | Friend | Open | BotSeat


class NewTable(Struct, frozen=True):
    game: Word
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=16)]
    options: Options = {}
    clock: Clock = NoClock()
    public: bool = False  # listed in the lobby
    spectators: bool = True  # whoever has the link may watch; of public tables, everybody
    hints: bool = True
    chat: bool = True
    stand_in: Word | None = None  # the bot that plays for absent players; None: the server chooses
    ticket: Ticket | None = None  # the seed offered by `GET /api/dice`; None: the server picks one
    nonce: NonceText | None = None  # my share in the dice


class Invite(Struct, frozen=True):
    """A seat held for a friend. The link works once."""

    seat: int
    secret: Secret
    link: str  # the page, from the server's address on: `/table/<match>#<secret>`


class SeatInfo(Struct, frozen=True):
    seat: int
    held_by: Literal["person", "bot", "friend", "open"]  # `friend`: waits for the invitation to be used
    name: str  # the person's or the bot's; nothing while nobody sits there
    person: str | None  # the public id
    bot: str | None  # plays here; for a person's seat, while the person is absent
    connected: bool
    absent: bool  # the person has left or run out of time: the bot plays until the seat is taken back
    resigned: bool
    reserved: str | None = None  # the public id of the only person who may sit here without an invitation


class Clocks(Struct, frozen=True):
    left: list[int | None]  # by seat, when the turn began; None without a bank
    running: int | None  # the seat whose time runs
    since: int | None  # when it began to
    deadline: int | None  # when it is out


class DiceOffer(Struct, frozen=True):
    """A seed for a table that I am about to make. I see its commitment before I contribute my nonce, so the server
    cannot choose the seed to fit the nonce. A ticket is good for one table, for ten minutes."""

    ticket: Ticket
    commitment: str


class Nonce(Struct, frozen=True):
    """What one player's browser contributed to the dice."""

    person: str  # the public id
    nonce: NonceText


class Fairness(Struct, frozen=True):
    commitment: str  # SHA-256 of the seed, in hexadecimal; shown from the beginning
    nonces: list[Nonce]  # in the order in which they were contributed; fixed once the match has begun
    seed: str | None  # shown when the match is over; of a daily deal, when its ranking is closed


class Daily(Struct, frozen=True):
    """Which deal a match is."""

    day: str  # 2026-01-31
    closes: int  # when the ranking does, and the seed is shown


class Result(Struct, frozen=True):
    scores: list[int]
    places: list[int]  # 1 for the best seat …; may be shared
    resigned: bool  # it ended because somebody resigned


class TableInfo(Struct, frozen=True):
    """A table as everybody sees it, without the board."""

    id: str
    game: str
    options: Options
    status: Literal["waiting", "playing", "over"]
    seats: list[SeatInfo]
    mine: list[int]  # the seats of who asks
    host: str  # the public id of who made it
    am_host: bool
    clock: Clock
    clocks: Clocks
    public: bool
    spectators: bool
    hints: bool
    bots_ready: bool  # if not, bots and hints wait for their code, which is compiled once on a machine
    chat: bool
    stand_in: str
    ply: int
    to_play: int
    created: int
    changed: int  # when something was last played
    fairness: Fairness
    daily: Daily | None
    result: Result | None
    rematch: str | None  # the id of the match that follows
    watching: int  # spectators, on this server
    problem: str | None  # why this release cannot go on with the match


class TableMade(Struct, frozen=True):
    table: TableInfo
    invites: list[Invite]


class Join(Struct, frozen=True):
    """With a secret, at its seat; without, at that open seat or the first."""

    secret: Secret | None = None
    seat: SeatNumber | None = None
    nonce: NonceText | None = None  # my share in the dice


class Rematch(Struct, frozen=True):
    """Asks for the same again, or accepts when somebody else has asked. It begins when everybody has accepted."""

    ticket: Ticket | None = None  # used by whoever asks first
    nonce: NonceText | None = None


class SeatRequest(Struct, frozen=True):
    """Which of my seats; none: all of them."""

    seat: SeatNumber | None = None


class InviteRequest(Struct, frozen=True):
    """The host makes a new link for a seat that is open or held for a friend; older links stop working."""

    seat: SeatNumber


class Start(Struct, frozen=True):
    """The host fills the seats that are still free with bots."""

    bot: Word = "greedy"


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
    live: list[TableRow]  # public and playing, spectators welcome
    mine: list[TableRow]  # mine, unfinished, those that wait for me first; then those that ended lately
    now: int


class LobbyChanges(Struct, frozen=True, tag_field=TAG, tag="lobby_changes"):
    """What is different from the lobby sent before: rows that are new or changed, and each list's order if that is."""

    rows: list[TableRow]
    open: list[str] | None  # the ids, in order; None: as before
    live: list[str] | None
    mine: list[str] | None
    now: int


# Alone


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
    ends: int  # it can be begun until then
    closes: int  # it counts when it is finished before then
    match: str | None  # mine
    score: int | None  # mine
    unranked: Literal["new_guest", "same_address", "same_actions"] | None  # why mine does not count, if so
    ranking: list[Rank]  # the best hundred, and me
    finished: int  # how many have


# What happened


class LogEntry(Struct, frozen=True):
    """One action, as the viewer may know it: `key` and `args` make a sentence in any language."""

    ply: int  # before it was played
    actor: int  # a seat, or -1 for chance
    key: str  # `nova-luna.take`: the game and the verb
    args: list[str]  # the words after the verb, `?` for what the viewer may not know
    by: Literal["person", "bot", "stand-in", "chance"]
    at: int
    facts: dict[str, Any] = {}  # left to the client: what it can tell from the views before and after


class Update(Struct, frozen=True, tag_field=TAG, tag="update"):
    """Where the match is now, for one viewer. The first one has everything; a later one has only what has changed of
    the view since `base`: fields in `view`, single places of lists in `parts`. A client that is not at `base`, with
    that hash, asks to `resync`."""

    match: str
    viewer: int
    ply: int
    hash: str  # names the state as the viewer sees it, at `ply`
    base: int | None  # the ply that `view` and `log` go on from; None: `view` and `log` are whole
    base_hash: str | None
    view: Raw  # the game's View, or the fields that changed
    parts: dict[str, dict[int, Any]]  # lists in which only these places changed: `{"hexes": {"17": …}}`
    log: list[LogEntry]
    log_from: int  # the ply of the first entry that could be in `log`: earlier ones are kept
    to_play: int  # a seat, or -2 when it is over
    legal: list[str]  # what the viewer may play now; nothing when it is another seat's turn
    turn: int  # the ply at which the turn of the seat to play began
    scores: list[int]
    places: list[int]  # as if the match ended now
    clocks: Clocks
    now: int


class Played(Struct, frozen=True, tag_field=TAG, tag="played"):
    """It is kept. Sent again for the same `id`, however often that comes."""

    id: str
    ply: int  # after the actions and what chance did then
    hash: str


class Previewed(Struct, frozen=True, tag_field=TAG, tag="previewed"):
    """Where the actions would lead, as far as the seat can tell: no further than chance or a secret."""

    id: str
    ply: int  # of the match itself, which has not changed
    done: int  # how many of the actions are in the view
    stopped: Literal["", "chance", "secret", "turn", "over"]  # what comes next cannot be previewed, and why
    view: Raw
    to_play: int  # may be -1: chance is to play
    legal: list[str]  # what may follow, if it is still the seat's turn
    scores: list[int]
    places: list[int]


class HintAction(Struct, frozen=True):
    action: str
    worth: float  # the seat's chance to win
    visits: int


class Hinted(Struct, frozen=True, tag_field=TAG, tag="hinted"):
    """A better and better answer; the last one is `done`."""

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


class ChatLine(Struct, frozen=True, tag_field=TAG, tag="chat"):
    number: int  # 1, 2 … of the table
    person: str  # the public id: what a client mutes by
    name: str
    seat: int  # -1 for one who has left
    text: str
    phrase: str | None  # or a quick phrase's key
    at: int
    deleted: bool = False  # by an operator: sent again with the same number and without its text


class Report(Struct, frozen=True):
    """Tells the operators about a chat line."""

    line: Annotated[int, Meta(ge=1)]  # its number
    note: Annotated[str, Meta(max_length=280)] = ""


class Reported(Struct, frozen=True):
    line: int


class Welcome(Struct, frozen=True, tag_field=TAG, tag="welcome"):
    """The first message of every connection; an `update` follows once the match has begun."""

    me: Me | None
    table: TableInfo
    viewer: int  # whose view is sent
    curtain: bool  # I have several seats and they have secrets: `look` lifts the curtain for one of them
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
)  # over a websocket, and one a line in a stream


# What a client says over a websocket


class Play(Struct, frozen=True, tag_field=TAG, tag="play"):
    """A whole turn or a part of it: all of the actions are played, or none."""

    id: ClientId
    ply: Ply  # the match's, when the client decided
    actions: Actions
    hash: Annotated[str, Meta(max_length=64)] | None = None  # of the board the client decided on
    seat: SeatNumber | None = None  # needed only by who sits at several seats and wants to be sure


class Preview(Struct, frozen=True, tag_field=TAG, tag="preview"):
    """Changes nothing."""

    id: ClientId
    ply: Ply
    actions: Annotated[list[ActionText], Meta(max_length=64)]
    seat: SeatNumber | None = None


class Look(Struct, frozen=True, tag_field=TAG, tag="look"):
    """Show me the table as this seat of mine; -1 closes the curtain."""

    viewer: Viewer


class Hint(Struct, frozen=True, tag_field=TAG, tag="hint"):
    """What would a bot play? For the seat to play, if it is mine."""

    id: ClientId
    seconds: Annotated[float, Meta(gt=0, le=10)] = 2.0
    # The unfinished turn, whose next action is asked for: no further than a preview goes.
    actions: Annotated[list[ActionText], Meta(max_length=64)] = []


class StopHint(Struct, frozen=True, tag_field=TAG, tag="stop_hint"):
    id: ClientId


class Say(Struct, frozen=True, tag_field=TAG, tag="say"):
    """A line of one's own, or a quick phrase."""

    text: Annotated[str, Meta(max_length=280)] = ""
    phrase: Word | None = None


class Resync(Struct, frozen=True, tag_field=TAG, tag="resync"):
    """Send a whole update; the log from that ply on."""

    ply: Ply = 0


class Ping(Struct, frozen=True, tag_field=TAG, tag="ping"):
    id: ClientId


ClientMessage = Play | Preview | Look | Hint | StopHint | Say | Resync | Ping


# After the match


class Frame(Struct, frozen=True):
    """The match after so many plies, as the viewer saw it then."""

    ply: int
    hash: str
    view: Raw  # in the first frame the whole view, then the fields that changed since the frame before
    parts: dict[str, dict[int, Any]]  # lists in which only these places changed
    entry: LogEntry | None  # what led here
    to_play: int
    scores: list[int]
    places: list[int]


class History(Struct, frozen=True):
    """Every position from one ply to another: what the log, a replay and its scrubber are made of."""

    match: str
    viewer: int
    first: int
    last: int
    ply: int  # where the match is
    frames: list[Frame]


class Roll(Struct, frozen=True):
    ply: int
    outcomes: list[str]  # all equally likely, in the order in which the dice count them
    outcome: str


class DiceRolls(Struct, frozen=True):
    """All that is needed to check the dice. The outcome at a ply is HMAC-SHA256(key, "ply.attempt") modulo the number
    of outcomes; an attempt at or above the largest multiple of that number is skipped. Without nonces the key is the
    seed. With nonces it is HMAC-SHA256(seed, "nonces " and the nonces with spaces between them), in hexadecimal."""

    match: str
    commitment: str
    seed: str
    nonces: list[str]
    rolls: list[Roll]


class ReviewRemark(Struct, frozen=True, tag_field=TAG, tag="remark"):
    """What a search thinks of one action, judged by what its seat had seen."""

    ply: int
    seat: int
    action: str
    better: str  # the action itself, if none better was found
    before: list[float]  # each seat's chance to win, had the better one been played
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
    """With status 503 if something is failing."""

    status: Literal["ok", "failing"]
    version: str
    database: str  # `sqlite` or `postgresql`
    tables: int  # live on this server
    sockets: int
    problems: list[str]  # one sentence each


# For operators

Note = Annotated[str, Meta(max_length=280)]
PublicId = Annotated[str, Meta(pattern="^[a-z0-9]{16}$", description="a person's public id")]


class OnlinePerson(Struct, frozen=True):
    person: str | None  # the public id; None for whoever has not said who they are
    name: str
    networks: list[str]  # IPv4 addresses, and the /64 of IPv6 addresses
    sockets: int  # and streams
    tables: list[str]  # the matches they are connected to
    since: int  # when the oldest of these connections was opened


class Online(Struct, frozen=True):
    people: list[OnlinePerson]
    processes: int  # how many have answered
    missing: int  # and how many have not


class Player(Struct, frozen=True):
    name: str
    person: str | None  # None for a bot and for a free seat


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
    tables: list[OperatorTable]  # those that changed last come first


class Chat(Struct, frozen=True):
    lines: list[ChatLine]  # with the text of deleted ones


class OperatorNote(Struct, frozen=True):
    """Why, for the audit log."""

    note: Note = ""


class NewBan(Struct, frozen=True):
    """Bans a person or an address; a ban of the same one is replaced."""

    reason: Annotated[str, Meta(min_length=1, max_length=280)]  # shown to whoever is banned
    person: PublicId | None = None
    address: Annotated[str, Meta(max_length=64)] | None = None  # of IPv6, the whole /64 is banned
    until: int | None = None  # None: for good


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
    author: str  # the public id of who said it
    name: str  # the author's
    text: str  # as it was when it was reported
    person: str  # the public id of who reports it
    note: str
    at: int
    closed: int | None


class Reports(Struct, frozen=True):
    reports: list[ReportedLine]  # the newest first


AuditedAction = Literal[
    "add_key", "revoke_key", "close_table", "read_chat", "delete_line", "ban", "lift_ban", "close_report"
]


class AuditEntry(Struct, frozen=True):
    """What an operator did."""

    id: str
    at: int
    operator: str  # the name of their key
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
    query: tuple[str, ...] = ()  # all optional; `openapi.py` says what they look like
    guest: bool = False  # only for who has said who they are
    operator: bool = False  # only with an operator's key
    media: str = "application/json"
    status: int = 200


TABLE = "/api/tables/{match}"
ADMIN = "/api/admin"
NDJSON = "application/x-ndjson"
ENDPOINTS = (
    Endpoint("GET", "/api/games", "The games there are, and how they can be played", Games),
    Endpoint("GET", "/api/me", "Who I am", Whoami),
    Endpoint("POST", "/api/me", "Say who I am, or take another name; sets the cookie", Me, Guest),
    Endpoint("DELETE", "/api/me", "Delete me: revokes every cookie and key, and removes my name and chat lines",
             Whoami),
    Endpoint("GET", "/api/keys", "My API keys", Keys, guest=True),
    Endpoint("POST", "/api/keys", "Make an API key", Key, NewKey, guest=True, status=201),
    Endpoint("DELETE", "/api/keys/{key}", "Revoke an API key of mine", Keys, guest=True),
    Endpoint("GET", "/api/dice", "A seed for a table that I am about to make, committed to", DiceOffer, guest=True),
    Endpoint("GET", "/api/lobby", "Open tables, live tables and mine; live at the websocket /api/lobby/live", Lobby),
    Endpoint("GET", "/api/bests", "My best scores alone", Bests, guest=True),
    Endpoint("GET", "/api/daily/{game}", "Today's deal and its ranking, or another day's", DailyDeal, query=("day",)),
    Endpoint("POST", "/api/daily/{game}", "Begin today's deal, or go on with mine", TableInfo, guest=True),
    Endpoint("POST", "/api/tables", "Make a table", TableMade, NewTable, guest=True, status=201),
    Endpoint("GET", TABLE, "A table, without its board", TableInfo),
    Endpoint("POST", f"{TABLE}/join", "Sit down", TableInfo, Join, guest=True),
    Endpoint("POST", f"{TABLE}/leave", "Leave: while waiting the seat is free again; later a bot plays", TableInfo,
             SeatRequest, guest=True),
    Endpoint("POST", f"{TABLE}/return", "Take my seat back from the bot", TableInfo, SeatRequest, guest=True),
    Endpoint("POST", f"{TABLE}/resign", "Give up", TableInfo, SeatRequest, guest=True),
    Endpoint("POST", f"{TABLE}/invite", "The host makes a link for a seat", Invite, InviteRequest, guest=True),
    Endpoint("POST", f"{TABLE}/start", "The host fills free seats with bots, and it begins", TableInfo, Start,
             guest=True),
    Endpoint("POST", f"{TABLE}/rematch", "Ask for the same again after the end, or accept it", TableInfo, Rematch,
             guest=True),
    Endpoint("GET", f"{TABLE}/state", "The board as I see it", Update, query=("viewer",)),
    Endpoint("POST", f"{TABLE}/play", "Play actions, all or none", Played, Play, guest=True),
    Endpoint("POST", f"{TABLE}/preview", "Where actions would lead", Previewed, Preview, guest=True),
    Endpoint("POST", f"{TABLE}/say", "Say something", ChatLine, Say, guest=True),
    Endpoint("POST", f"{TABLE}/report", "Report a chat line to the operators", Reported, Report, guest=True),
    Endpoint("GET", f"{TABLE}/stream", "The match as it goes on: the websocket's messages, one a line", None,
             query=("ply", "viewer"), media=NDJSON),
    Endpoint("GET", f"{TABLE}/history", "Every position, as I may know it", History,
             query=("first", "last", "viewer")),
    Endpoint("GET", f"{TABLE}/dice", "Every roll of a finished match, to be checked", DiceRolls),
    Endpoint("GET", f"{TABLE}/match", "The .match file of a finished match", None, media="text/plain"),
    Endpoint("GET", f"{TABLE}/review", "What a search thinks of every action of a finished match, one a line", None,
             media=NDJSON),
    Endpoint("GET", "/api/health", "Whether all is well", Health),
    Endpoint("GET", f"{ADMIN}/online", "Who is connected", Online, operator=True),
    Endpoint("GET", f"{ADMIN}/tables", "Tables, those that changed last first; found by an id or a part of a name",
             OperatorTables, query=("search", "status", "before"), operator=True),
    Endpoint("POST", f"{ADMIN}/tables/{{match}}/close", "Close a table: it is over, without a result", TableInfo,
             OperatorNote, operator=True),
    Endpoint("GET", f"{ADMIN}/tables/{{match}}/chat", "A table's chat; that it was read is noted", Chat,
             operator=True),
    Endpoint("POST", f"{ADMIN}/tables/{{match}}/chat/{{line}}/delete", "Delete a chat line", ChatLine, OperatorNote,
             operator=True),
    Endpoint("GET", f"{ADMIN}/bans", "Bans that are in force", Bans, operator=True),
    Endpoint("POST", f"{ADMIN}/bans", "Ban a person or an address", Ban, NewBan, operator=True, status=201),
    Endpoint("POST", f"{ADMIN}/bans/{{ban}}/lift", "Lift a ban", Ban, OperatorNote, operator=True),
    Endpoint("GET", f"{ADMIN}/reports", "Reported chat lines", Reports, query=("closed", "before"), operator=True),
    Endpoint("POST", f"{ADMIN}/reports/{{report}}/close", "Close a report", ReportedLine, OperatorNote,
             operator=True),
    Endpoint("GET", f"{ADMIN}/audit", "What operators did", Audit, query=("before",), operator=True),
)  # fmt: skip
# The websockets: /api/tables/{match}/live?ply=N&viewer=V (all optional) and /api/lobby/live
