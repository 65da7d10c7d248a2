"""The server's time, in milliseconds since 1970. It never goes back.

Within a process it follows the monotonic clock. A new process starts at the system's time or at the latest time in the
database, whichever is later (`begin`). So setting the system clock back gives no player more time.

A machine that starts with a wrong clock must not pin its server to that time forever. So a server does not start when
its database is far ahead of the system's clock, says when the two differ (`problems`), and deletes nothing while the
time is in doubt (`tables/upkeep.py`).
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

from plenilune.core.errors import BadSetting

BOOT = getattr(time, "CLOCK_BOOTTIME", None)  # also counts while the machine is suspended
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
FAR = HOUR  # by which the database may be ahead of the system's clock when a server starts
OFF = 5 * MINUTE  # by which the clock of a running server may differ from the system's
LONG, DOUBT = DAY, 3600  # after so long without a server, its time is in doubt for so many seconds


def _steady() -> int:
    return time.clock_gettime_ns(BOOT) if BOOT is not None else time.monotonic_ns()


_offset = time.time_ns() - _steady()


def now() -> int:
    return (_steady() + _offset) // 1_000_000


def system() -> int:
    """The time by the system's clock, which somebody may have set."""
    return time.time_ns() // 1_000_000


def begin(beat: int) -> None:
    """A server starts; `beat`: the latest time that one has recorded in the database."""
    if beat - system() > FAR:
        raise BadSetting(
            f"the database is {span(beat - system())} ahead of this machine's clock, which says {_shown(system())}: "
            "set the clock, or, if it is right, start once with --accept-clock"
        )
    not_before(beat)


def not_before(at: int) -> None:
    """Advance the clock to at least this time, which another process has recorded."""
    global _offset
    _offset = max(_offset, at * 1_000_000 - _steady())


def doubt(beat: int, at: int) -> float:
    """For how many seconds a server that starts now had better delete nothing: a machine's clock may be years ahead
    until the network has set it.

    >>> doubt(0, 5 * DAY), doubt(4 * DAY + 1, 5 * DAY), doubt(1, 5 * DAY)
    (0, 0, 3600)
    """
    return DOUBT if beat and at - beat > LONG else 0


def ahead() -> int:
    """By how much this clock is ahead of the system's."""
    return now() - system()


def problems() -> list[str]:
    """In one sentence, whether the server's time is not the system's."""
    difference = ahead()
    if difference > OFF:
        remedy = "stop the server, and start it once with --accept-clock"
        return [f"the server's clock is {span(difference)} ahead of this machine's: {remedy}"]
    if difference < -OFF:
        return [f"the server's clock is {span(-difference)} behind this machine's: restart the server"]
    return []


def span(milliseconds: int) -> str:
    """
    >>> span(90 * MINUTE), span(2 * MINUTE), span(72 * HOUR)
    ('90 minutes', '2 minutes', '3 days')
    """
    for size, word in ((DAY, "days"), (HOUR, "hours")):
        if milliseconds >= 2 * size:
            return f"{milliseconds // size} {word}"
    return f"{milliseconds // MINUTE} minutes"


def _shown(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"
