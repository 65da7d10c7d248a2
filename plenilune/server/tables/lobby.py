"""The lobby: open tables, live tables and mine; best scores alone; the daily deal's ranking."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from plenilune.dice import Dice
from plenilune.game import Game
from plenilune.server.protocol import Best, DailyDeal, Lobby, Rank, TableRow
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import Person, now, read, read_clock, read_result, seat_infos
from plenilune.server.storage.store import Row, Store, matches, people, seats
from plenilune.server.tables import daily
from plenilune.server.tables.audience import Watcher
from plenilune.server.tables.diff import encode
from plenilune.server.tables.registry import Tables
from plenilune.server.tables.table import Table

MOST = 50  # tables of a kind
LATELY = 10  # finished matches of mine
RANKED = 100
BREATH = 1.0  # seconds between two lobbies that are sent
COLUMNS = [
    matches.c[name]
    for name in (
        *("id", "game", "options", "status", "clock", "to_play", "ply", "created", "changed", "deadline", "daily"),
        *("result", "stand_in"),
    )
]


class Lobbies:
    """Who is in the lobby hears when something changes, at most once a second."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self.store, self.tables = store, tables
        self.watchers: set[Watcher] = set()
        self._news = asyncio.Event()
        tables.stirred = self.stir

    def stir(self, table: Table | None = None) -> None:
        if self.watchers:
            self._news.set()

    async def tell(self) -> None:
        """Send what is new, for as long as the server runs; other processes' news come with the next look."""
        while True:
            patience = self.tables.settings.poll if self.store.shared else None
            try:
                await asyncio.wait_for(self._news.wait(), patience)
            except TimeoutError:
                if not self.watchers:
                    continue
            self._news.clear()
            with contextlib.suppress(Denied):  # the database is away for a moment
                await self._tell()
            await asyncio.sleep(BREATH)

    async def _tell(self) -> None:
        shared = await self._shared()
        for watcher in list(self.watchers):
            watcher.send(encode(await self._for(watcher.person, *shared)))

    async def lobby(self, person: Person | None) -> Lobby:
        return await self._for(person, *await self._shared())

    async def _for(self, person: Person | None, open: list[Row], live: list[Row]) -> Lobby:
        mine = await self._mine(person) if person else []
        rows = [*open, *live, *mine]
        by_match = await self.store.seats_of({row["id"] for row in rows}) if rows else {}
        made = [self._row(row, by_match[row["id"]], person) for row in rows]
        return Lobby(made[: len(open)], made[len(open) : len(open) + len(live)], made[len(open) + len(live) :], now())

    async def _shared(self) -> tuple[list[Row], list[Row]]:
        free = sa.exists().where((seats.c.match == matches.c.id) & (seats.c.held_by == "open"))
        public = sa.select(*COLUMNS).where(matches.c.public).order_by(matches.c.changed.desc()).limit(MOST)
        open = await self.store.all(public.where((matches.c.status == "waiting") & free))
        live = await self.store.all(public.where((matches.c.status == "playing") & matches.c.spectators))
        return open, live

    async def _mine(self, person: Person) -> list[Row]:
        """Unfinished ones, those that wait for me first, and some that ended lately."""
        ids = sa.select(seats.c.match).where((seats.c.person == person.id) & ~seats.c.resigned).distinct()
        ours = sa.select(*COLUMNS).where(matches.c.id.in_(ids)).order_by(matches.c.changed.desc())
        going = await self.store.all(ours.where(matches.c.status != "over").limit(MOST))
        ended = await self.store.all(
            ours.where((matches.c.status == "over") & matches.c.result.is_not(None)).limit(LATELY)
        )
        my_seats = sa.select(seats.c.match, seats.c.seat).where(seats.c.person == person.id)
        turns = {(row["match"], row["seat"]) for row in await self.store.all(my_seats)}
        return sorted(going, key=lambda row: (row["id"], row["to_play"]) not in turns) + ended

    def _row(self, row: Row, rows: Sequence[Row], person: Person | None) -> TableRow:
        table = self.tables.live.get(row["id"])
        here = table.audience.here() if table else set()
        return TableRow(
            id=row["id"],
            game=row["game"],
            options=read(row["options"]),
            status=row["status"],
            seats=seat_infos(rows, row["stand_in"], here),
            mine=[s["seat"] for s in rows if person and s["person"] == person.id],
            clock=read_clock(row["clock"]),
            to_play=row["to_play"],
            ply=row["ply"],
            created=row["created"],
            changed=row["changed"],
            deadline=row["deadline"],
            daily=row["daily"],
            result=read_result(row["result"]) if row["result"] else None,
        )


async def bests(store: Store, person: Person) -> list[Best]:
    """The best score of every game and choice of options that was played alone to the end."""
    joined = matches.join(seats, seats.c.match == matches.c.id)
    where = (seats.c.person == person.id) & matches.c.score.is_not(None)
    columns = (matches.c.id, matches.c.game, matches.c.options, matches.c.score, matches.c.changed)
    order = (matches.c.score.desc(), matches.c.changed)
    found: dict[tuple[str, str], Best] = {}
    for row in await store.all(sa.select(*columns).select_from(joined).where(where).order_by(*order)):
        key = (row["game"], row["options"])
        best = found.get(key) or Best(row["game"], read(row["options"]), row["score"], row["id"], row["changed"], 0)
        found[key] = Best(best.game, best.options, best.score, best.match, best.at, best.played + 1)
    return list(found.values())


async def deal(tables: Tables, game: Game, day: str, person: Person | None) -> DailyDeal:
    daily.check(game, day, now())
    seed = daily.seed(await tables.daily_secret(), game, day)
    mine = await tables.deal_of(person, game, day) if person else None
    closed = daily.closes(day) <= now()
    counted = _counted(game, day)
    finished = await tables.store.one(sa.select(sa.func.count().label("n")).select_from(matches).where(counted))
    return DailyDeal(
        game=game.name,
        day=day,
        options=game.choices(1, {}),
        commitment=Dice(seed).commitment,
        seed=seed if closed else None,
        opens=daily.opens(day),
        ends=daily.ends(day),
        closes=daily.closes(day),
        match=mine["id"] if mine else None,
        score=mine["score"] if mine else None,
        ranking=await _ranking(tables.store, game, day, person, mine),
        finished=int(finished["n"]) if finished else 0,
    )


def _counted(game: Game, day: str) -> Any:
    in_time = matches.c.changed < daily.closes(day)
    return (matches.c.game == game.name) & (matches.c.daily == day) & matches.c.score.is_not(None) & in_time


async def _ranking(store: Store, game: Game, day: str, person: Person | None, mine: Row | None) -> list[Rank]:
    joined = matches.join(people, people.c.id == matches.c.daily_of)
    columns = sa.select(matches.c.score, people.c.id, people.c.name).select_from(joined)
    best = columns.where(_counted(game, day)).order_by(matches.c.score.desc(), matches.c.changed)
    found: list[Rank] = []
    for number, row in enumerate(await store.all(best.limit(RANKED)), 1):
        rank = found[-1].rank if found and found[-1].score == row["score"] else number
        found.append(Rank(rank, row["name"], row["score"], bool(person and row["id"] == person.id)))
    counts = mine and mine["score"] is not None and mine["changed"] < daily.closes(day)
    if person and mine and counts and not any(rank.mine for rank in found):
        above = _counted(game, day) & (matches.c.score > mine["score"])
        better = await store.one(sa.select(sa.func.count().label("n")).select_from(matches).where(above))
        found.append(Rank(1 + int(better["n"] if better else 0), person.name, mine["score"], True))
    return found
