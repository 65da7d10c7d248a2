"""Players' clocks: whose time runs, and when it is used up. Times are milliseconds.

Within a turn a person's clock starts once and then runs until the turn ends: whoever leaves and comes back in between
has gained nothing.
"""

from __future__ import annotations

from plenilune.server.protocol import BankClock, Clock, DaysClock

SECOND, DAY = 1000, 24 * 3600 * 1000


def full(clock: Clock, seats: int) -> list[int | None]:
    """What every seat's bank holds at the beginning."""
    return [clock.bank * SECOND if isinstance(clock, BankClock) else None] * seats


def deadline(clock: Clock, left: int | None, since: int) -> int | None:
    """When the time of a turn is used up whose clock started at `since`.

    >>> deadline(BankClock(60), 20_000, since=1_000), deadline(DaysClock(1), None, since=1_000)
    (21000, 86401000)
    """
    if isinstance(clock, BankClock):
        return since + (left or 0)
    return since + clock.days * DAY if isinstance(clock, DaysClock) else None


def after_turn(clock: Clock, left: int | None, since: int | None, at: int, by_person: bool) -> int | None:
    """What the bank holds once a turn has ended; the increment is for turns that a person played.

    >>> after_turn(BankClock(60, 5), 20_000, since=1_000, at=11_000, by_person=True)
    15000
    """
    if not isinstance(clock, BankClock) or left is None:
        return left
    used = at - since if since is not None else 0
    return max(0, left - used) + (clock.increment * SECOND if by_person else 0)


def may_return(clock: Clock, left: int | None, since: int | None, at: int) -> bool:
    """Whether a seat has time left; `since` is when its clock started, if it is its turn and it has.

    >>> may_return(BankClock(60), 20_000, since=1_000, at=22_000)
    False
    """
    if isinstance(clock, BankClock) and not left:
        return False
    due = deadline(clock, left, at if since is None else since)
    return due is None or due > at
