"""The words of messages, with their limits, and refusals."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

TAG = "kind"
UNTOLD = Meta(extra={"typescript": False})  # sent, but of no use to present clients: not among their types

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
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
    "bad_setting",  # a table cannot have these settings
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
