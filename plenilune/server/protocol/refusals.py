"""What the server refuses, and how HTTP says it."""

from __future__ import annotations

from plenilune.errors import BadSetting, IllegalAction, Refusal, UnknownAction, UnknownGame
from plenilune.server.protocol import Reason, Refused

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


class Denied(Refusal):
    """Refused, with the reason as a word for programs and a sentence for people."""

    def __init__(self, reason: Reason, message: str, ply: int | None = None) -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.ply = ply


def answer(refusal: Refusal, id: str | None = None) -> Refused:
    if isinstance(refusal, Denied):
        return Refused(refusal.reason, str(refusal), id, refusal.ply)
    return Refused(REASONS.get(type(refusal), "bad_request"), str(refusal), id)
