"""Whose time runs, and when it is out. Times are milliseconds."""

from __future__ import annotations

from plenilune.server.protocol import BankClock, Clock, DaysClock

SECOND, DAY = 1000, 24 * 3600 * 1000
GRACE = 10 * SECOND  # for who takes the seat back after the bank was empty, at the least


def full(clock: Clock, seats: int) -> list[int | None]:
    """What every seat's bank holds at the beginning."""
    return [clock.bank * SECOND if isinstance(clock, BankClock) else None] * seats


def deadline(clock: Clock, left: int | None, now: int) -> int | None:
    """When the time of a turn that begins now is out."""
    if isinstance(clock, BankClock):
        return now + (left or 0)
    return now + clock.days * DAY if isinstance(clock, DaysClock) else None


def after_turn(clock: Clock, left: int | None, since: int | None, now: int) -> int | None:
    """What the bank holds once a turn has ended."""
    if not isinstance(clock, BankClock) or left is None:
        return left
    return max(0, left - (now - since if since is not None else 0)) + clock.increment * SECOND


def taken_back(clock: Clock, left: int | None) -> int | None:
    """What the bank holds when a person comes back: a tenth of the whole, at least."""
    if not isinstance(clock, BankClock) or left is None:
        return left
    return max(left, clock.bank * SECOND // 10, GRACE)
