"""The server's time, in milliseconds since 1970. It never goes back.

Within a process it follows a clock that nobody can set. When a process starts, it begins at the system's time or at
the latest time that the database has seen, whichever is later (`not_before`). So whoever sets the system clock back
gives nobody more time.
"""

from __future__ import annotations

import time

BOOT = getattr(time, "CLOCK_BOOTTIME", None)  # counts on while the machine sleeps


def _steady() -> int:
    return time.clock_gettime_ns(BOOT) if BOOT is not None else time.monotonic_ns()


_offset = time.time_ns() - _steady()


def now() -> int:
    return (_steady() + _offset) // 1_000_000


def not_before(at: int) -> None:
    """It is at least as late as that: another process has said so."""
    global _offset
    _offset = max(_offset, at * 1_000_000 - _steady())
