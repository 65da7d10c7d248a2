"""Players' clocks: whose clock runs, and when it runs out. Times are in milliseconds.

A clock starts once in a turn and runs until the turn ends, so leaving and returning gains no time.
"""

from __future__ import annotations

from plenilune.server.protocol import BankClock, Clock, DaysClock

SECOND, DAY = 1000, 24 * 3600 * 1000


def full(clock: Clock, seats: int) -> list[int | None]:
    """Every seat's bank at the beginning."""
    return [clock.bank * SECOND if isinstance(clock, BankClock) else None] * seats


def deadline(clock: Clock, left: int | None, since: int) -> int | None:
    """When a clock that started at `since` runs out.

    >>> deadline(BankClock(60), 20_000, since=1_000), deadline(DaysClock(1), None, since=1_000)
    (21000, 86401000)
    """
    if isinstance(clock, BankClock):
        return since + (left or 0)
    return since + clock.days * DAY if isinstance(clock, DaysClock) else None


def after_turn(clock: Clock, left: int | None, since: int | None, at: int, by_person: bool) -> int | None:
    """The bank after a turn; only turns that a person played earn the increment.

    >>> after_turn(BankClock(60, 5), 20_000, since=1_000, at=11_000, by_person=True)
    15000
    """
    if not isinstance(clock, BankClock) or left is None:
        return left
    used = at - since if since is not None else 0
    return max(0, left - used) + (clock.increment * SECOND if by_person else 0)


def may_return(clock: Clock, left: int | None, since: int | None, at: int) -> bool:
    """Whether a seat has time left; `since`: when its clock started, if it is running.

    >>> may_return(BankClock(60), 20_000, since=1_000, at=22_000)
    False
    """
    if isinstance(clock, BankClock) and not left:
        return False
    due = deadline(clock, left, at if since is None else since)
    return due is None or due > at
