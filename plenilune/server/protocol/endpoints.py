"""The HTTP API."""

from __future__ import annotations

from typing import NamedTuple

from plenilune.server.protocol.admin import (
    Audit,
    Ban,
    Bans,
    Chat,
    Health,
    NewBan,
    Online,
    OperatorNote,
    OperatorTables,
    ReportedLine,
    Reports,
)
from plenilune.server.protocol.guests import GameRules, Games, Guest, Key, Keys, Me, NewKey, Whoami
from plenilune.server.protocol.lobby import Bests, DailyDeal, Lobby
from plenilune.server.protocol.play import ChatLine, Play, Played, Preview, Previewed, Report, Reported, Say, Update
from plenilune.server.protocol.replays import DiceRolls, History
from plenilune.server.protocol.tables import (
    Arrange,
    DiceOffer,
    Invite,
    InviteRequest,
    Join,
    NewTable,
    Rematch,
    SeatRequest,
    Start,
    TableInfo,
    TableMade,
)


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
