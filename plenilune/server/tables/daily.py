"""The daily deal: a solo match with the same dice for everybody that day.

A deal can be begun on its day (UTC), and counts if it is finished before the end of the next day. Then the ranking is
closed and the seed is published. Nobody gets a deal twice: the second time they would know the dice.

Anybody may play. An attempt is ranked if its player was a guest here a day before it began, if it is the first that
was begun from its network, if it was finished before the next one was begun there, and if nobody has played exactly the
same actions in an attempt that was begun or finished earlier.

So a person with one network can rehearse neither before their attempt nor during it, under however many names. A person
with a second one can: the deal is the same for everybody. Two who share a network cannot both be ranked.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, date, datetime, timedelta

from plenilune.game import Game
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import Unranked
from plenilune.server.tables.clocks import DAY

A_DAY_BEFORE = DAY  # milliseconds for which somebody must have been a guest to be ranked
RANKED_PER_NETWORK = 1  # how many of a network's attempts may count: those that were begun first


def unranked(created: int, at: int) -> Unranked | None:
    """Why an attempt that begins now does not count, as far as that depends on who makes it."""
    return "new_guest" if created > at - A_DAY_BEFORE else None


def today(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def opens(day: str) -> int:
    """When the day begins, in milliseconds.
    >>> opens("1970-01-02")
    86400000
    """
    return (_parse_day(day) - date(1970, 1, 1)) // timedelta(days=1) * DAY


def ends(day: str) -> int:
    return opens(day) + DAY


def closes(day: str) -> int:
    """When the ranking closes and the seed is published."""
    return opens(day) + 2 * DAY


def seed(secret: str, game: Game, day: str) -> str:
    """The same for everybody. It is derived from the server's secret, which never leaves the database."""
    return hmac.digest(bytes.fromhex(secret), f"{game.name} {day}".encode(), hashlib.sha256).hex()[:32]


def check(game: Game, day: str, at: int) -> None:
    if 1 not in game.seats:
        raise Denied("game_not_daily", f"{game.name} is not played alone: it has no daily deal")
    if _parse_day(day) > _parse_day(today(at)):
        raise Denied("daily_later", f"the deal of {day} is not here yet")


def _parse_day(day: str) -> date:
    try:
        read = date.fromisoformat(day)
        if read.isoformat() != day or read.year < 1970:
            raise ValueError
    except ValueError:
        raise Denied("not_found", f"a day is written like 2026-01-31, not {day[:40]!r}") from None
    return read
