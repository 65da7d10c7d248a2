"""Replays, dice and reviews."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Raw, Struct

from plenilune.server.protocol.play import LogEntry
from plenilune.server.protocol.words import TAG, Refused


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
