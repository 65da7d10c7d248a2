"""The server's time, in milliseconds since 1970. It never goes back.

Within a process it follows the monotonic clock. A new process starts at the system's time or at the latest time in the
database, whichever is later (`not_before`). So setting the system clock back gives no player more time.
"""

from __future__ import annotations

import time

BOOT = getattr(time, "CLOCK_BOOTTIME", None)  # also counts while the machine is suspended


def _steady() -> int:
    return time.clock_gettime_ns(BOOT) if BOOT is not None else time.monotonic_ns()


_offset = time.time_ns() - _steady()


def now() -> int:
    return (_steady() + _offset) // 1_000_000


def not_before(at: int) -> None:
    """Advance the clock to at least this time, which another process has recorded."""
    global _offset
    _offset = max(_offset, at * 1_000_000 - _steady())
