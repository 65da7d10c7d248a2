"""Matches in play: what is sent over a websocket, both ways."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct

from plenilune.server.protocol.guests import Me
from plenilune.server.protocol.lobby import Lobby, LobbyChanges
from plenilune.server.protocol.tables import Clocks, TableInfo
from plenilune.server.protocol.words import (
    TAG,
    UNTOLD,
    Actions,
    ActionText,
    ClientId,
    Ply,
    Refused,
    SeatNumber,
    Viewer,
    Word,
)


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
