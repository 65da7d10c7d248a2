"""Refusals by the server, and their HTTP status codes."""

from __future__ import annotations

from typing import cast

from plenilune.core.errors import BadSetting, IllegalAction, Refusal, UnknownAction, UnknownGame
from plenilune.server.protocol import Detail, Reason, Refused

STATUS: dict[Reason, int] = {
    "bad_request": 400,
    "too_large": 413,
    "wrong_origin": 403,
    "unknown_guest": 401,
    "forbidden": 403,
    "not_found": 404,
    "bad_setting": 422,
    "bad_secret": 403,
    "seat_taken": 409,
    "not_started": 409,
    "over": 409,
    "not_over": 409,
    "not_your_turn": 409,
    "stale": 409,
    "unknown_action": 422,
    "illegal_action": 422,
    "cannot_continue": 409,
    "resigned": 409,
    "out_of_time": 409,
    "banned": 403,
    "too_often": 429,
    "too_many": 429,
    "unavailable": 503,
}
REASONS: dict[type[Refusal], Reason] = {
    BadSetting: "bad_setting",
    UnknownGame: "bad_setting",
    UnknownAction: "unknown_action",
    IllegalAction: "illegal_action",
}


DETAILS: dict[Detail, Reason] = {
    "action_not_next": "illegal_action",
    "already_reported": "too_many",
    "already_seated": "seat_taken",
    "bad_name": "bad_request",
    "bad_text": "bad_request",
    "banned_until": "banned",
    "bots_only": "bad_setting",
    "daily_later": "not_found",
    "daily_once": "forbidden",
    "empty_message": "bad_request",
    "game_not_daily": "not_found",
    "hint_stops": "illegal_action",
    "host_not_seated": "bad_setting",
    "not_confirmed": "unavailable",
    "no_chat": "forbidden",
    "no_hints": "forbidden",
    "no_line": "not_found",
    "no_seat": "forbidden",
    "not_host": "forbidden",
    "not_your_seat": "forbidden",
    "own_line": "forbidden",
    "private_table": "forbidden",
    "review_stopped": "unavailable",
    "sat_too_often": "too_many",
    "seed_hidden": "not_over",
    "seed_hidden_daily": "not_over",
    "started": "seat_taken",
    "table_busy": "unavailable",
    "table_changed": "stale",
    "table_damaged": "cannot_continue",
    "table_full": "seat_taken",
    "table_gone": "not_found",
    "table_worn_out": "too_many",
    "thinking_spent": "too_often",
    "ticket_expired": "bad_request",
    "too_many_attempts": "too_many",
    "too_many_connections": "too_many",
    "too_many_games": "too_many",
    "too_many_keys": "too_many",
    "too_many_public": "too_many",
    "too_many_reports": "too_many",
    "too_many_requests": "too_many",
    "too_many_reviews": "too_many",
    "too_many_today": "too_many",
    "wait": "too_often",
    "wrong_seat": "not_found",
}


class Denied(Refusal):
    """Refused, with a reason for programs, a sentence in English, and what a client needs to say it in any language:
    the detail, if the reason alone does not tell enough, and the sentence's arguments."""

    def __init__(
        self, why: Reason | Detail, message: str, ply: int | None = None, wait: int = 0, **args: str | int
    ) -> None:
        super().__init__(message)
        self.reason, self.detail = _split(why)
        self.arguments = args
        self.ply = ply
        self.wait = wait  # seconds until another attempt may succeed, if known

    def refused(self, id: str | None = None) -> Refused:
        return Refused(self.reason, str(self), id, self.ply, self.detail, self.arguments)


def _split(why: Reason | Detail) -> tuple[Reason, Detail | None]:
    found = DETAILS.get(cast(Detail, why))
    return (found, cast(Detail, why)) if found else (cast(Reason, why), None)


def answer(refusal: Refusal, id: str | None = None) -> Refused:
    if isinstance(refusal, Denied):
        return refusal.refused(id)
    return Refused(REASONS.get(type(refusal), "bad_request"), str(refusal), id)
