"""Every query about lists of matches: the lobby, best scores, the daily deal and its ranking."""

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
LATELY = 10  # finished matches of mine


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
    """Somebody's attempt at a daily deal."""

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
        """Public tables with a free seat, newest first, each host's newest only."""
        free = sa.exists().where((seats.c.match == matches.c.id) & (seats.c.held_by == "open"))
        where = matches.c.public & (matches.c.status == "waiting") & (matches.c.changed > since) & free
        return await self._fairly(where, limit)

    async def live(self, since: int, limit: int) -> list[Listed]:
        """Public matches that may be watched, the latest change first, each host's latest only."""
        where = matches.c.public & (matches.c.status == "playing") & matches.c.spectators
        return await self._fairly(where & (matches.c.changed > since), limit)

    async def _fairly(self, where: Any, limit: int) -> list[Listed]:
        """Nobody fills the page alone: one table of each host, and a few of each network."""
        latest = matches.c.changed.desc()
        of_host = sa.func.row_number().over(partition_by=matches.c.host, order_by=(latest, matches.c.id))
        hosts = sa.select(*COLUMNS, of_host.label("of_host")).where(where).subquery()
        of_network = sa.func.row_number().over(
            partition_by=hosts.c.network, order_by=(hosts.c.changed.desc(), hosts.c.id)
        )
        networks = sa.select(hosts, of_network.label("of_network")).where(hosts.c.of_host == 1).subquery()
        few = (networks.c.of_network <= MOST_OF_NETWORK) | (networks.c.network == "")
        query = sa.select(networks).where(few).order_by(networks.c.changed.desc(), networks.c.id)
        return [_listed(row) for row in await self._database.all(query.limit(limit))]

    async def mine(self, person: str, limit: int) -> list[Listed]:
        """Unfinished ones, those that wait for me first, and some that ended lately."""
        # A join: with `IN`, SQLite would read all finished matches of everybody.
        joined = seats.join(matches, matches.c.id == seats.c.match)
        ours = sa.select(*COLUMNS).select_from(joined).where((seats.c.person == person) & ~seats.c.resigned)
        ours = ours.distinct().order_by(matches.c.changed.desc())
        going = await self._database.all(ours.where(matches.c.status != "over").limit(limit))
        over = (matches.c.status == "over") & matches.c.result.is_not(None)
        ended = await self._database.all(ours.where(over).limit(LATELY))
        turns = await self._turns(person, [row["id"] for row in going])
        going = sorted(going, key=lambda row: (row["id"], row["to_play"]) not in turns)
        return [_listed(row) for row in [*going, *ended]]

    async def _turns(self, person: str, ids: list[str]) -> set[tuple[str, int]]:
        query = sa.select(seats.c.match, seats.c.seat).where((seats.c.person == person) & seats.c.match.in_(ids))
        return {(row["match"], row["seat"]) for row in await self._database.all(query)} if ids else set()

    async def reserved_for(self, person: str, limit: int) -> list[Listed]:
        """Tables that wait for this person: a rematch they were asked for, or a seat they left."""
        ids = sa.select(seats.c.match).where(seats.c.reserved == person)
        query = sa.select(*COLUMNS).where(matches.c.id.in_(ids) & (matches.c.status == "waiting"))
        return [_listed(row) for row in await self._database.all(query.order_by(matches.c.changed.desc()).limit(limit))]

    # Alone

    async def bests(self, person: str) -> list[Best]:
        """The best score of every game and choice of options that was played alone to the end."""
        joined = matches.join(seats, seats.c.match == matches.c.id)
        where = (seats.c.person == person) & matches.c.score.is_not(None)
        columns = (matches.c.id, matches.c.game, matches.c.options, matches.c.score, matches.c.changed)
        query = sa.select(*columns).select_from(joined).where(where).order_by(matches.c.score.desc(), matches.c.changed)
        found: dict[tuple[str, str], Best] = {}
        for row in await self._database.all(query):
            key, options = (row["game"], row["options"]), read_json("options", row["options"])
            best = found.get(key) or Best(row["game"], options, row["score"], row["id"], row["changed"], 0)
            found[key] = Best(best.game, best.options, best.score, best.match, best.at, best.played + 1)
        return list(found.values())

    # The daily deal

    async def deal_of(self, person: str, game: str, day: str) -> Deal | None:
        where = _deal(game, day) & (matches.c.daily_of == person)
        query = sa.select(matches.c.id, matches.c.score, matches.c.changed, matches.c.unranked, _REPEATS).where(where)
        row = await self._database.one(query)
        if row is None:
            return None
        unranked: Unranked | None = row["unranked"] or ("same_actions" if row["repeats"] else None)
        return Deal(row["id"], row["score"], row["changed"], unranked)

    async def ranked_from(self, network: str, game: str, day: str) -> int:
        """How many attempts from one network were begun and may be ranked."""
        where = _deal(game, day) & (matches.c.network == network) & matches.c.unranked.is_(None)
        row = await self._database.one(sa.select(sa.func.count().label("n")).select_from(matches).where(where))
        return int(row["n"]) if row else 0

    async def ranking(self, game: str, day: str, closes: int, limit: int) -> list[Ranked]:
        joined = matches.join(people, people.c.id == matches.c.daily_of)
        query = sa.select(matches.c.score, people.c.id, people.c.name).select_from(joined)
        best = query.where(_ranked(game, day, closes)).order_by(matches.c.score.desc(), matches.c.changed).limit(limit)
        return [Ranked(row["id"], row["name"], row["score"]) for row in await self._database.all(best)]

    async def ranked(self, game: str, day: str, closes: int, above: int | None = None) -> int:
        """How many are ranked, above a score if one is given."""
        where = _ranked(game, day, closes)
        if above is not None:
            where &= matches.c.score > above
        row = await self._database.one(sa.select(sa.func.count().label("n")).select_from(matches).where(where))
        return int(row["n"]) if row else 0


def _listed(row: Row) -> Listed:
    found = {name: row[name] for name in NAMES}
    for name in ("options", "clock", "result"):
        found[name] = read_json(name, found[name])
    return Listed(**found)


def _deal(game: str, day: str) -> Any:
    return (matches.c.game == game) & (matches.c.daily == day)


def _ranked(game: str, day: str, closes: int) -> Any:
    finished = matches.c.score.is_not(None) & (matches.c.changed < closes)
    return _deal(game, day) & finished & matches.c.unranked.is_(None) & ~_repeats()


def _repeats() -> Any:
    """Somebody finished the same deal earlier with exactly the same actions."""
    earlier = matches.alias("earlier")
    sooner = (earlier.c.changed < matches.c.changed) | (
        (earlier.c.changed == matches.c.changed) & (earlier.c.id < matches.c.id)
    )
    same = (earlier.c.daily == matches.c.daily) & (earlier.c.game == matches.c.game)
    return sa.exists().where(same & (earlier.c.script == matches.c.script) & sooner).correlate(matches)


_REPEATS = _repeats().label("repeats")
