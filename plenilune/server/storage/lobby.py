"""Queries for lists of matches: the lobby, best scores, the daily deal and its ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from plenilune.server.protocol import Best, Clock, Options, Result
from plenilune.server.storage.rows import Row, Unranked, read_json
from plenilune.server.storage.schema import matches, people, seats

if TYPE_CHECKING:
    from plenilune.server.storage.database import Database

NAMES = ("id", "game", "options", "status", "clock", "to_play", "ply", "created", "changed", "deadline", "daily",
         "result", "stand_in", "hints", "host", "network", "rules")  # fmt: skip
COLUMNS = [matches.c[name] for name in NAMES]
MOST_OF_NETWORK = 10  # tables from one network in a list
LATELY = 10  # finished matches of a person
LOWEST = -1_000_000  # below every score


class Listed(NamedTuple):
    """A match in a list, without its seats."""

    id: str
    game: str
    options: Options
    status: Any
    clock: Clock
    to_play: int
    ply: int
    created: int
    changed: int
    deadline: int | None
    daily: str | None
    result: Result | None
    stand_in: str
    hints: bool
    host: str
    network: str
    rules: int


class Deal(NamedTuple):
    """An attempt at a daily deal."""

    id: str
    score: int | None
    changed: int
    unranked: Unranked | None


class Ranked(NamedTuple):
    person: str
    name: str
    score: int


class LobbyQueries:
    def __init__(self, database: Database) -> None:
        self._database = database

    # The lobby

    async def open(self, since: int, limit: int) -> list[Listed]:
        """Public tables with a free seat, newest first, only the newest of each host."""
        return await self._listed(OPEN, since=since, most=limit)

    async def live(self, since: int, limit: int) -> list[Listed]:
        """Public matches that may be watched, latest change first, only the latest of each host."""
        return await self._listed(LIVE, since=since, most=limit)

    async def mine(self, person: str, limit: int) -> list[Listed]:
        """A person's unfinished matches, those that wait for them first, and the most recently finished."""
        going = await self._listed(GOING, person=person, most=limit)
        ended = await self._listed(ENDED, person=person, most=LATELY)
        turns = await self._turns(person, [listed.id for listed in going])
        return [*sorted(going, key=lambda listed: (listed.id, listed.to_play) not in turns), *ended]

    async def _turns(self, person: str, ids: list[str]) -> set[tuple[str, int]]:
        rows = await self._database.all(SEATS_OF, person=person, ids=ids) if ids else []
        return {(row["match"], row["seat"]) for row in rows}

    async def reserved_for(self, person: str, limit: int) -> list[Listed]:
        """Tables with a seat reserved for this person: a rematch, or a seat they left."""
        return await self._listed(RESERVED, person=person, most=limit)

    async def _listed(self, statement: Any, **values: Any) -> list[Listed]:
        return [_listed(row) for row in await self._database.all(statement, **values)]

    # Alone

    async def bests(self, person: str) -> list[Best]:
        """The person's best solo score for each game and its options."""
        return [
            Best(
                row["game"],
                read_json("options", row["options"]),
                row["score"],
                row["id"],
                row["changed"],
                row["played"],
            )
            for row in await self._database.all(BESTS, person=person)
        ]

    # The daily deal

    async def deal_of(self, person: str, game: str, day: str, closes: int) -> Deal | None:
        row = await self._database.one(DEAL, person=person, game=game, day=day, closes=closes)
        if row is None:
            return None
        found: Unranked | None = "same_address" if row["rehearsed"] else "same_actions" if row["repeats"] else None
        return Deal(row["id"], row["score"], row["changed"], row["unranked"] or found)

    async def ranking(self, game: str, day: str, closes: int, limit: int) -> list[Ranked]:
        rows = await self._database.all(RANKING, game=game, day=day, closes=closes, most=limit)
        return [Ranked(row["id"], row["name"], row["score"]) for row in rows]

    async def ranked(self, game: str, day: str, closes: int, above: int = LOWEST) -> int:
        """How many are ranked, above a score if one is given."""
        return await self._count(RANKED, game=game, day=day, closes=closes, above=above)

    async def _count(self, statement: Any, **values: Any) -> int:
        row = await self._database.one(statement, **values)
        return int(row["n"]) if row else 0


def _listed(row: Row) -> Listed:
    found = {name: row[name] for name in NAMES}
    for name in ("options", "clock", "result"):
        found[name] = read_json(name, found[name])
    return Listed(**found)


# Statements are built once: building one takes longer than executing it.

SINCE, CLOSES = sa.bindparam("since", type_=sa.BigInteger), sa.bindparam("closes", type_=sa.BigInteger)
MOST, ABOVE = sa.bindparam("most", type_=sa.Integer), sa.bindparam("above", type_=sa.Integer)
PERSON = sa.bindparam("person", type_=sa.Text)
GAME, DAY = sa.bindparam("game", type_=sa.Text), sa.bindparam("day", type_=sa.Text)


def _fairly(where: Any) -> Any:
    """One table per host and a few per network, so that nobody can fill the page."""
    latest = matches.c.changed.desc()
    of_host = sa.func.row_number().over(partition_by=matches.c.host, order_by=(latest, matches.c.id))
    hosts = sa.select(*COLUMNS, of_host.label("of_host")).where(where & (matches.c.changed > SINCE)).subquery()
    of_network = sa.func.row_number().over(partition_by=hosts.c.network, order_by=(hosts.c.changed.desc(), hosts.c.id))
    networks = sa.select(hosts, of_network.label("of_network")).where(hosts.c.of_host == 1).subquery()
    few = (networks.c.of_network <= MOST_OF_NETWORK) | (networks.c.network == "")
    return sa.select(networks).where(few).order_by(networks.c.changed.desc(), networks.c.id).limit(MOST)


def _latest(where: Any) -> Any:
    """A join, because with `IN` SQLite would scan all finished matches."""
    joined = seats.join(matches, matches.c.id == seats.c.match)
    return (
        sa.select(*COLUMNS).select_from(joined).where(where).distinct().order_by(matches.c.changed.desc()).limit(MOST)
    )


_FREE = sa.exists().where((seats.c.match == matches.c.id) & (seats.c.held_by == "open"))
OPEN = _fairly(matches.c.public & (matches.c.status == "waiting") & _FREE)
LIVE = _fairly(matches.c.public & (matches.c.status == "playing") & matches.c.spectators)
_MINE = (seats.c.person == PERSON) & ~seats.c.resigned
GOING = _latest(_MINE & (matches.c.status != "over"))
ENDED = _latest(_MINE & (matches.c.status == "over") & matches.c.result.is_not(None))
RESERVED = _latest((seats.c.reserved == PERSON) & (matches.c.status == "waiting"))
_AMONG = seats.c.match.in_(sa.bindparam("ids", expanding=True))
SEATS_OF = sa.select(seats.c.match, seats.c.seat).where((seats.c.person == PERSON) & _AMONG)
_KIND = (matches.c.game, matches.c.options)  # of solo match
_NTH = sa.func.row_number().over(partition_by=_KIND, order_by=(matches.c.score.desc(), matches.c.changed, matches.c.id))
_SCORES = (
    sa.select(matches.c.id, matches.c.game, matches.c.options, matches.c.score, matches.c.changed)
    .add_columns(_NTH.label("nth"), sa.func.count().over(partition_by=_KIND).label("played"))
    .join(seats, seats.c.match == matches.c.id)
    .where((seats.c.person == PERSON) & matches.c.score.is_not(None))
    .subquery()
)
BESTS = sa.select(_SCORES).where(_SCORES.c.nth == 1).order_by(_SCORES.c.score.desc(), _SCORES.c.changed)


def _repeats() -> Any:
    """Whether somebody played the same deal with exactly the same actions, and began or finished earlier. Both orders
    count: a repeated rehearsal may begin before it, or finish after it."""
    earlier = matches.alias("earlier")
    same = (earlier.c.daily == matches.c.daily) & (earlier.c.game == matches.c.game)
    sooner = _sooner(earlier, "created") | _sooner(earlier, "changed")
    repeated = same & (earlier.c.script == matches.c.script) & (earlier.c.changed < CLOSES) & sooner
    return sa.exists().where(repeated).correlate(matches)


def _sooner(earlier: Any, time: str) -> Any:
    theirs, mine = earlier.c[time], matches.c[time]
    return (theirs < mine) | ((theirs == mine) & (earlier.c.id < matches.c.id))


def _rehearsed() -> Any:
    """Whether somebody else began the same deal from this network before this attempt was finished: they may have been
    rehearsing for it. Those that were begun before it are counted when it begins (`store.attempts`)."""
    other = matches.alias("other")
    same = (other.c.daily == matches.c.daily) & (other.c.game == matches.c.game) & (other.c.id != matches.c.id)
    there = (other.c.network == matches.c.network) & (other.c.network != "")
    meanwhile = (other.c.created <= matches.c.changed) | (matches.c.status != "over")
    return sa.exists().where(same & there & (other.c.created >= matches.c.created) & meanwhile).correlate(matches)


_DEAL = (matches.c.game == GAME) & (matches.c.daily == DAY)
_MAY_BE_RANKED = _DEAL & matches.c.unranked.is_(None)
_FINISHED = _MAY_BE_RANKED & matches.c.score.is_not(None) & (matches.c.changed < CLOSES)
_RANKED = _FINISHED & ~_repeats() & ~_rehearsed()
_N = sa.select(sa.func.count().label("n")).select_from(matches)
DEAL = sa.select(
    *(matches.c.id, matches.c.score, matches.c.changed, matches.c.unranked),
    *(_repeats().label("repeats"), _rehearsed().label("rehearsed")),
).where(_DEAL & (matches.c.daily_of == PERSON))
RANKED = _N.where(_RANKED & (matches.c.score > ABOVE))
RANKING = (
    sa.select(matches.c.score, people.c.id, people.c.name)
    .join(people, people.c.id == matches.c.daily_of)
    .where(_RANKED)
    .order_by(matches.c.score.desc(), matches.c.changed)
    .limit(MOST)
)
